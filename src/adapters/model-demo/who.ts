// Which tasks are meant: one, a pair, or all of a day. Asks where the words leave a choice, says why not where none fits.
import { type Act, ask, isAct, look } from "./act.ts";
import type { Seen } from "./read-prompt.ts";
import { labelOf } from "./speak.ts";
import { type Match, matchTask, meantTask, type TaskFact, tasksIn } from "./tasks.ts";
import { statusIn } from "./understand.ts";
import type { Scene } from "./workflow.ts";

/** Every task there is, since a refusal has to know the fixed ones too; a list that was asked for may be narrower. */
export function listTasks(scene: Scene): Act | Seen {
  const { wish, words } = scene;
  const status = wish.intent === "show_tasks" ? statusIn(wish.words[0] ?? "") : null;
  return look(scene, "list_tasks", status ? { status } : {}, words.looking.tasks);
}

export const isMovable = (task: TaskFact): boolean => task.status === "suggested" && !task.fixed;

const fitsWish = ({ wish }: Scene, task: TaskFact): boolean => {
  if (wish.intent === "show_task") return true;
  return wish.intent === "place" ? task.status === "pending" : isMovable(task);
};

/** Goes on with the task that is meant; else asks, or says why not. */
export function withTask(scene: Scene, goOn: (task: TaskFact) => Act): Act {
  const listed = listTasks(scene);
  if (isAct(listed)) return listed;
  const tasks = tasksIn(listed.text);
  const meant = meantTask(scene.wish.words, tasks, (task) => fitsWish(scene, task));
  return settle(scene, meant.kind === "none" ? lastTouched(scene, tasks) : meant, tasks, goOn);
}

/** "it" is the task of the newest write, wherever in the thread that was. */
function lastTouched({ prompt, wish }: Scene, tasks: readonly TaskFact[]): Match {
  const saysIt = /\b(?:it|that|this)\b|它|这个|那个/i.test(wish.words[0] ?? "");
  const touched = prompt.seen.findLast(({ ok, tool }) => ok && ["move", "place", "unplace"].includes(tool));
  const task = tasks.find((one) => one.id === touched?.arguments.task_id);
  return saysIt && task ? { kind: "one", task, hits: 1 } : { kind: "none" };
}

function settle(scene: Scene, match: Match, tasks: readonly TaskFact[], goOn: (task: TaskFact) => Act): Act {
  const { words } = scene;
  const fits = (task: TaskFact) => fitsWish(scene, task);
  switch (match.kind) {
    case "none":
      return ask(scene, words.no_task, tasks.filter(fits).slice(0, 4).map(labelOf));
    case "several": {
      const choices = match.tasks.filter(fits);
      const [first] = match.tasks;
      if (choices.length === 0 && first) return { do: "stop", message: whyNotThis(scene, first) };
      return ask(scene, words.which_task, choices.slice(0, 4).map(labelOf));
    }
    case "one":
      return fits(match.task) ? goOn(match.task) : { do: "stop", message: whyNotThis(scene, match.task) };
  }
}

function whyNotThis({ words }: Scene, task: TaskFact): string {
  if (task.fixed) return words.fixed(labelOf(task));
  return task.status === "pending" ? words.still_pending(labelOf(task)) : words.has_place(labelOf(task));
}

const BETWEEN = /\b(?:and|with|for)\b|&|和|与|跟|同/i;

/** The two tasks of a swap, one on each side of "and"; answers settle what was unclear. */
export function withPair(scene: Scene, goOn: (a: TaskFact, b: TaskFact) => Act): Act {
  const listed = listTasks(scene);
  if (isAct(listed)) return listed;
  const tasks = tasksIn(listed.text);
  const [goal = "", ...answers] = scene.wish.words;
  const [left = "", right = ""] = goal.split(BETWEEN);
  const sideOf = (text: string, among: readonly TaskFact[]): Match => {
    const match = meantTask([text], among, isMovable);
    if (match.kind === "one") return match;
    const unclear = match.kind === "several" ? match.tasks : among;
    return answers.map((answer) => matchTask(answer, unclear)).findLast((one) => one.kind === "one") ?? match;
  };
  return settle(scene, sideOf(left, tasks), tasks, (a) => {
    const others = tasks.filter((task) => task !== a);
    return settle(scene, sideOf(right, others), others, (b) => goOn(a, b));
  });
}

const ALL = /\b(?:all|everything|every task)\b|所有|全部|一切/i;

/** One named task, or all movable ones: of a day, of a week, or at all. */
export function withTargets(scene: Scene, goOn: (targets: readonly TaskFact[]) => Act): Act {
  const listed = listTasks(scene);
  if (isAct(listed)) return listed;
  const tasks = tasksIn(listed.text);
  const { day, week, weekday } = scene.wish.where;
  const isNamed = meantTask(scene.wish.words, tasks, isMovable).kind !== "none";
  const saysWhen = day !== null || week !== null || weekday !== null;
  const saysAll = ALL.test(scene.wish.words[0] ?? "");
  if (isNamed || !(saysWhen || saysAll)) return withTask(scene, (task) => goOn([task]));
  const isThere = (place: TaskFact["places"][number]): boolean =>
    (day === null || place.day === day) &&
    (week === null || place.week === week) &&
    (weekday === null || place.weekday === weekday);
  const there = tasks.filter((task) => isMovable(task) && task.places.some(isThere));
  return there.length > 0 ? goOn(there) : { do: "stop", message: scene.words.nothing_there };
}
