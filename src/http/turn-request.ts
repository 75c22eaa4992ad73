// An input on its way into a turn: may this caller bring it, and the call it becomes. The same for HTTP and sockets.
import { byteLength } from "../schema/byte-length.ts";
import type { ThreadId, ThreadRef } from "../schema/ids.ts";
import { type BudgetInput, INPUT_BYTES_MAX, type TurnInput } from "../schema/input.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { TurnRequest } from "../turn/runtime.ts";
import { requireApprovalRight } from "./edge/approval-right.ts";
import type { Caller } from "./edge/caller.ts";
import type { AppOptions } from "./env.ts";

export type BaseTurnRequest = Omit<TurnRequest, "last_turn">;

type TurnRequestInput = {
  readonly input: TurnInput | null;
  readonly budget?: BudgetInput | null;
  readonly if_match?: number | null;
  readonly key?: TurnRequest["key"];
};

export function createTurnRequest(
  { rt, hub }: AppOptions,
  caller: Caller,
  at: ThreadRef,
  fields: TurnRequestInput,
): BaseTurnRequest {
  return {
    at,
    actor: caller.name,
    input: fields.input,
    budget: fields.budget ?? null,
    if_match: fields.if_match ?? null,
    key: fields.key ?? null,
    deadline: rt.clock.now() + rt.config.turn_deadline_ms,
    // A message that takes a run back is heard in another thread than it was sent to.
    emit: (event) => hub.publish({ tenant: at.tenant, thread: event.thread as ThreadId }, event),
  };
}

/** Confirming is a right of its own: a key that may advance cannot approve what it proposed. */
export function checkInput(caller: Caller, input: TurnInput | null): Result<Caller> {
  if (!input) return ok(caller);
  for (const [field, text] of Object.entries(input)) {
    if (typeof text === "string" && byteLength(text) > INPUT_BYTES_MAX) {
      return fail("input_too_large", `input.${field}: longer than 16 KB.`, { field: `input.${field}` });
    }
  }
  if ("text" in input && input.text?.trim() === "")
    return fail("request_invalid", "input.text: is blank.", { field: "input.text" });
  const allowed = requireApprovalRight(caller, { kind: "input", input });
  return allowed.ok ? ok(caller) : allowed;
}
