// Builds the request of a turn from an input, after checking that the caller may send it.
import { byteLength } from "../schema/byte-length.ts";
import type { ThreadId, ThreadRef } from "../schema/ids.ts";
import { type BudgetInput, INPUT_BYTES_MAX, type TurnInput } from "../schema/input.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { CLIENT_RESULT_BYTES_MAX, type ClientTools } from "../schema/protocols/client-tool.ts";
import type { TurnOptions, TurnRequest } from "../turn/runtime.ts";
import { requireApprovalRight } from "./edge/approval-right.ts";
import type { Caller } from "./edge/caller.ts";
import type { AppOptions } from "./env.ts";

export type TurnRequestInput = {
  readonly input: TurnInput | null;
  readonly budget?: BudgetInput | null;
  readonly if_match?: number | null;
  readonly key?: TurnRequest["key"];
  readonly options?: TurnOptions;
  /** Receives the events of the turn, as the hub does. A tool that reports progress waits for a promise that it returns. */
  readonly listener?: TurnRequest["emit"];
};

/** The request is frozen, because all stages of the turn share it. */
export function createTurnRequest(
  { rt, hub }: Pick<AppOptions, "rt" | "hub">,
  caller: Pick<Caller, "name" | "trace">,
  at: ThreadRef,
  { input, budget = null, if_match = null, key = null, options = {}, listener }: TurnRequestInput,
): TurnRequest {
  return Object.freeze({
    at,
    actor: caller.name,
    input,
    budget,
    if_match,
    key,
    last_turn: true,
    deadline: rt.clock.now() + rt.config.turn_deadline_ms,
    ...(caller.trace && { trace_parent: caller.trace }),
    options: Object.freeze({ ...options }),
    emit: (event) => {
      // A message that rolls back a run is delivered to a fork, so an event may belong to a thread other than `at`.
      const thread = event.thread as ThreadId;
      hub.publish(thread === at.thread ? at : { tenant: at.tenant, thread }, event);
      return listener?.(event);
    },
  } satisfies TurnRequest);
}

/** Confirming needs its own scope, so a key that may advance cannot approve what it proposed. */
export function checkInput(
  caller: Caller,
  input: TurnInput | null,
  client_tools?: ClientTools | undefined,
): Result<Caller> {
  const declares = requireApprovalRight(caller, { kind: "create", create: { client_tools } });
  if (!declares.ok) return declares;
  if (!input) return ok(caller);
  for (const [field, text] of Object.entries(input)) {
    if (field === "output" && byteLength(JSON.stringify(text) ?? "") > CLIENT_RESULT_BYTES_MAX)
      return fail("input_too_large", "input.output: larger than 256 KB.", { field: "input.output" });
    if (field !== "output" && typeof text === "string" && byteLength(text) > INPUT_BYTES_MAX) {
      return fail("input_too_large", `input.${field}: longer than 16 KB.`, { field: `input.${field}` });
    }
  }
  if ("text" in input && input.text?.trim() === "")
    return fail("request_invalid", "input.text: is blank.", { field: "input.text" });
  const allowed = requireApprovalRight(caller, { kind: "input", input });
  return allowed.ok ? ok(caller) : allowed;
}
