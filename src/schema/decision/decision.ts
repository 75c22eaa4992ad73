// What the model may decide: one variant per action, with only the fields that the action allows.
import * as z from "zod";
import { PLAN_STEPS_MAX, PlanStepDraft } from "../plan.ts";
import { isObject } from "./fields.ts";
import { AskedQuestion, CHOICES_MAX, QUESTIONS_MAX } from "./questions.ts";

export const EXECUTE_ACTIONS = ["continue", "confirm", "next_plan", "done", "ask_user", "abort"] as const;
export type ExecuteAction = (typeof EXECUTE_ACTIONS)[number];

export const PLAN_ACTIONS = ["plan_done", "answer", "ask_user", "abort", "continue"] as const;
export type PlanAction = (typeof PLAN_ACTIONS)[number];

// Avoids z.record, which silently drops a key named __proto__. The digest that a person approved would then no longer match the stored call. The
// cast is safe because the refinement accepts only objects.
export const Arguments = z
  .unknown()
  .refine(isObject, "expected an object")
  .meta({ type: "object" }) as unknown as z.ZodType<Record<string, unknown>>;
export type Arguments = z.infer<typeof Arguments>;

export const ToolCall = z.object({ name: z.string().min(1), arguments: Arguments });
export type ToolCall = z.infer<typeof ToolCall>;

export const Abort = z.object({
  code: z.string().min(1).exactOptional(),
  user_message: z.string().min(1),
  internal_reason: z.string().min(1).exactOptional(),
});
export type Abort = z.infer<typeof Abort>;

const spokenFields = { speak: z.string().min(1).exactOptional(), reason: z.string().min(1).exactOptional() };
const executeFields = { ...spokenFields, goal_check: z.string().min(1).exactOptional() };
/** Either answers that the user can choose from, or several questions, each with its own answers. */
const asked = {
  choices: z.array(z.string().min(1)).min(1).max(CHOICES_MAX).exactOptional(),
  questions: z.array(AskedQuestion).min(1).max(QUESTIONS_MAX).exactOptional(),
};
/** True if this call finishes the step when it succeeds with the receipt that the step needs. Otherwise the model is asked again. */
const finishes_step = z.literal(true).exactOptional();

export const ExecuteDecision = z.discriminatedUnion("action", [
  z.object({ action: z.literal("continue"), ...executeFields, tool_call: ToolCall.exactOptional(), finishes_step }),
  z.object({ action: z.literal("ask_user"), ...executeFields, ...asked }),
  z.object({ action: z.literal("confirm"), ...executeFields, tool_call: ToolCall, finishes_step }),
  // goal_check is optional here, so that a decision without it can be parsed and the judge refuses it with a specific reason.
  z.object({ action: z.literal("next_plan"), ...executeFields }),
  // `delivery` is the summary for the user. It saves a separate call to write one.
  z.object({ action: z.literal("done"), ...executeFields, delivery: z.string().min(1).exactOptional() }),
  z.object({ action: z.literal("abort"), ...executeFields, abort: Abort }),
]);
export type ExecuteDecision = z.infer<typeof ExecuteDecision>;

export const PlanDecision = z.discriminatedUnion("action", [
  z.object({ action: z.literal("continue"), ...spokenFields }),
  z.object({ action: z.literal("ask_user"), ...spokenFields, ...asked }),
  z.object({
    action: z.literal("plan_done"),
    ...spokenFields,
    plan_steps: z.array(PlanStepDraft).min(1).max(PLAN_STEPS_MAX),
    // The first call of the first step. It runs when the plan starts, if it only reads and needs no confirmation.
    tool_call: ToolCall.exactOptional(),
    finishes_step,
  }),
  z.object({ action: z.literal("answer"), ...spokenFields, speak: z.string().min(1) }),
  z.object({ action: z.literal("abort"), ...spokenFields, abort: Abort }),
]);
export type PlanDecision = z.infer<typeof PlanDecision>;
