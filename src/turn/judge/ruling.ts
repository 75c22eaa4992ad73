// Defines the input and output types of the judge.
import type { ExecuteDecision } from "../../schema/decision/decision.ts";
import type { GateReason, RememberedApproval } from "../../schema/gate.ts";
import type { Judgement } from "../../schema/judgement.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Problem } from "../../schema/problem.ts";
import type { CallAccess, OutputTrust } from "../../schema/receipt.ts";
import type { CommandWords } from "../../tools/define-tool.ts";

export type ConfirmationReason = {
  readonly code: GateReason;
  readonly text: string;
  /** Identifies what the reason is about. Compared with remembered approvals. Default: the text. */
  readonly kinds?: readonly string[] | undefined;
  /** True if an approval for this reason must not be remembered. */
  readonly once?: boolean;
  /** True if an approval for this reason may cover commands that begin with the same words. */
  readonly prefix?: boolean;
};

/** A call as the judge sees it: resolved, with validated arguments, after the pre-hooks. */
export type PreparedCall = {
  readonly name: string;
  /** Null if no such tool is offered to this thread. */
  readonly manifest: Manifest | null;
  /** Why a known tool is not offered; null if it is offered. */
  readonly disabled: string | null;
  readonly nearest: readonly string[];
  readonly arguments: Record<string, unknown>;
  readonly arguments_digest: string;
  /** Digest of the arguments as the model wrote them, if a hook changed them. */
  readonly proposed_digest: string | null;
  /** Set if the arguments are invalid, or if a hook or the tool's own check refused the call. The model sees it, and nothing runs. */
  readonly refusal: Refusal | null;
  /** What the call does, if its arguments decide that; null if the manifest decides it. */
  readonly access: CallAccess | null;
  /** The paths that it can change; absent or null if the tool cannot tell. */
  readonly changes?: readonly string[] | null;
  /** True if the model says that this call finishes the step. */
  readonly finishes_step: boolean;
  /** Reasons for a confirmation, from a hook, the risk of the command or the path. */
  readonly asks: readonly ConfirmationReason[];
  /** The words of the call if it is one simple command; absent or null for any other call. */
  readonly command?: CommandWords | null;
  /** True if the configuration allows this call in a thread with untrusted text. */
  readonly taint_allowed?: boolean;
};

export type Refusal = {
  readonly code: "arguments_invalid" | "tool_denied" | "tool_refused";
  readonly text: string;
  /** The trust of `text`. If null, that of the tool's manifest applies. If absent, the text comes from the runtime or the operator and is trusted. */
  readonly output_trust?: OutputTrust | null;
};

export type Ruling =
  | {
      readonly kind: "accepted";
      readonly judgement: Judgement;
      readonly decision: ExecuteDecision;
      readonly lifted: boolean;
      /** The remembered approval that covers the call. */
      readonly approval?: RememberedApproval | null;
    }
  | { readonly kind: "corrected"; readonly judgement: Judgement; readonly problem: Problem }
  | {
      readonly kind: "gated";
      readonly judgement: Judgement;
      readonly decision: ExecuteDecision;
      readonly reasons: readonly ConfirmationReason[];
    }
  /** The call would change something, and nobody has approved the plan yet. */
  | { readonly kind: "plan_gated"; readonly judgement: Judgement; readonly decision: ExecuteDecision }
  | { readonly kind: "exhausted"; readonly judgement: Judgement; readonly reason: string };
