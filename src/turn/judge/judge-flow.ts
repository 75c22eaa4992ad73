// Judges the flow: whether the current state allows an action, and which calls must wait for a person.
import type { ExecuteDecision } from "../../schema/decision/decision.ts";
import type { RememberedApproval } from "../../schema/gate.ts";
import type { Verdict } from "../../schema/judgement.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { coveringApproval } from "./remembered.ts";
import type { ConfirmationReason, PreparedCall } from "./ruling.ts";

export const passed = (reason: string): Verdict => ({ passed: true, reason });
export const refused = (reason: string): Verdict => ({ passed: false, reason });

export function judgeFlow(decision: ExecuteDecision, state: ThreadState, call: PreparedCall | null): Verdict {
  const { step, steps, mode } = state.machine;
  if (decision.action === "next_plan") {
    if (mode === "direct" || !state.plan)
      return refused("next_plan needs a plan, and this run has none; say done when the goal is reached.");
    if (step + 1 >= steps)
      return refused(`next_plan needs a later step, and step ${step + 1} of ${steps} is the last; say done.`);
    return passed(`step ${step + 1} of ${steps} has a later step`);
  }
  if (decision.action === "done") {
    if (step + 1 < steps)
      return refused(
        `done needs the last step, and this is step ${step + 1} of ${steps}; say next_plan when it is proven.`,
      );
    return passed(mode === "direct" ? "a direct run may end here" : "this is the last step");
  }
  if (call && !call.manifest && !call.disabled) return refused(unknownToolReason(call));
  return passed("the action is allowed in this state");
}

function unknownToolReason(call: PreparedCall): string {
  const suggestion = call.nearest.length
    ? ` Did you mean ${call.nearest.join(", ")}?`
    : " No tool has a name like that.";
  return `There is no tool named ${JSON.stringify(call.name)}.${suggestion}`;
}

/** Turns a request to confirm a pure call into a plain call, because a pure call needs no confirmation. */
export function downgradeConfirm(decision: ExecuteDecision, call: PreparedCall | null): ExecuteDecision {
  if (decision.action !== "confirm" || call?.manifest?.effect !== "pure") return decision;
  return { ...decision, action: "continue" };
}

/** A plan that only reads runs without approval until its first call that is not pure. A policy that allows the call does not replace the approval. */
export function needsPlanApproval(state: ThreadState, { manifest, refusal }: PreparedCall): boolean {
  const unapproved = state.plan_approval === "ask_writes" && state.plan !== null && !state.plan_approved;
  return unapproved && manifest !== null && refusal === null && manifest.effect !== "pure" && !manifest.asks;
}

export type GateReasons = {
  readonly reasons: readonly ConfirmationReason[];
  readonly lifted: boolean;
  /** The remembered approval that covers all reasons. */
  readonly approval: RememberedApproval | null;
};

/** Why the call must wait for a person. A policy waives only what the manifest or the model requires. */
export function gateReasons(decision: ExecuteDecision, state: ThreadState, call: PreparedCall): GateReasons {
  const manifest = call.manifest;
  if (!manifest || call.refusal || manifest.asks) return { reasons: [], lifted: false, approval: null };
  const always: ConfirmationReason[] = [...call.asks];
  if (state.taint && manifest.outward && !call.taint_allowed) {
    always.push({
      code: "taint",
      text: `Untrusted text came in with ${state.taint}, and ${manifest.name} can carry data out.`,
    });
  }
  if (state.taint && manifest.runs_later) {
    always.push({
      code: "taint",
      text: `Untrusted text came in with ${state.taint}: what ${manifest.name} sets up will run as untrusted, too.`,
    });
  }
  const liftable: ConfirmationReason[] = [];
  if (manifest.requires_confirmation)
    liftable.push({ code: "manifest", text: `${manifest.name} always requires approval.` });
  else if (decision.action === "confirm") liftable.push({ code: "model", text: "The model asked for a confirmation." });
  const lifted = liftable.length > 0 && state.auto_approve.includes(manifest.name);
  const reasons = lifted ? always : [...always, ...liftable];
  const approval = reasons.length > 0 ? coveringApproval(state, call, reasons) : null;
  return { reasons: approval ? [] : reasons, lifted, approval };
}
