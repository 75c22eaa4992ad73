// Maps a request to its phases and finds the current phase. A stored plan identifies the request that it was created for.
import type { ParsedPrompt } from "./parse-prompt.ts";
import { type Intent, intentsIn, languageOf, parseRequest, type UserRequest } from "./parse-request.ts";
import { type PhaseName, type Phrases, phrasesIn } from "./phrases.ts";
import type { PlaceConstraint } from "./place-constraint.ts";

export type DemoContext = {
  readonly prompt: ParsedPrompt;
  readonly request: UserRequest;
  readonly phrases: Phrases;
  /** Empty if an answer is enough and nothing needs a plan. */
  readonly phases: readonly PhaseName[];
};

/** The tool with which a phase reads or writes. */
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

const WRITE_PHASES: readonly PhaseName[] = ["move", "place", "swap", "spread", "clear", "undo"];
export const isWritePhase = (phase: PhaseName): boolean => WRITE_PHASES.includes(phase);
export const isWriteTool = (tool: string): boolean => WRITE_PHASES.some((phase) => TOOL_OF[phase] === tool);

const PHASES_OF: Readonly<Partial<Record<Intent, readonly PhaseName[]>>> = {
  undo: ["overview", "undo"],
  swap: ["tasks", "swap"],
  spread: ["tasks", "measure", "spread"],
  clear: ["tasks", "clear"],
  move: ["tasks", "find", "move"],
  place: ["tasks", "find", "place"],
  evaluate: ["measure"],
  find: ["find"],
  show_tasks: ["tasks"],
  show_task: ["tasks", "info"],
};

export function phasesOf(intent: Intent, where: PlaceConstraint): readonly PhaseName[] {
  if (intent !== "show") return PHASES_OF[intent] ?? [];
  if (where.day !== null) return ["day"];
  return where.weekday === null && where.from_today === null ? ["overview"] : ["overview", "day"];
}

/** Null if the stored plan matches no request that the demo model understands. */
export function demoContextOf(prompt: ParsedPrompt): DemoContext | null {
  const phrases = phrasesIn(languageOf(prompt.goal));
  const contexts = intentsIn(prompt).flatMap((intent) => contextsFor(prompt, phrases, intent));
  if (prompt.plan.length === 0) return contexts[0] ?? null;
  return contexts.find(({ phases }) => isPlanOf(prompt, phrases, phases)) ?? null;
}

/** The preferred context comes first. Phases follow later messages only after the user rejected the last plan. */
function contextsFor(prompt: ParsedPrompt, phrases: Phrases, intent: Intent): DemoContext[] {
  const request = parseRequest(prompt, intent);
  const constraints = prompt.plan_rejected ? [request.where, request.goal_where] : [request.goal_where, request.where];
  return constraints.map((where) => ({ prompt, request, phrases, phases: phasesOf(intent, where) }));
}

const isPlanOf = ({ plan }: ParsedPrompt, phrases: Phrases, phases: readonly PhaseName[]): boolean =>
  plan.length === phases.length && phases.every((phase, i) => phrases.steps[phase].content === plan[i]);
