// Which steps a wish takes, and which of them the prompt is at. The plan itself says which wish it belongs to.
import type { Where } from "./places.ts";
import type { ReadPrompt } from "./read-prompt.ts";
import { type PhaseName, type Words, wordsIn } from "./speak.ts";
import { type Intent, intentsIn, languageOf, type Wish, wishOf } from "./understand.ts";

export type Scene = {
  readonly prompt: ReadPrompt;
  readonly wish: Wish;
  readonly words: Words;
  /** Empty: nothing to plan, an answer is enough. */
  readonly phases: readonly PhaseName[];
};

/** The tool by which a phase looks, or writes. */
export const TOOL_OF: Readonly<Record<PhaseName, string>> = {
  overview: "get_overview",
  day: "query_range",
  tasks: "list_tasks",
  info: "get_task_info",
  measure: "evaluate",
  find: "query_available_slots",
  move: "move",
  place: "place",
  swap: "swap",
  spread: "spread_even",
  clear: "unplace",
  undo: "undo_last_change",
};

const WRITES: readonly PhaseName[] = ["move", "place", "swap", "spread", "clear", "undo"];
export const isWrite = (phase: PhaseName): boolean => WRITES.includes(phase);
export const isWriteTool = (tool: string): boolean => WRITES.some((phase) => TOOL_OF[phase] === tool);

export function phasesOf(intent: Intent, where: Where): readonly PhaseName[] {
  switch (intent) {
    case "undo":
      return ["overview", "undo"];
    case "swap":
      return ["tasks", "swap"];
    case "spread":
      return ["tasks", "measure", "spread"];
    case "clear":
      return ["tasks", "clear"];
    case "move":
      return ["tasks", "find", "move"];
    case "place":
      return ["tasks", "find", "place"];
    case "evaluate":
      return ["measure"];
    case "find":
      return ["find"];
    case "show_tasks":
      return ["tasks"];
    case "show_task":
      return ["tasks", "info"];
    case "show":
      if (where.day !== null) return ["day"];
      return where.weekday === null && where.from_today === null ? ["overview"] : ["overview", "day"];
    default:
      return [];
  }
}

/** null: the stored plan belongs to no wish that the demo model understands. */
export function sceneOf(prompt: ReadPrompt): Scene | null {
  const words = wordsIn(languageOf(prompt.goal));
  const scenes = intentsIn(prompt).flatMap((intent) => scenesFor(prompt, words, intent));
  if (prompt.plan.length === 0) return scenes[0] ?? null;
  return scenes.find(({ phases }) => isPlanOf(prompt, words, phases)) ?? null;
}

/** What was said later may shorten the way of a new plan, but not that of a plan that is being worked on. */
function scenesFor(prompt: ReadPrompt, words: Words, intent: Intent): Scene[] {
  const wish = wishOf(prompt, intent);
  const wheres = prompt.plan_rejected ? [wish.where, wish.goal_where] : [wish.goal_where, wish.where];
  return wheres.map((where) => ({ prompt, wish, words, phases: phasesOf(intent, where) }));
}

const isPlanOf = ({ plan }: ReadPrompt, words: Words, phases: readonly PhaseName[]): boolean =>
  plan.length === phases.length && phases.every((phase, i) => words.steps[phase].content === plan[i]);
