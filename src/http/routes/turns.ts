// Advancing: one turn, or several until something pauses the run. And the log of turns.

import { z } from "zod";
import { IF_BUSY, type IfBusy } from "../../jobs/inbox/double-texting.ts";
import { byteLength } from "../../schema/byte-length.ts";
import type { ThreadId } from "../../schema/ids.ts";
import { BudgetInput, TurnInput } from "../../schema/input.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { findTurn } from "../../threads/find-turn.ts";
import { showPrompt } from "../../threads/show-prompt.ts";
import { advance } from "../../turn/advance.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { readRecords } from "../../turn/load.ts";
import { advanceUntil } from "../../turn/until.ts";
import { turnView } from "../../turn/view.ts";
import { readBody } from "../edge/body.ts";
import type { Caller } from "../edge/caller.ts";
import { acceptsEventStream, idempotencyKey, ifMatch, integerQuery } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { hydrateProblem } from "../hydrate-gate.ts";
import { streamTurn } from "../live/stream-turn.ts";
import { respondMultiTurn, respondOutcome, respondProblem } from "../respond.ts";
import { type BaseTurnRequest, checkInput, createTurnRequest } from "../turn-request.ts";
import { respondMessage } from "./messages.ts";
import { threadAt } from "./threads.ts";

export const TurnBody = z.strictObject({
  input: TurnInput.nullable().optional(),
  budget: BudgetInput.optional(),
  /** For a message that comes while a run is at work; "reject" unless said. */
  if_busy: z.enum(IF_BUSY).optional(),
});
export type TurnBody = z.infer<typeof TurnBody>;

/** A request as the turn wants it. */
export type AdvanceRequest = {
  readonly turnRequest: BaseTurnRequest;
  readonly until: boolean;
  readonly max_turns: number;
  readonly if_busy: IfBusy;
};

export async function postTurn(c: Ctx): Promise<Response> {
  const { rt, stopping } = c.get("options");
  const request = await readTurnRequest(c);
  if (!request.ok) return respondProblem(c, request.problem);
  const { turnRequest, until, max_turns, if_busy } = request.value;
  if (acceptsEventStream(c)) return streamTurn(c, request.value);
  if (if_busy !== "reject") return respondMessage(c, turnRequest, if_busy);
  const respondFailure = async (problem: Problem) =>
    respondProblem(c, await hydrateProblem(rt, turnRequest.at, problem));
  if (until) {
    const result = await advanceUntil(rt, turnRequest, max_turns, stopping);
    await rt.faults.at("respond.before");
    return result.ok ? respondMultiTurn(c, result.value) : respondFailure(result.problem);
  }
  const advanced = await advance(rt, { ...turnRequest, last_turn: true });
  await rt.faults.at("respond.before");
  return advanced.ok
    ? respondOutcome(c, advanced.value.outcome, advanced.value.replayed)
    : respondFailure(advanced.problem);
}

async function readTurnRequest(c: Ctx): Promise<Result<AdvanceRequest>> {
  const options = c.get("options");
  const { rt, limits } = options;
  const at = threadAt(c);
  if (!at.ok) return at;
  const key = idempotencyKey(c);
  if (!key.ok) return key;
  const match = ifMatch(c);
  if (!match.ok) return match;
  const until = c.req.query("until");
  if (until !== undefined && until !== "pause")
    return fail("request_invalid", 'until: only "pause".', { field: "until" });
  const max = integerQuery(c, "max_turns", limits.max_turns, 1, limits.max_turns);
  if (!max.ok) return max;
  const body = await readBody(c, TurnBody);
  if (!body.ok) return body;
  const input = body.value.input ?? null;
  const allowed = checkInput(c.get("caller"), input);
  if (!allowed.ok) return allowed;
  const if_busy = checkIfBusy(body.value, until !== undefined);
  if (!if_busy.ok) return if_busy;
  const query = until ? { until, max_turns: max.value } : {};
  const requestHash = bodyHash(rt.hash, {
    route: `turns/${at.value.thread}`,
    query,
    body: { ...body.value, match: match.value },
  });
  const turnRequest = createTurnRequest(options, c.get("caller"), at.value, {
    input,
    budget: body.value.budget ?? null,
    if_match: match.value,
    key: key.value ? { hash: keyHash(rt.hash, key.value), body: requestHash } : null,
  });
  return ok({
    turnRequest: { ...turnRequest, options: { only_when_idle: if_busy.value === "reject" } },
    until: until === "pause",
    max_turns: max.value,
    if_busy: if_busy.value,
  });
}

/** What is not the message's own turn cannot be told as turns of this call. */
function checkIfBusy({ input, if_busy = "reject" }: TurnBody, untilPause: boolean): Result<IfBusy> {
  if (if_busy === "reject") return ok(if_busy);
  const reason =
    input?.type === "message"
      ? untilPause && "not together with until"
      : "only a message can come while a run is at work";
  return reason ? fail("request_invalid", `if_busy: ${reason}.`, { field: "if_busy" }) : ok(if_busy);
}

export async function listTurns(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const after = integerQuery(c, "after", -1, -1, Number.MAX_SAFE_INTEGER);
  if (!after.ok) return respondProblem(c, after.problem);
  const limit = integerQuery(c, "limit", 50, 1, 200);
  if (!limit.ok) return respondProblem(c, limit.problem);
  const head = await rt.store.load(at.value, 1);
  if (!head.ok) return respondProblem(c, head.problem);
  const records = await readRecords(rt, at.value, after.value + 1, after.value + limit.value);
  if (!records.ok) return respondProblem(c, records.problem);
  const last = records.value.at(-1)?.version ?? after.value;
  const next = last < head.value.head.version ? last : null;
  return c.json({ records: records.value.map(recordView), after: next });
}

/** `size`: what the record takes in the store, entry and state together, in bytes. */
const recordView = ({ version, entry, state }: ThreadRecord) => ({
  version,
  size: byteLength(JSON.stringify(entry)) + byteLength(JSON.stringify(state)),
  ...entry,
});

export async function getTurn(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const found = turnParam(c);
  if (!found.ok) return respondProblem(c, found.problem);
  const records = await findTurn(rt, found.value.at, found.value.turn);
  if (!records.ok) return respondProblem(c, records.problem);
  return c.json({
    turn: turnView(records.value),
    records: records.value.map(recordView),
  });
}

export async function getPrompt(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const found = turnParam(c);
  if (!found.ok) return respondProblem(c, found.problem);
  const prompt = await showPrompt(rt, found.value.at, found.value.turn);
  return prompt.ok ? c.json(prompt.value) : respondProblem(c, prompt.problem);
}

function turnParam(c: Ctx): Result<{ at: { tenant: Caller["tenant"]; thread: ThreadId }; turn: number }> {
  const at = threadAt(c);
  if (!at.ok) return at;
  const text = c.req.param("n") ?? "";
  if (!/^\d{1,9}$/.test(text)) return fail("turn_not_found", "A turn has a number.");
  return ok({ at: at.value, turn: Number(text) });
}
