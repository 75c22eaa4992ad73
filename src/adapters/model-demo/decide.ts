// The next decision from what the prompt shows: plan, look, ask, propose a write, finish, or give up honestly.
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import { type NextAction, rejectionReason } from "./next-action.ts";
import type { ParsedPrompt } from "./parse-prompt.ts";
import { isBareMisbehaviour, languageOf } from "./parse-request.ts";
import { PHASES } from "./phases.ts";
import { phrasesIn } from "./phrases.ts";
import { type DemoContext, demoContextOf, isWritePhase, TOOL_OF } from "./workflow.ts";

export function decidePlan(prompt: ParsedPrompt): PlanDecision {
  const context = demoContextOf(prompt);
  const words = context?.phrases ?? phrasesIn(languageOf(prompt.goal));
  const answer = (...parts: readonly string[]): PlanDecision => ({ action: "answer", speak: parts.join(" ") });
  if (!context) return answer(words.unknown, words.capabilities, words.about);
  const { request: wish, phases } = context;
  if (prompt.plan_rejected && !changesPlan(prompt, context)) return answer(words.left_unchanged, words.capabilities);
  if (wish.stopped || wish.intent === "stop") return answer(words.left_unchanged);
  if (wish.intent === "thanks") return answer(words.welcome);
  if (phases.length === 0 && isBareMisbehaviour(prompt.goal)) return answer(words.misbehave_usage);
  if (wish.intent === "greet") return answer(words.greeting, words.capabilities, words.about);
  if (wish.intent === "help") return answer(words.capabilities, words.about);
  if (phases.length === 0) return answer(words.unknown, words.capabilities, words.about);
  const missing = phases.map((phase) => TOOL_OF[phase]).find((tool) => !prompt.tools.has(tool));
  if (missing) return answer(words.missing_tool(missing));
  return {
    action: "plan_done",
    speak: words.plan(phases.map((phase) => words.steps[phase])),
    plan_steps: phases.map((phase) => ({
      ...words.steps[phase],
      needs: isWritePhase(phase) ? "write" : "observation",
    })),
  };
}

/** A rejection that says something new is worth another plan; any other one is a no. */
function changesPlan(prompt: ParsedPrompt, { request: wish, phases }: DemoContext): boolean {
  const newest = prompt.said.findLast(({ who }) => who === "user")?.text ?? "";
  return newest.startsWith("(rejected) ") && phases.length > 0 && wish.refined;
}

export function decideStep(prompt: ParsedPrompt): ExecuteDecision {
  const context = demoContextOf(prompt);
  if (!context) return giveUp(phrasesIn(languageOf(prompt.goal)).unknown_plan);
  const { phrases: words, phases, request: wish } = context;
  const wrote = prompt.receipts.some(({ kind }) => kind === "write");
  // A direct run has no plan in which a greeting could be answered: the delivery does.
  if (phases.length === 0) return { action: "done", goal_check: words.nothing_to_do };
  if (wish.stopped && !wrote)
    return giveUp(prompt.write_failed ? words.rejected(rejectionReason(prompt)) : words.left_unchanged);
  if (wish.stopped) return finish(context);
  const action = actionForPhase(context, prompt.planned ? prompt.step : 0);
  return decisionOf(context, action);
}

/** In a direct run one phase follows the other within the same step. */
function actionForPhase(context: DemoContext, i: number): NextAction {
  const { phases, prompt } = context;
  const phase = phases[i];
  if (!phase) return { kind: "finish" };
  const action = PHASES[phase](context);
  return action.kind === "finish" && !prompt.planned && i + 1 < phases.length ? actionForPhase(context, i + 1) : action;
}

function decisionOf(context: DemoContext, action: NextAction): ExecuteDecision {
  const { prompt, phrases: words } = context;
  switch (action.kind) {
    case "finish":
      return finish(context);
    case "stop":
      return giveUp(action.message);
    case "ask":
      return ask(prompt, action.question, action.choices);
    case "call":
      if (!prompt.tools.has(action.tool)) return giveUp(words.missing_tool(action.tool));
      return {
        action: action.writes ? "confirm" : "continue",
        speak: action.speak,
        tool_call: { name: action.tool, arguments: action.arguments },
      };
  }
}

function finish({ prompt, phrases: words }: DemoContext): ExecuteDecision {
  // After a rejected write a look proves nothing any more: what is left to say is that it was not done.
  const proven = prompt.receipts.some(({ kind }) => kind !== "observation");
  if (prompt.write_failed && !proven) return giveUp(words.rejected(rejectionReason(prompt)));
  const goal_check = words.check(prompt.receipts.at(-1)?.receipt ?? "-");
  return { action: prompt.step + 1 < prompt.steps ? "next_plan" : "done", goal_check };
}

const giveUp = (user_message: string): ExecuteDecision => ({ action: "abort", abort: { user_message } });

function ask(prompt: ParsedPrompt, question: string, choices: readonly string[]): ExecuteDecision {
  if (!prompt.tools.has("clarify")) {
    return { action: "ask_user", speak: choices.length > 0 ? `${question} ${choices.join(" / ")}` : question };
  }
  const options = choices.length > 0 ? { choices: choices.slice(0, 4) } : {};
  return {
    action: "continue",
    speak: question,
    tool_call: { name: "clarify", arguments: { question, ...options } },
  };
}
