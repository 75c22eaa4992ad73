// Selects the tasks that the user means: one, a pair, or all of a day. Asks if the text is ambiguous, and explains if
// no task matches.
import { ask, isNextAction, type NextAction, observe } from "./next-action.ts";
import type { Observation } from "./parse-prompt.ts";
import { statusIn } from "./parse-request.ts";
import { labelOf } from "./phrases.ts";
import { type ListedTask, type Match, matchTask, resolveTask, tasksIn } from "./tasks.ts";
import type { DemoContext } from "./workflow.ts";

/**
 * Includes fixed tasks, so that a refusal can name one. A list that the user asked for may be limited to one status.
 */
export function listTasks(context: DemoContext): NextAction | Observation {
  const { request, phrases } = context;
  const status = request.intent === "show_tasks" ? statusIn(request.task_texts[0] ?? "") : null;
  return observe(context, "list_tasks", status ? { status } : {}, phrases.lookups.tasks);
}

export const isMovable = (task: ListedTask): boolean => task.status === "suggested" && !task.fixed;

const fitsRequest = ({ request }: DemoContext, task: ListedTask): boolean => {
  if (request.intent === "show_task") return true;
  return request.intent === "place" ? task.status === "pending" : isMovable(task);
};

/** Asks the user if the task is ambiguous, or explains why there is none. */
export function withTask(context: DemoContext, next: (task: ListedTask) => NextAction): NextAction {
  const listed = listTasks(context);
  if (isNextAction(listed)) return listed;
  const tasks = tasksIn(listed.text);
  const match = resolveTask(context.request.task_texts, tasks, (task) => fitsRequest(context, task));
  return resolveMatch(context, match.kind === "none" ? lastChangedTask(context, tasks) : match, tasks, next);
}

/** "It" is the task of the newest write anywhere in the thread. */
function lastChangedTask({ prompt, request }: DemoContext, tasks: readonly ListedTask[]): Match {
  const saysIt = /\b(?:it|that|this)\b|它|这个|那个/i.test(request.task_texts[0] ?? "");
  const lastWrite = prompt.observations.findLast(({ ok, tool }) => ok && ["move", "place", "unplace"].includes(tool));
  const task = tasks.find((one) => one.id === lastWrite?.arguments.task_id);
  return saysIt && task ? { kind: "one", task, hits: 1 } : { kind: "none" };
}

function resolveMatch(
  context: DemoContext,
  match: Match,
  tasks: readonly ListedTask[],
  next: (task: ListedTask) => NextAction,
): NextAction {
  const { phrases } = context;
  const fits = (task: ListedTask) => fitsRequest(context, task);
  switch (match.kind) {
    case "none":
      return ask(context, phrases.no_task, tasks.filter(fits).slice(0, 4).map(labelOf));
    case "several": {
      const choices = match.tasks.filter(fits);
      const [first] = match.tasks;
      if (choices.length === 0 && first) return { kind: "stop", message: refusalMessage(context, first) };
      return ask(context, phrases.which_task, choices.slice(0, 4).map(labelOf));
    }
    case "one":
      return fits(match.task) ? next(match.task) : { kind: "stop", message: refusalMessage(context, match.task) };
  }
}

function refusalMessage({ phrases }: DemoContext, task: ListedTask): string {
  if (task.fixed) return phrases.fixed(labelOf(task));
  return task.status === "pending" ? phrases.still_pending(labelOf(task)) : phrases.has_place(labelOf(task));
}

const PAIR_SEPARATOR = /\b(?:and|with|for)\b|&|和|与|跟|同/i;

/** Looks for one task on each side of "and". If one is ambiguous, the user's later answers decide. */
export function withPair(context: DemoContext, next: (a: ListedTask, b: ListedTask) => NextAction): NextAction {
  const listed = listTasks(context);
  if (isNextAction(listed)) return listed;
  const tasks = tasksIn(listed.text);
  const [goal = "", ...answers] = context.request.task_texts;
  const [left = "", right = ""] = goal.split(PAIR_SEPARATOR);
  const matchSide = (text: string, among: readonly ListedTask[]): Match => {
    const match = resolveTask([text], among, isMovable);
    if (match.kind === "one") return match;
    const unclear = match.kind === "several" ? match.tasks : among;
    return answers.map((answer) => matchTask(answer, unclear)).findLast((one) => one.kind === "one") ?? match;
  };
  return resolveMatch(context, matchSide(left, tasks), tasks, (a) => {
    const others = tasks.filter((task) => task !== a);
    return resolveMatch(context, matchSide(right, others), others, (b) => next(a, b));
  });
}

const ALL = /\b(?:all|everything|every task)\b|所有|全部|一切/i;

/** The targets are one named task, or all movable tasks of a day, a week or the whole calendar. */
export function withTargets(context: DemoContext, next: (targets: readonly ListedTask[]) => NextAction): NextAction {
  const listed = listTasks(context);
  if (isNextAction(listed)) return listed;
  const tasks = tasksIn(listed.text);
  const { day, week, weekday } = context.request.where;
  const isNamed = resolveTask(context.request.task_texts, tasks, isMovable).kind !== "none";
  const saysWhen = day !== null || week !== null || weekday !== null;
  const saysAll = ALL.test(context.request.task_texts[0] ?? "");
  if (isNamed || !(saysWhen || saysAll)) return withTask(context, (task) => next([task]));
  const isInRange = (place: ListedTask["places"][number]): boolean =>
    (day === null || place.day === day) &&
    (week === null || place.week === week) &&
    (weekday === null || place.weekday === weekday);
  const targets = tasks.filter((task) => isMovable(task) && task.places.some(isInRange));
  return targets.length > 0 ? next(targets) : { kind: "stop", message: context.phrases.nothing_to_change };
}
