// The next decision from what the prompt shows: plan, look, ask, propose a write, finish, or give up honestly.
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import { type Act, reasonIn } from "./act.ts";
import { PHASES } from "./phases.ts";
import type { ReadPrompt } from "./read-prompt.ts";
import { wordsIn } from "./speak.ts";
import { isBareMisbehaviour, languageOf } from "./understand.ts";
import { isWrite, type Scene, sceneOf, TOOL_OF } from "./workflow.ts";

export function decidePlan(prompt: ReadPrompt): PlanDecision {
  const scene = sceneOf(prompt);
  const words = scene?.words ?? wordsIn(languageOf(prompt.goal));
  const answer = (...said: readonly string[]): PlanDecision => ({ action: "answer", speak: said.join(" ") });
  if (!scene) return answer(words.unknown, words.can, words.about);
  const { wish, phases } = scene;
  if (prompt.plan_rejected && !changesThePlan(prompt, scene)) return answer(words.left, words.can);
  if (wish.stopped || wish.intent === "stop") return answer(words.left);
  if (wish.intent === "thanks") return answer(words.welcome);
  if (phases.length === 0 && isBareMisbehaviour(prompt.goal)) return answer(words.misbehaving);
  if (wish.intent === "greet") return answer(words.greeting, words.can, words.about);
  if (wish.intent === "help") return answer(words.can, words.about);
  if (phases.length === 0) return answer(words.unknown, words.can, words.about);
  const missing = phases.map((phase) => TOOL_OF[phase]).find((tool) => !prompt.tools.has(tool));
  if (missing) return answer(words.missing_tool(missing));
  return {
    action: "plan_done",
    speak: words.plan(phases.map((phase) => words.steps[phase])),
    plan_steps: phases.map((phase) => ({ ...words.steps[phase], needs: isWrite(phase) ? "write" : "observation" })),
  };
}

/** A rejection that says something new is worth another plan; any other one is a no. */
function changesThePlan(prompt: ReadPrompt, { wish, phases }: Scene): boolean {
  const newest = prompt.said.findLast(({ who }) => who === "user")?.text ?? "";
  return newest.startsWith("(rejected) ") && phases.length > 0 && wish.refined;
}

export function decideStep(prompt: ReadPrompt): ExecuteDecision {
  const scene = sceneOf(prompt);
  if (!scene) return giveUp(wordsIn(languageOf(prompt.goal)).not_mine);
  const { words, phases, wish } = scene;
  const wrote = prompt.held.some(({ kind }) => kind === "write");
  // A direct run has no plan in which a greeting could be answered: the delivery does.
  if (phases.length === 0) return { action: "done", goal_check: words.nothing_to_do };
  if (wish.stopped && !wrote) return giveUp(prompt.write_failed ? words.rejected(reasonIn(prompt)) : words.left);
  if (wish.stopped) return finish(scene);
  const act = actAt(scene, prompt.planned ? prompt.step : 0);
  return decisionOf(scene, act);
}

/** In a direct run one phase follows the other within the same step. */
function actAt(scene: Scene, i: number): Act {
  const { phases, prompt } = scene;
  const phase = phases[i];
  if (!phase) return { do: "finish" };
  const act = PHASES[phase](scene);
  return act.do === "finish" && !prompt.planned && i + 1 < phases.length ? actAt(scene, i + 1) : act;
}

function decisionOf(scene: Scene, act: Act): ExecuteDecision {
  const { prompt, words } = scene;
  switch (act.do) {
    case "finish":
      return finish(scene);
    case "stop":
      return giveUp(act.message);
    case "ask":
      return ask(prompt, act.question, act.choices);
    case "call":
      if (!prompt.tools.has(act.tool)) return giveUp(words.missing_tool(act.tool));
      return {
        action: act.writes ? "confirm" : "continue",
        speak: act.speak,
        tool_call: { name: act.tool, arguments: act.arguments },
      };
  }
}

function finish({ prompt, words }: Scene): ExecuteDecision {
  // After a rejected write a look proves nothing any more: what is left to say is that it was not done.
  const proven = prompt.held.some(({ kind }) => kind !== "observation");
  if (prompt.write_failed && !proven) return giveUp(words.rejected(reasonIn(prompt)));
  const goal_check = words.check(prompt.held.at(-1)?.receipt ?? "-");
  return { action: prompt.step + 1 < prompt.steps ? "next_plan" : "done", goal_check };
}

const giveUp = (user_message: string): ExecuteDecision => ({ action: "abort", abort: { user_message } });

function ask(prompt: ReadPrompt, question: string, choices: readonly string[]): ExecuteDecision {
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
