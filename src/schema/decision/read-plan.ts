// The rules of a plan decision: steps come with plan_done and only with it. What a step leaves out is filled when stored.

import { NEEDS, PLAN_STEPS_MAX, type PlanStepDraft } from "../plan.ts";
import { ok, type Result } from "../problem.ts";
import { PLAN_ACTIONS, PlanDecision } from "./decision.ts";
import {
  isObject,
  isPlaceholder,
  type JsonObject,
  kindOf,
  own,
  report,
  requiredText,
  type Source,
  text,
  word,
} from "./fields.ts";
import { type Flaw, refuse } from "./flaw.ts";

const STEPS_LEGAL = `an array of 1 to ${PLAN_STEPS_MAX} steps {content, done_when, needs}`;

export function readPlanDecision(object: JsonObject): Result<PlanDecision> {
  const flaws: Flaw[] = [];
  const source: Source = { object, path: [], flaws };
  const action = word(source, "action", PLAN_ACTIONS);
  const speak = action === "answer" ? requiredText(source, "speak") : text(source, "speak");
  const said = { ...speak, ...text(source, "reason") };
  const value = own(object, "plan_steps");
  const absent = isPlaceholder(value) || (Array.isArray(value) && value.length === 0);
  if (action && action !== "plan_done" && !absent) {
    report(source, ["plan_steps"], value, "plan_steps", `none with action ${action}`);
  }
  const plan_steps = action === "plan_done" ? readSteps(source, value) : [];
  if (flaws[0]) return refuse(flaws[0]);
  return ok(PlanDecision.parse({ action, ...said, ...(action === "plan_done" && { plan_steps }) }));
}

function readSteps(source: Source, value: unknown): PlanStepDraft[] {
  if (!Array.isArray(value) || value.length === 0) {
    report(source, ["plan_steps"], value, Array.isArray(value) ? "an empty array" : kindOf(value), STEPS_LEGAL);
    return [];
  }
  if (value.length > PLAN_STEPS_MAX) report(source, ["plan_steps"], value, `${value.length} steps`, STEPS_LEGAL);
  return value.flatMap((step, index) => readStep(source, step, index) ?? []);
}

function readStep(source: Source, step: unknown, index: number): PlanStepDraft | undefined {
  if (!isObject(step)) {
    report(source, ["plan_steps", index], step, kindOf(step), "an object {content, done_when, needs}");
    return undefined;
  }
  const inner: Source = { object: step, path: [...source.path, "plan_steps", index], flaws: source.flaws };
  const { content } = requiredText(inner, "content");
  const needs = isPlaceholder(own(step, "needs")) ? undefined : word(inner, "needs", NEEDS);
  const rest = { ...text(inner, "done_when"), ...(needs && { needs }) };
  return content === undefined ? undefined : { content, ...rest };
}
