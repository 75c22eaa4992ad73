// Routes that return the log of a thread: its records, single turns, and the prompts that the model received.
import * as z from "zod";
import { byteLength } from "../../schema/byte-length.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { findTurn } from "../../threads/find-turn.ts";
import { showPrompt } from "../../threads/show-prompt.ts";
import { readRecords } from "../../turn/load.ts";
import { turnView } from "../../turn/view.ts";
import { integerQuery } from "../edge/headers.ts";
import { LIMIT_PARAMETER } from "../edge/thread-page.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadThread, type Route, route } from "../route.ts";

export const turnLogRoutes: readonly Route[] = [
  route(["get", "/v1/threads/:id/turns", "read"], listTurns, {
    id: "listRecords",
    summary: "List the records of a thread, oldest first",
    query: {
      after: {
        schema: z.int().min(-1).optional(),
        description: "Only records with a higher version; -1 for all.",
      },
      limit: LIMIT_PARAMETER,
    },
    responses: { 200: { description: "One page.", schema: "RecordList" } },
    problems: ["thread_not_found", "request_invalid"],
  }),
  route(["get", "/v1/threads/:id/turns/:n", "read"], getTurn, {
    id: "getTurn",
    summary: "Show one turn with its records",
    responses: { 200: { description: "The turn.", schema: "TurnRecords" } },
    problems: ["thread_not_found", "turn_not_found"],
  }),
  route(["get", "/v1/threads/:id/turns/:n/prompt", "read"], getPrompt, {
    id: "getPrompt",
    summary: "Show the exact messages that the model was sent in a turn",
    responses: { 200: { description: "The messages.", schema: "PromptView" } },
    problems: ["thread_not_found", "turn_not_found", "prompt_not_found", "blob_not_found"],
  }),
];

async function listTurns(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const { rt } = c.get("options");
  const after = integerQuery(c, "after", -1, -1, Number.MAX_SAFE_INTEGER);
  if (!after.ok) return after;
  const limit = integerQuery(c, "limit", 50, 1, 200);
  if (!limit.ok) return limit;
  const head = await rt.store.load(at, 1);
  if (!head.ok) return head;
  const records = await readRecords(rt, at, after.value + 1, after.value + limit.value);
  if (!records.ok) return records;
  const last = records.value.at(-1)?.version ?? after.value;
  const next = last < head.value.head.version ? last : null;
  return respondJson(c, { records: records.value.map(recordView), after: next });
}

/** `size` is the number of bytes of the stored entry and state together. */
const recordView = ({ version, entry, state }: ThreadRecord) => ({
  version,
  size: byteLength(JSON.stringify(entry)) + byteLength(JSON.stringify(state)),
  ...entry,
});

async function getTurn(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const turn = turnParam(c);
  if (!turn.ok) return turn;
  const records = await findTurn(c.get("options").rt, at, turn.value);
  if (!records.ok) return records;
  return respondJson(c, { turn: turnView(records.value), records: records.value.map(recordView) });
}

async function getPrompt(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const turn = turnParam(c);
  if (!turn.ok) return turn;
  const prompt = await showPrompt(c.get("options").rt, at, turn.value);
  return prompt.ok ? respondJson(c, prompt.value) : prompt;
}

function turnParam(c: Ctx): Result<number> {
  const text = c.req.param("n") ?? "";
  if (!/^\d{1,9}$/.test(text)) return fail("turn_not_found", "A turn is identified by its number.");
  return ok(Number(text));
}
