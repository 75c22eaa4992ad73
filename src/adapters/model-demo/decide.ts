// Chooses the next decision from the prompt: plan, observe, ask, propose a write, finish, or stop with an explanation.
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import { CHOICES_MAX } from "../../schema/decision/questions.ts";
import { writeDelivery } from "./deliver.ts";
import { type NextAction, rejectionReason } from "./next-action.ts";
import type { ParsedPrompt } from "./parse-prompt.ts";
import { isBareMisbehavior, languageOf } from "./parse-request.ts";
import { PHASES } from "./phases.ts";
import { type PhaseName, phrasesIn } from "./phrases.ts";
import { type DemoContext, demoContextOf, isWritePhase, TOOL_OF } from "./workflow.ts";

export function decidePlan(prompt: ParsedPrompt): PlanDecision {
  const context = demoContextOf(prompt);
  const phrases = context?.phrases ?? phrasesIn(languageOf(prompt.goal));
  const answer = (...parts: readonly string[]): PlanDecision => ({ action: "answer", speak: parts.join(" ") });
  if (!context) return refuse(phrases.unknown, phrases.capabilities, phrases.about);
  const { request, phases } = context;
  if (prompt.plan_rejected && !changesPlan(prompt, context))
    return answer(phrases.left_unchanged, phrases.capabilities);
  if (request.stopped || request.intent === "stop") return answer(phrases.left_unchanged);
  if (request.intent === "thanks") return answer(phrases.welcome);
  if (phases.length === 0 && isBareMisbehavior(prompt.goal)) return answer(phrases.misbehave_usage);
  if (request.intent === "greet") return answer(phrases.greeting, phrases.capabilities, phrases.about);
  if (request.intent === "help") return answer(phrases.capabilities, phrases.about);
  if (phases.length === 0) return refuse(phrases.unknown, phrases.capabilities, phrases.about);
  const missing = phases.map((phase) => TOOL_OF[phase]).find((tool) => !prompt.tools.has(tool));
  if (missing) return refuse(phrases.missing_tool(missing));
  return {
    action: "plan_done",
    speak: phrases.plan,
    plan_steps: phases.map((phase) => ({
      ...phrases.steps[phase],
      needs: isWritePhase(phase) ? "write" : "observation",
    })),
    ...firstCall(context),
  };
}

export type FirstCall = Pick<Extract<PlanDecision, { action: "plan_done" }>, "tool_call" | "finishes_step">;

/** The first read of the plan fits in the same reply. */
function firstCall(context: DemoContext): FirstCall {
  const [phase] = context.phases;
  const action = phase && !isWritePhase(phase) ? PHASES[phase](context) : null;
  if (!phase || action?.kind !== "call" || !context.prompt.tools.has(action.tool)) return {};
  return { tool_call: { name: action.tool, arguments: action.arguments }, ...finishing(phase, action.tool) };
}

const finishing = (phase: PhaseName | undefined, tool: string): { finishes_step?: true } =>
  phase && isOnlyCall(phase, tool) ? { finishes_step: true } : {};

/** A rejection with new information leads to a new plan. Any other rejection is final. */
function changesPlan(prompt: ParsedPrompt, { request, phases }: DemoContext): boolean {
  const newest = prompt.dialogue.findLast(({ role }) => role === "user")?.text ?? "";
  return newest.startsWith("(rejected) ") && phases.length > 0 && request.refined;
}

export function decideStep(prompt: ParsedPrompt): ExecuteDecision {
  const context = demoContextOf(prompt);
  if (!context) return giveUp(phrasesIn(languageOf(prompt.goal)).unknown_plan);
  const { phrases, phases, request } = context;
  const wrote = prompt.receipts.some(({ kind }) => kind === "write");
  // A direct run has no plan step that could answer a greeting, so the delivery answers it.
  if (phases.length === 0)
    return { action: "done", goal_check: phrases.nothing_to_do, delivery: writeDelivery(prompt) };
  if (request.stopped && !wrote)
    return giveUp(prompt.write_failed ? phrases.rejected(rejectionReason(prompt)) : phrases.left_unchanged);
  if (request.stopped) return finish(context);
  const action = actionForPhase(context, prompt.planned ? prompt.step : 0);
  // A direct run is one step with all phases, so the last phase finishes it.
  return decisionOf(context, action, prompt.planned ? phases[prompt.step] : phases.at(-1));
}

/** In a direct run, all phases happen within the same step. */
function actionForPhase(context: DemoContext, i: number): NextAction {
  const { phases, prompt } = context;
  const phase = phases[i];
  if (!phase) return { kind: "finish" };
  const action = PHASES[phase](context);
  return action.kind === "finish" && !prompt.planned && i + 1 < phases.length ? actionForPhase(context, i + 1) : action;
}

/** `phase` is the phase that finishes the current step. */
function decisionOf(context: DemoContext, action: NextAction, phase: PhaseName | undefined): ExecuteDecision {
  const { prompt, phrases } = context;
  switch (action.kind) {
    case "finish":
      return finish(context);
    case "stop":
      return giveUp(action.message);
    case "ask":
      return ask(action.question, action.choices);
    case "call":
      if (!prompt.tools.has(action.tool)) return giveUp(phrases.missing_tool(action.tool));
      return {
        action: action.writes ? "confirm" : "continue",
        speak: action.speak,
        tool_call: { name: action.tool, arguments: action.arguments },
        ...finishing(phase, action.tool),
      };
  }
}

/** Clearing needs a call for each task. If a read leaves a question open, the next phase asks it. */
const isOnlyCall = (phase: PhaseName, tool: string): boolean => phase !== "clear" && TOOL_OF[phase] === tool;

function finish({ prompt, phrases }: DemoContext): ExecuteDecision {
  // Observations alone do not prove a rejected write, so the run ends with the reason of the rejection.
  const proven = prompt.receipts.some(({ kind }) => kind !== "observation");
  if (prompt.write_failed && !proven) return giveUp(phrases.rejected(rejectionReason(prompt)));
  const goal_check = phrases.check(prompt.receipts.at(-1)?.receipt ?? "-");
  if (prompt.step + 1 < prompt.steps) return { action: "next_plan", goal_check };
  // If calls are folded, a separate reply writes the delivery. The prompt of a step lists only its own receipts, so
  // writes among the folded calls could not be counted here.
  return { action: "done", goal_check, ...(prompt.folded.length === 0 && { delivery: writeDelivery(prompt) }) };
}

const giveUp = (user_message: string) => ({ action: "abort" as const, abort: { user_message } });

/** The run ends as aborted, because the request is not supported. */
const refuse = (...parts: readonly string[]) => giveUp(parts.join(" "));

const ask = (question: string, choices: readonly string[]): ExecuteDecision => ({
  action: "ask_user",
  speak: question,
  ...(choices.length > 0 ? { choices: choices.slice(0, CHOICES_MAX) } : {}),
});
