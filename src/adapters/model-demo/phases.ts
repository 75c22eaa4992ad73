// The phases of a workflow, each a function that returns the next action based on the observations of this run.
import { ask, isNextAction, type NextAction, observationsInRun, observe, propose } from "./next-action.ts";
import type { PhaseName } from "./phrases.ts";
import { DAY_PARTS, isOneDay, type PlaceConstraint } from "./place-constraint.ts";
import { isMovable, listTasks, withPair, withTargets, withTask } from "./select-tasks.ts";
import { candidatesIn, dayForTime, daysIn, type ListedDay, type ListedTask, type Place, tasksIn } from "./tasks.ts";
import { type DemoContext, TOOL_OF } from "./workflow.ts";

const FINISH: NextAction = { kind: "finish" };
const actionOrFinish = (found: NextAction | object): NextAction => (isNextAction(found) ? found : FINISH);

export const PHASES: Readonly<Record<PhaseName, (scene: DemoContext) => NextAction>> = {
  overview: (context) => actionOrFinish(observe(context, TOOL_OF.overview, {}, context.phrases.lookups.overview)),
  measure: (context) => actionOrFinish(observe(context, TOOL_OF.measure, {}, context.phrases.lookups.measure)),
  day: showDay,
  tasks: findTasks,
  info: (context) =>
    withTask(context, ({ id }) =>
      actionOrFinish(observe(context, TOOL_OF.info, { task_id: id }, context.phrases.lookups.info)),
    ),
  find: (context) =>
    context.request.intent === "find"
      ? actionOrFinish(freePlaces(context))
      : withTask(context, (task) => actionOrFinish(freePlace(context, task))),
  move: moveOrPlace,
  place: moveOrPlace,
  swap: swapTasks,
  spread: spreadTasks,
  clear: clearTasks,
  undo: (context) => propose(context, TOOL_OF.undo, {}, context.phrases.proposals.undo),
};

function showDay(context: DemoContext): NextAction {
  const { request, phrases } = context;
  const { day, week, weekday, from_today } = request.where;
  if (day !== null) return actionOrFinish(observe(context, TOOL_OF.day, { day }, phrases.lookups.day));
  const overview = observe(context, TOOL_OF.overview, {}, phrases.lookups.overview);
  if (isNextAction(overview)) return overview;
  const all = daysIn(overview.text);
  if (weekday === null && from_today !== null) return showDate(context, all, from_today);
  const days = all.filter((one) => one.weekday === weekday && (week === null || one.week === week));
  const [only, ...more] = days;
  if (!only) return { kind: "stop", message: phrases.no_such_day };
  if (more.length > 0) return ask(context, phrases.which_week, days.slice(0, 4).map(phrases.day));
  return actionOrFinish(observe(context, TOOL_OF.day, { day: only.day }, phrases.lookups.day));
}

/** Only the tool "time" knows today's date. */
function showDate(context: DemoContext, days: readonly ListedDay[], from_today: number): NextAction {
  const { phrases } = context;
  const args = from_today === 0 ? {} : { add: { days: from_today } };
  const currentTime = observe(context, "time", args, phrases.lookups.day);
  if (isNextAction(currentTime)) return currentTime;
  const found = dayForTime(days, currentTime.text);
  if (!found) return { kind: "stop", message: phrases.no_such_day };
  return actionOrFinish(observe(context, TOOL_OF.day, { day: found.day }, phrases.lookups.day));
}

/** Finishes when the list was observed and the tasks are unambiguous. */
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
      return actionOrFinish(listTasks(context));
  }
}

function moveOrPlace(context: DemoContext): NextAction {
  const { phrases, request } = context;
  return withTask(context, (task) => {
    const to = freePlace(context, task);
    if (isNextAction(to)) return to;
    if (request.intent === "place") {
      const args = { task_id: task.id, day: to.day, slot_start: to.slot };
      return propose(context, TOOL_OF.place, args, phrases.proposals.place(task.name, phrases.place(to)));
    }
    const from = task.places.map(phrases.place).join(", ");
    const args = { task_id: task.id, new_day: to.day, new_slot_start: to.slot };
    return propose(context, TOOL_OF.move, args, phrases.proposals.move(task.name, from, phrases.place(to)));
  });
}

function swapTasks(context: DemoContext): NextAction {
  return withPair(context, (a, b) => {
    const speak = context.phrases.proposals.swap(a.name, b.name);
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

/** Each removal is confirmed separately, and rejected ones are skipped. */
function clearTasks(context: DemoContext): NextAction {
  return withTargets(context, (targets) => {
    const calls = observationsInRun(context).filter((observation) => observation.tool === TOOL_OF.clear);
    const { observations, write_failed } = context.prompt;
    // Removals that were refused before the latest list of tasks are not proposed again.
    const refused = write_failed ? observations.filter(({ tool, ok }) => tool === TOOL_OF.clear && !ok) : [];
    // The user may have edited a call to name another task, so attempts are counted instead of tasks.
    const left = calls.length < targets.length ? targets : [];
    const next = left.find((task) => ![...calls, ...refused].some((call) => call.arguments.task_id === task.id));
    const speak = next ? context.phrases.proposals.clear(next.name) : "";
    if (next) return { kind: "call", tool: TOOL_OF.clear, arguments: { task_id: next.id }, speak, writes: true };
    const last = targets.at(-1);
    return last ? propose(context, TOOL_OF.clear, { task_id: last.id }, speak) : FINISH;
  });
}

const DEFAULT_SLOTS = 2;
const CHOICES_MAX = 4;

/**
 * Finds a free place. Asks the calendar for candidates that meet the user's constraints, and asks the user if several
 * remain.
 */
function freePlace(context: DemoContext, task: ListedTask): NextAction | Place {
  const { request, phrases } = context;
  const found = candidates(context, request.where, task.duration);
  if (isNextAction(found)) return found;
  const [best] = found.places;
  if (!best) return suggestAlternatives(context, task.duration);
  if (isOneDay(request.where) || request.where.anywhere) return best;
  return ask(context, phrases.where_to(task.name), choices(context, found.places));
}

/** For a user who asks for the list of free places. */
const freePlaces = (context: DemoContext): NextAction | Places =>
  candidates(context, context.request.where, context.request.duration ?? DEFAULT_SLOTS);

type Places = { readonly places: readonly Place[] };

function candidates(context: DemoContext, where: PlaceConstraint, slots: number): NextAction | Places {
  const observation = observe(context, "query_available_slots", queryFor(where, slots), context.phrases.lookups.find);
  return isNextAction(observation) ? observation : { places: candidatesIn(observation.text) };
}

/** Offers other times of the same day. */
function suggestAlternatives(context: DemoContext, slots: number): NextAction {
  const { request, phrases } = context;
  const none: NextAction = { kind: "stop", message: phrases.no_room };
  if (request.where.slot === null && request.where.part === null) return none;
  const alternatives = candidates(context, { ...request.where, slot: null, part: null }, slots);
  if (isNextAction(alternatives)) return alternatives;
  const { places } = alternatives;
  return places.length > 0 ? ask(context, phrases.place_taken, choices(context, places)) : none;
}

/** Prefers different days, because four places on the same morning are not a real choice. */
function choices({ phrases }: DemoContext, places: readonly Place[]): string[] {
  const firstPerDay = places.filter((place, i) => places.findIndex((one) => one.day === place.day) === i);
  return [...firstPerDay, ...places.filter((place) => !firstPerDay.includes(place))]
    .slice(0, CHOICES_MAX)
    .map(phrases.place);
}

function queryFor(where: PlaceConstraint, slots: number): Record<string, unknown> {
  const { day, week, weekday, slot, part, earliest } = where;
  const range = slot !== null ? [slot, Math.min(12, slot + slots - 1)] : part !== null ? DAY_PARTS[part] : null;
  return {
    duration: slots,
    ...(day === null ? {} : { day }),
    ...(day !== null || week === null ? {} : { week }),
    ...(day !== null || weekday === null ? {} : { day_of_week: [weekday] }),
    ...(day !== null || weekday !== null ? {} : { day_scope: "workday" }),
    ...(range === null ? {} : { slot_start: range[0], slot_end: range[1] }),
    order: earliest ? "earliest" : "lightest",
    limit: isOneDay(where) ? 6 : 24,
    allow_embed: false,
  };
}
