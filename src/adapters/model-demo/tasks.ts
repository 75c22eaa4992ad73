// Parses tasks and free places from observations, and matches the user's text with tasks.
import { distance } from "fastest-levenshtein";

export type Place = {
  readonly day: number;
  readonly week: number;
  /** 1 is Monday. */
  readonly weekday: number;
  readonly slot: number;
  readonly end: number;
};

export type ListedTask = {
  readonly id: number;
  readonly name: string;
  readonly status: "existing" | "suggested" | "pending";
  readonly fixed: boolean;
  readonly places: readonly Place[];
  /** The number of consecutive slots. */
  readonly duration: number;
};

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const PLACE = /day (\d+) \(week (\d+), (\w{3})\) slots? (\d+)(?:-(\d+))?/gi;

export const placesIn = (text: string): Place[] =>
  [...text.matchAll(PLACE)].map(([, day, week, weekday = "", slot, end]) => ({
    day: Number(day),
    week: Number(week),
    weekday: WEEKDAYS.indexOf(weekday) + 1,
    slot: Number(slot),
    end: Number(end ?? slot),
  }));

/** Reads lines of list_tasks, such as `- [13] Essay outline (Languages): day 1 (week 1, Mon) slots 9-10`. */
export function tasksIn(text: string): ListedTask[] {
  const tasks: ListedTask[] = [];
  let status: ListedTask["status"] = "existing";
  for (const line of text.split("\n")) {
    const group = /^(Existing|Suggested|Pending) \(\d+\):$/.exec(line)?.[1];
    if (group) status = group.toLowerCase() as ListedTask["status"];
    const [, id, name = "", kind = "", where = ""] = /^- \[(\d+)\] (.*) \(([^()]*)\): (.*)$/.exec(line) ?? [];
    if (!id) continue;
    const places = placesIn(where);
    const length = places.reduce((sum, one) => sum + one.end - one.slot + 1, 0);
    const needs = /^needs (\d+) slot/.exec(where)?.[1];
    const fixed = status === "existing" || /\bfixed\b/.test(kind);
    tasks.push({ id: Number(id), name, status, fixed, places, duration: Number(needs ?? (length || 2)) });
  }
  return tasks;
}

/** Reads the lines of query_available_slots, best first. */
export const candidatesIn = (text: string): Place[] =>
  text.split("\n").flatMap((line) => (line.startsWith("- day ") ? placesIn(line).slice(0, 1) : []));

/** `date` is null for a calendar that numbers its days and has no dates. */
export type ListedDay = Pick<Place, "day" | "week" | "weekday"> & { readonly date: string | null };

const DAY = /^- Day (\d+) \(week (\d+), (\w{3})\)(?:, (\d{4}-\d\d-\d\d))?/gm;

/** Reads the day lines of get_overview. */
export const daysIn = (text: string): ListedDay[] =>
  [...text.matchAll(DAY)].map(([, day, week, weekday = "", date]) => ({
    day: Number(day),
    week: Number(week),
    weekday: WEEKDAYS.indexOf(weekday) + 1,
    date: date ?? null,
  }));

/**
 * The time, such as `Monday 2026-03-02 08:00:00 UTC …`, comes from the tool "time". If the calendar lacks its date, the
 * first day with that weekday is meant, so that the sample calendar works on any day.
 */
export function dayForTime(days: readonly ListedDay[], time: string): ListedDay | undefined {
  const [, name = "", date] = /^(\w{3})\w* (\d{4}-\d\d-\d\d) /.exec(time) ?? [];
  const weekday = WEEKDAYS.indexOf(name) + 1;
  return days.find((one) => one.date !== null && one.date === date) ?? days.find((one) => one.weekday === weekday);
}

/** Chinese names for the entries of the sample calendar. */
const GLOSSARY: readonly (readonly [RegExp, string])[] = [
  [/论文(?:提纲|大纲)|文章提纲/g, "essay outline"],
  [/误差分析/g, "error analysis"],
  [/证明(?:题|练习)/g, "proof exercises"],
  [/调度(?:器)?模拟|调度仿真/g, "scheduler simulation"],
  [/词汇复习|单词复习|背单词/g, "vocabulary review"],
  [/(?:读|阅读)?第四章|读书/g, "read chapter 4"],
  [/概率(?:练习|作业)?/g, "probability worksheet"],
  [/代数模拟(?:考|考试)?/g, "algebra mock exam"],
  [/线性代数/g, "linear algebra"],
  [/统计(?:学)?复习/g, "statistics revision"],
  [/实验报告/g, "lab report draft"],
  [/牙医/g, "dentist appointment"],
  [/足球/g, "football practice"],
  [/物理实验(?!报告)/g, "physics lab"],
  [/操作系统/g, "operating systems"],
];

const STOP_WORDS = new Set(
  "the a an my to of on in at for and with from by it that this task tasks please can could you me move place put swap clear cancel delete remove schedule reschedule take off find show where when is are slot slots day week free time day's days up out".split(
    " ",
  ),
);

const wordsOf = (text: string): string[] =>
  GLOSSARY.reduce((translated, [chinese, english]) => translated.replace(chinese, ` ${english} `), text)
    .toLowerCase()
    .split(/[^\p{Script=Latin}\p{N}]+/u)
    .filter((word) => word !== "" && !STOP_WORDS.has(word));

const sameWord = (a: string, b: string): boolean =>
  a === b || (a.length >= 5 && b.length >= 5 && distance(a, b) <= 1 && !/\d/.test(a + b));

export type Match =
  | { readonly kind: "one"; readonly task: ListedTask; readonly hits: number }
  | { readonly kind: "several"; readonly tasks: readonly ListedTask[] }
  | { readonly kind: "none" };

const idsIn = (text: string): number[] =>
  [...text.matchAll(/\[(\d+)\]|#(\d+)|\btask (\d+)\b|(\d+)\s*号任务|任务\s*(\d+)/gi)].map((match) =>
    Number(match.slice(1).find((part) => part !== undefined)),
  );

/** A number names a task. Without one, the task that shares the most words with the text is meant. */
export function matchTask(text: string, tasks: readonly ListedTask[]): Match {
  const named = idsIn(text)
    .map((id) => tasks.find((task) => task.id === id))
    .find((task) => task !== undefined);
  if (named) return { kind: "one", task: named, hits: Number.MAX_SAFE_INTEGER };
  const textWords = wordsOf(text);
  const scored = tasks.map((task) => {
    const words = wordsOf(task.name);
    const found = words.filter((word) => textWords.some((textWord) => sameWord(textWord, word)));
    // A number alone does not name a task.
    const hits = found.some((word) => /\D/.test(word)) ? found.length : 0;
    return { task, hits, share: hits / Math.max(1, words.length) };
  });
  const hits = Math.max(0, ...scored.map((one) => one.hits));
  if (hits === 0) return { kind: "none" };
  const share = Math.max(...scored.filter((one) => one.hits === hits).map((one) => one.share));
  const [best, ...more] = scored.filter((one) => one.hits === hits && one.share === share).map((one) => one.task);
  if (!best) return { kind: "none" };
  return more.length === 0 ? { kind: "one", task: best, hits } : { kind: "several", tasks: [best, ...more] };
}

/**
 * The newest text counts first, because an answer is clearer than the request. `fits` prefers tasks that can change.
 */
export function resolveTask(
  texts: readonly string[],
  tasks: readonly ListedTask[],
  fits: (task: ListedTask) => boolean,
): Match {
  for (const text of [...texts].reverse()) {
    const match = matchTask(text, tasks);
    if (match.kind === "none") continue;
    const fitting = matchTask(text, tasks.filter(fits));
    if (match.kind === "several") return fitting.kind === "none" ? match : fitting;
    if (fits(match.task)) return match;
    return fitting.kind === "one" && fitting.hits >= match.hits ? fitting : match;
  }
  return { kind: "none" };
}
