// One function per phase of a workflow: what to do next, from the observations of this run.

import { freePlace, freePlaces } from "./free-place.ts";
import { ask, isNextAction, type NextAction, observationsInRun, observe, propose } from "./next-action.ts";
import { labelOf, type PhaseName } from "./phrases.ts";
import { isMovable, listTasks, withPair, withTargets, withTask } from "./select-tasks.ts";
import { dayForTime, daysIn, type ListedDay, tasksIn } from "./tasks.ts";
import { type DemoContext, TOOL_OF } from "./workflow.ts";

const FINISH: NextAction = { kind: "finish" };
const finishUnlessAction = (found: NextAction | object): NextAction => (isNextAction(found) ? found : FINISH);

export const PHASES: Readonly<Record<PhaseName, (scene: DemoContext) => NextAction>> = {
  overview: (context) => finishUnlessAction(observe(context, TOOL_OF.overview, {}, context.phrases.lookups.overview)),
  measure: (context) => finishUnlessAction(observe(context, TOOL_OF.measure, {}, context.phrases.lookups.measure)),
  day: showDay,
  tasks: findTasks,
  info: (context) =>
    withTask(context, ({ id }) =>
      finishUnlessAction(observe(context, TOOL_OF.info, { task_id: id }, context.phrases.lookups.info)),
    ),
  find: (context) =>
    context.request.intent === "find"
      ? finishUnlessAction(freePlaces(context))
      : withTask(context, (task) => finishUnlessAction(freePlace(context, task))),
  move: moveOrPlace,
  place: moveOrPlace,
  swap: swapTasks,
  spread: spreadTasks,
  clear: clearTasks,
  undo: (context) => propose(context, TOOL_OF.undo, {}, context.phrases.proposals.undo),
};

function showDay(context: DemoContext): NextAction {
  const { request: wish, phrases: words } = context;
  const { day, week, weekday, from_today } = wish.where;
  if (day !== null) return finishUnlessAction(observe(context, TOOL_OF.day, { day }, words.lookups.day));
  const overview = observe(context, TOOL_OF.overview, {}, words.lookups.overview);
  if (isNextAction(overview)) return overview;
  const all = daysIn(overview.text);
  if (weekday === null && from_today !== null) return showDate(context, all, from_today);
  const days = all.filter((one) => one.weekday === weekday && (week === null || one.week === week));
  const [only, ...more] = days;
  if (!only) return { kind: "stop", message: words.no_such_day };
  if (more.length > 0) return ask(context, words.which_week, days.slice(0, 4).map(words.day));
  return finishUnlessAction(observe(context, TOOL_OF.day, { day: only.day }, words.lookups.day));
}

/** A day counted from today, which only the tool time knows. */
function showDate(context: DemoContext, days: readonly ListedDay[], from_today: number): NextAction {
  const { phrases: words } = context;
  const currentTime = observe(
    context,
    "time",
    from_today === 0 ? {} : { add: { days: from_today } },
    words.lookups.day,
  );
  if (isNextAction(currentTime)) return currentTime;
  const found = dayForTime(days, currentTime.text);
  if (!found) return { kind: "stop", message: words.no_such_day };
  return finishUnlessAction(observe(context, TOOL_OF.day, { day: found.day }, words.lookups.day));
}

/** The list is seen, and it is clear who is meant. */
function findTasks(context: DemoContext): NextAction {
  switch (context.request.intent) {
    case "move":
    case "place":
    case "show_task":
      return withTask(context, () => FINISH);
    case "swap":
      return withPair(context, () => FINISH);
    case "clear":
      return withTargets(context, () => FINISH);
    default:
      return finishUnlessAction(listTasks(context));
  }
}

function moveOrPlace(context: DemoContext): NextAction {
  const { phrases: words, request: wish } = context;
  return withTask(context, (task) => {
    const to = freePlace(context, task);
    if (isNextAction(to)) return to;
    if (wish.intent === "place") {
      const args = { task_id: task.id, day: to.day, slot_start: to.slot };
      return propose(context, TOOL_OF.place, args, words.proposals.place(labelOf(task), words.place(to)));
    }
    const from = task.places.map(words.place).join(", ");
    const args = { task_id: task.id, new_day: to.day, new_slot_start: to.slot };
    return propose(context, TOOL_OF.move, args, words.proposals.move(labelOf(task), from, words.place(to)));
  });
}

function swapTasks(context: DemoContext): NextAction {
  return withPair(context, (a, b) => {
    const speak = context.phrases.proposals.swap(labelOf(a), labelOf(b));
    return propose(context, TOOL_OF.swap, { task_a: a.id, task_b: b.id }, speak);
  });
}

function spreadTasks(context: DemoContext): NextAction {
  const listed = listTasks(context);
  if (isNextAction(listed)) return listed;
  const { week } = context.request.where;
  const movable = tasksIn(listed.text).filter(
    (task) => isMovable(task) && task.places.length === 1 && (week === null || task.places[0]?.week === week),
  );
  if (movable.length < 2) return { kind: "stop", message: context.phrases.nothing_to_change };
  const task_ids = movable.map((task) => task.id);
  const args = { task_ids, day_scope: "workday", ...(week === null ? {} : { week }) };
  return propose(context, TOOL_OF.spread, args, context.phrases.proposals.spread(task_ids.length));
}

/** One after another, each confirmed for itself; one that was rejected is left. */
function clearTasks(context: DemoContext): NextAction {
  return withTargets(context, (targets) => {
    const calls = observationsInRun(context).filter((observation) => observation.tool === TOOL_OF.clear);
    // A person may have edited whom it is about: counted is what was tried, whoever it was.
    const left = calls.length < targets.length ? targets : [];
    const next = left.find((task) => !calls.some((observation) => observation.arguments.task_id === task.id));
    const speak = next ? context.phrases.proposals.clear(labelOf(next)) : "";
    if (next) return { kind: "call", tool: TOOL_OF.clear, arguments: { task_id: next.id }, speak, writes: true };
    const last = targets.at(-1);
    return last ? propose(context, TOOL_OF.clear, { task_id: last.id }, speak) : FINISH;
  });
}
