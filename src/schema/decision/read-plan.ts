// Reads a plan decision. Steps are allowed only with plan_done. Missing fields of a step get defaults when it is stored.
import { NEEDS, PLAN_STEPS_MAX, type PlanStepDraft } from "../plan.ts";
import { ok, type Result } from "../problem.ts";
import { withCallKey } from "./call-alias.ts";
import { type Abort, PLAN_ACTIONS, type PlanAction, PlanDecision } from "./decision.ts";
import {
  addIssue,
  describeValue,
  enumValue,
  isObject,
  isPlaceholder,
  type JsonObject,
  optionalFlag,
  optionalText,
  ownValue,
  type ParseContext,
  requiredText,
} from "./fields.ts";
import { invalidDecision, type ParseIssue } from "./parse-issue.ts";
import { readAction } from "./read-action.ts";
import { readAsked, spokenQuestion } from "./read-questions.ts";
import { readAbort, readToolCall } from "./tool-call.ts";

const STEPS_LEGAL = `an array of 1 to ${PLAN_STEPS_MAX} steps {content, done_when, needs}`;

export function readPlanDecision(reply: JsonObject): Result<PlanDecision> {
  const issues: ParseIssue[] = [];
  const object = withCallKey(reply);
  const context: ParseContext = { object, path: [], issues };
  const action = readAction(context, PLAN_ACTIONS);
  const speak = readSpeak(context, action);
  const texts = { ...speak, ...optionalText(context, "reason") };
  const value = ownValue(object, "plan_steps");
  const absent = isPlaceholder(value) || (Array.isArray(value) && value.length === 0);
  if (action && action !== "plan_done" && !absent) {
    addIssue(context, ["plan_steps"], value, "plan_steps", `none with action ${action}`);
  }
  const plan_steps = action === "plan_done" ? readSteps(context, value) : [];
  const asked = action === "ask_user" ? readAsked(context) : {};
  const abort = action === "abort" ? readRequiredAbort(context) : undefined;
  const first = action === "plan_done" ? readFirstCall(context) : {};
  if (action && action !== "plan_done") refuseCall(context, action);
  if (issues[0]) return invalidDecision(issues[0]);
  const fields = { ...asked, ...(action === "plan_done" && { plan_steps }), ...first, ...(abort && { abort }) };
  return ok(PlanDecision.parse({ action, ...texts, ...fields }));
}

function readSpeak(context: ParseContext, action: PlanAction | undefined) {
  if (action === "ask_user") return spokenQuestion(context);
  return action === "answer" ? requiredText(context, "speak") : optionalText(context, "speak");
}

function readRequiredAbort(context: ParseContext): Abort | undefined {
  const value = ownValue(context.object, "abort");
  if (isPlaceholder(value)) addIssue(context, ["abort"], value, "nothing", "an abort {user_message} with action abort");
  return readAbort(context);
}

function readFirstCall(context: ParseContext) {
  const tool_call = readToolCall(context);
  return tool_call ? { tool_call, ...optionalFlag(context, "finishes_step") } : {};
}

/** A call that is dropped in silence would look as if it had run. */
function refuseCall(context: ParseContext, action: PlanAction): void {
  const call = ownValue(context.object, "tool_call");
  if (!isPlaceholder(call))
    addIssue(
      context,
      ["tool_call"],
      call,
      "a tool_call",
      `none with action ${action}; a plan_done may have the first call`,
    );
}

function readSteps(context: ParseContext, value: unknown): PlanStepDraft[] {
  if (!Array.isArray(value) || value.length === 0) {
    const renamed = Array.isArray(ownValue(context.object, "steps")) ? '; the key "steps" is written plan_steps' : "";
    const found = Array.isArray(value) ? "an empty array" : describeValue(value);
    addIssue(context, ["plan_steps"], value, `${found}${renamed}`, STEPS_LEGAL);
    return [];
  }
  if (value.length > PLAN_STEPS_MAX) addIssue(context, ["plan_steps"], value, `${value.length} steps`, STEPS_LEGAL);
  return value.flatMap((step, index) => readStep(context, step, index) ?? []);
}

function readStep(context: ParseContext, step: unknown, index: number): PlanStepDraft | undefined {
  if (!isObject(step)) {
    addIssue(context, ["plan_steps", index], step, describeValue(step), "an object {content, done_when, needs}");
    return undefined;
  }
  const inner: ParseContext = { object: step, path: [...context.path, "plan_steps", index], issues: context.issues };
  const { content } = requiredText(inner, "content");
  const needs = isPlaceholder(ownValue(step, "needs")) ? undefined : enumValue(inner, "needs", NEEDS);
  const rest = { ...optionalText(inner, "done_when"), ...(needs && { needs }) };
  return content === undefined ? undefined : { content, ...rest };
}
