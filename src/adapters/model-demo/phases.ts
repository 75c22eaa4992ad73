// One function per phase of a workflow: what to do next, from the observations of this run.
import { type Act, ask, isAct, look, propose, seenInRun } from "./act.ts";
import { freePlace, freePlaces } from "./free-place.ts";
import { labelOf, type PhaseName } from "./speak.ts";
import { type DayFact, dayAt, daysIn, tasksIn } from "./tasks.ts";
import { isMovable, listTasks, withPair, withTargets, withTask } from "./who.ts";
import { type Scene, TOOL_OF } from "./workflow.ts";

const FINISH: Act = { do: "finish" };
const done = (found: Act | object): Act => (isAct(found) ? found : FINISH);

export const PHASES: Readonly<Record<PhaseName, (scene: Scene) => Act>> = {
  overview: (scene) => done(look(scene, TOOL_OF.overview, {}, scene.words.looking.overview)),
  measure: (scene) => done(look(scene, TOOL_OF.measure, {}, scene.words.looking.measure)),
  day: lookAtDay,
  tasks: findTasks,
  info: (scene) =>
    withTask(scene, ({ id }) => done(look(scene, TOOL_OF.info, { task_id: id }, scene.words.looking.info))),
  find: (scene) =>
    scene.wish.intent === "find" ? done(freePlaces(scene)) : withTask(scene, (task) => done(freePlace(scene, task))),
  move: moveOrPlace,
  place: moveOrPlace,
  swap: swapTasks,
  spread: spreadTasks,
  clear: clearTasks,
  undo: (scene) => propose(scene, TOOL_OF.undo, {}, scene.words.would.undo),
};

function lookAtDay(scene: Scene): Act {
  const { wish, words } = scene;
  const { day, week, weekday, from_today } = wish.where;
  if (day !== null) return done(look(scene, TOOL_OF.day, { day }, words.looking.day));
  const overview = look(scene, TOOL_OF.overview, {}, words.looking.overview);
  if (isAct(overview)) return overview;
  const all = daysIn(overview.text);
  if (weekday === null && from_today !== null) return lookAtDate(scene, all, from_today);
  const days = all.filter((one) => one.weekday === weekday && (week === null || one.week === week));
  const [only, ...more] = days;
  if (!only) return { do: "stop", message: words.no_such_day };
  if (more.length > 0) return ask(scene, words.which_week, days.slice(0, 4).map(words.day));
  return done(look(scene, TOOL_OF.day, { day: only.day }, words.looking.day));
}

/** A day counted from today, which only the tool time knows. */
function lookAtDate(scene: Scene, days: readonly DayFact[], from_today: number): Act {
  const { words } = scene;
  const told = look(scene, "time", from_today === 0 ? {} : { add: { days: from_today } }, words.looking.day);
  if (isAct(told)) return told;
  const found = dayAt(days, told.text);
  if (!found) return { do: "stop", message: words.no_such_day };
  return done(look(scene, TOOL_OF.day, { day: found.day }, words.looking.day));
}

/** The list is seen, and it is clear who is meant. */
function findTasks(scene: Scene): Act {
  switch (scene.wish.intent) {
    case "move":
    case "place":
    case "show_task":
      return withTask(scene, () => FINISH);
    case "swap":
      return withPair(scene, () => FINISH);
    case "clear":
      return withTargets(scene, () => FINISH);
    default:
      return done(listTasks(scene));
  }
}

function moveOrPlace(scene: Scene): Act {
  const { words, wish } = scene;
  return withTask(scene, (task) => {
    const to = freePlace(scene, task);
    if (isAct(to)) return to;
    if (wish.intent === "place") {
      const args = { task_id: task.id, day: to.day, slot_start: to.slot };
      return propose(scene, TOOL_OF.place, args, words.would.place(labelOf(task), words.place(to)));
    }
    const from = task.places.map(words.place).join(", ");
    const args = { task_id: task.id, new_day: to.day, new_slot_start: to.slot };
    return propose(scene, TOOL_OF.move, args, words.would.move(labelOf(task), from, words.place(to)));
  });
}

function swapTasks(scene: Scene): Act {
  return withPair(scene, (a, b) => {
    const speak = scene.words.would.swap(labelOf(a), labelOf(b));
    return propose(scene, TOOL_OF.swap, { task_a: a.id, task_b: b.id }, speak);
  });
}

function spreadTasks(scene: Scene): Act {
  const listed = listTasks(scene);
  if (isAct(listed)) return listed;
  const { week } = scene.wish.where;
  const movable = tasksIn(listed.text).filter(
    (task) => isMovable(task) && task.places.length === 1 && (week === null || task.places[0]?.week === week),
  );
  if (movable.length < 2) return { do: "stop", message: scene.words.nothing_there };
  const task_ids = movable.map((task) => task.id);
  const args = { task_ids, day_scope: "workday", ...(week === null ? {} : { week }) };
  return propose(scene, TOOL_OF.spread, args, scene.words.would.spread(task_ids.length));
}

/** One after another, each confirmed for itself; one that was rejected is left. */
function clearTasks(scene: Scene): Act {
  return withTargets(scene, (targets) => {
    const calls = seenInRun(scene).filter((seen) => seen.tool === TOOL_OF.clear);
    // A person may have edited whom it is about: counted is what was tried, whoever it was.
    const left = calls.length < targets.length ? targets : [];
    const next = left.find((task) => !calls.some((seen) => seen.arguments.task_id === task.id));
    const speak = next ? scene.words.would.clear(labelOf(next)) : "";
    if (next) return { do: "call", tool: TOOL_OF.clear, arguments: { task_id: next.id }, speak, writes: true };
    const last = targets.at(-1);
    return last ? propose(scene, TOOL_OF.clear, { task_id: last.id }, speak) : FINISH;
  });
}
