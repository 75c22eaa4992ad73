// The route that advances a thread by one turn, or by several until the run is paused.
import * as z from "zod";
import { IF_BUSY, type IfBusy } from "../../jobs/inbox/double-texting.ts";
import { BudgetInput, TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { ClientTools } from "../../schema/protocols/client-tool.ts";
import type { TurnRequest } from "../../turn/runtime.ts";
import { type AdvanceMode, dispatchTurn } from "../dispatch-turn.ts";
import { acceptsEventStream, integerQuery, requestKey } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { streamTurn } from "../live/stream-turn.ts";
import { respondAdvanced } from "../respond.ts";
import { type Answer, type ReadBody, type ReadMatch, type ReadThread, type Route, route } from "../route.ts";
import { checkInput, createTurnRequest, type TurnRequestInput } from "../turn-request.ts";

const TurnBody = z.strictObject({
  input: TurnInput.nullable().optional(),
  budget: BudgetInput.optional(),
  /** Tools that the client runs itself from this turn on. They replace the tools that it declared earlier. */
  client_tools: ClientTools.optional(),
  /** What happens to a message while a run is in progress. The default is "reject". */
  if_busy: z.enum(IF_BUSY).optional(),
});
type TurnBody = z.infer<typeof TurnBody>;

const TURN_PROBLEMS = [
  "thread_moved",
  "thread_removed",
  "version_mismatch",
  "turn_running",
  "nothing_to_do",
  "delivery_pending",
  "thread_failed",
  "sub_agent_refused",
  "gate_open",
  "gate_closed",
  "gate_expired",
  "gate_mismatch",
  "gate_leased",
  "digest_mismatch",
  "signal_refused",
  "not_resumable",
  "not_pokable",
  "newer_version",
  "budget_exhausted",
  "tool_disabled",
  "tool_changed",
  "tool_denied",
  "tool_name_taken",
  "arguments_invalid",
  "decision_invalid",
  "decision_refused",
  "model_unavailable",
  "model_misconfigured",
  "turn_deadline",
  "prompt_too_large",
  "record_too_large",
  "state_corrupt",
] as const;

export const turnRoutes: readonly Route[] = [
  route(["post", "/v1/threads/:id/turns", "advance"], postTurn, {
    id: "advance",
    summary: "Advance one turn, or several until something pauses the run",
    description:
      "Without `input` the thread continues. With `Accept: text/event-stream` the response streams the turn: live events, then the durable events with their ids, finally `response` or `problem`. `confirm` and `resolve` need the scope `confirm`. `if_busy` decides what happens to a message while a run is in progress: `reject` it (409), `enqueue` it for the next turn of a background run, `interrupt` the turn in progress, or `rollback` to the last delivery in a new thread.",
    query: {
      until: {
        schema: z.enum(["pause", "step"]).optional(),
        description:
          "Advance until a gate, rest, failed, a problem, max_turns or 25 seconds; `step`: also until a role of a workflow has delivered.",
      },
      max_turns: {
        schema: z.int().min(1).optional(),
        description: "With until=pause; 20 unless configured otherwise.",
      },
    },
    headers: ["Idempotency-Key", "If-Match"],
    body: TurnBody,
    example: {},
    responses: {
      200: {
        description: "The result of the turn. With until=pause also `turns` and `stopped`.",
        schema: "RunOrTurnResponse",
        stream: "LiveEvent",
        headers: ["ETag", "Idempotency-Replayed"],
      },
      201: {
        description: "With if_busy=rollback: the turn of the new thread, and its location.",
        schema: "TurnResponse",
        headers: ["ETag", "Location"],
      },
      202: {
        description:
          "The cancellation is recorded while a call is executing; or, with if_busy=enqueue, the message is queued.",
        schema: "TurnOrQueuedResponse",
        headers: ["ETag"],
      },
    },
    problems: ["thread_not_found", "turn_not_found", "idempotency_mismatch", "input_too_large", ...TURN_PROBLEMS],
  }),
];

type ReadTurn = ReadThread & ReadMatch & ReadBody<typeof TurnBody>;
type ReadRequest = { readonly fields: TurnRequestInput; readonly mode: AdvanceMode };

async function postTurn(c: Ctx, read: ReadTurn): Promise<Answer> {
  const options = c.get("options");
  const request = readRequest(c, read);
  if (!request.ok) return request;
  const { fields, mode } = request.value;
  const start = (listener?: TurnRequest["emit"]) => {
    const heard = listener === undefined ? fields : { ...fields, listener };
    return dispatchTurn(options, createTurnRequest(options, c.get("caller"), read.at, heard), mode);
  };
  if (acceptsEventStream(c)) return streamTurn(c, start);
  const response = await start();
  await options.rt.faults.at("respond.before");
  return response.ok ? respondAdvanced(c, response.value) : response;
}

function readRequest(c: Ctx, { at, if_match, body }: ReadTurn): Result<ReadRequest> {
  const { limits } = c.get("options");
  const until = c.req.query("until");
  if (until !== undefined && until !== "pause" && until !== "step")
    return fail("request_invalid", 'until: only "pause" or "step".', { field: "until" });
  const max = integerQuery(c, "max_turns", limits.max_turns, 1, limits.max_turns);
  if (!max.ok) return max;
  const { input = null, budget = null, client_tools } = body;
  const allowed = checkInput(c.get("caller"), input, client_tools);
  if (!allowed.ok) return allowed;
  const if_busy = checkIfBusy(body, until !== undefined);
  if (!if_busy.ok) return if_busy;
  const key = requestKey(c, () => ({
    route: `turns/${at.thread}`,
    query: until ? { until, max_turns: max.value } : {},
    body: { ...body, match: if_match },
  }));
  return ok({
    fields: {
      input,
      budget,
      if_match,
      key,
      options: {
        only_when_idle: if_busy.value === "reject",
        ...(client_tools && { client_tools }),
        ...(until === "step" ? { until_step: true } : {}),
      },
    },
    mode: { max_turns: until === undefined ? null : max.value, if_busy: if_busy.value },
  });
}

/** Only a message may have a mode other than "reject". Such a mode may move it to another thread, so it cannot be combined with `until`. */
function checkIfBusy({ input, if_busy = "reject" }: TurnBody, untilPause: boolean): Result<IfBusy> {
  if (if_busy === "reject") return ok(if_busy);
  const reason =
    input?.type === "message"
      ? untilPause && "cannot be combined with until"
      : "only a message can arrive during a run";
  return reason ? fail("request_invalid", `if_busy: ${reason}.`, { field: "if_busy" }) : ok(if_busy);
}
