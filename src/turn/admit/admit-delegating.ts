// Decides which input a thread accepts while one of its calls waits for child threads.
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ActiveCall } from "../../schema/thread.ts";

export type DelegationAdmission = {
  readonly kind: "continue_delegation" | "cancel_delegation";
  readonly acting: ActiveCall;
};

export function admitDelegating(acting: ActiveCall, input: TurnInput | null): Result<DelegationAdmission> {
  if (!input) return ok({ kind: acting.cancel_requested ? "cancel_delegation" : "continue_delegation", acting });
  if (input.type === "cancel") return ok({ kind: "cancel_delegation", acting });
  return fail("turn_running", `${acting.call.name} waits for its sub-agents.`, { retry_after_s: 1 });
}
