// Defines the plan as the model writes it and as a thread stores it, and its limits, which are enforced elsewhere.
import * as z from "zod";

export const PLAN_STEPS_MAX = 20;
/** Maximum size of the stored plan as JSON, in UTF-8 bytes. A longer plan fails with `plan_too_long`. */
export const PLAN_BYTES_MAX = 4096;

export const NEEDS = ["write", "observation", "reply", "any", "none"] as const;
export const Needs = z.enum(NEEDS);
export type Needs = z.infer<typeof Needs>;

export const PlanStepDraft = z.object({
  content: z.string().min(1),
  done_when: z.string().min(1).exactOptional(),
  needs: Needs.exactOptional(),
});
export type PlanStepDraft = z.infer<typeof PlanStepDraft>;

/** A stored step. It has every field: what the model omitted is null, or `any` for the required proof. */
export const Step = z.object({
  content: z.string().min(1),
  done_when: z.string().nullable(),
  needs: Needs,
  /**
   * True if the plan does not say what proves the step, or if the step orders a change but declares a proof other than a write. A receipt of the
   * declared kind lets the run continue, but only a write is reported as proof.
   */
  needs_open: z.literal(true).optional(),
});
export type Step = z.infer<typeof Step>;

/** Which plans wait for a person: all, those that may change something, or none. */
export const PlanApproval = z.enum(["ask", "ask_writes", "auto"]);
export type PlanApproval = z.infer<typeof PlanApproval>;

export const Plan = z.array(Step).max(PLAN_STEPS_MAX);
export type Plan = z.infer<typeof Plan>;
