// What judge is asked and what it answers. Data only.
import type { ExecuteDecision } from "../../schema/decision/decision.ts";
import type { GateReason } from "../../schema/gate.ts";
import type { Judgement } from "../../schema/judgement.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Problem } from "../../schema/problem.ts";

export type ConfirmationReason = { readonly code: GateReason; readonly text: string };

/** A call after resolving, checking its arguments and the pre-hooks: what judge may look at. */
export type PreparedCall = {
  readonly name: string;
  /** null when no such tool is offered to this thread. */
  readonly manifest: Manifest | null;
  /** Why a known tool is not offered. */
  readonly disabled: string | null;
  readonly nearest: readonly string[];
  readonly arguments: Record<string, unknown>;
  readonly arguments_digest: string;
  /** What the model wrote, when a hook changed it. */
  readonly proposed_digest: string | null;
  /** The arguments do not fit, or a hook said no: shown to the model as an observation, nothing runs. */
  readonly refusal: { readonly code: "arguments_invalid" | "tool_denied"; readonly text: string } | null;
  /** A hook, the risk of the command or the path asks for a person. */
  readonly asks: readonly ConfirmationReason[];
};

export type Ruling =
  | {
      readonly kind: "accepted";
      readonly judgement: Judgement;
      readonly decision: ExecuteDecision;
      readonly lifted: boolean;
    }
  | { readonly kind: "corrected"; readonly judgement: Judgement; readonly problem: Problem }
  | {
      readonly kind: "gated";
      readonly judgement: Judgement;
      readonly decision: ExecuteDecision;
      readonly reasons: readonly ConfirmationReason[];
    }
  | { readonly kind: "exhausted"; readonly judgement: Judgement; readonly reason: string };
