// Parses events from the output of list_events, and finds those that a request names.
import { plainPunctuation } from "./normalize-request.ts";

export type ListedEvent = {
  readonly id: string;
  readonly title: string;
  readonly date: string;
  /** The start. Null for an all-day event. */
  readonly clock: string | null;
  /** The length. Null for an all-day event, and for one that ends on another day. */
  readonly minutes: number | null;
  readonly repeats: boolean;
};

const LINE =
  /^- \w{3} (\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?(?:–(\d\d:\d\d))?[^:\n]*?(?:\d\d:\d\d)?: (deadline )?"?(.*?)"?((?: \([^)]*\))?) \[(e[^\]]+)\]$/gm;

export const eventsIn = (text: string): ListedEvent[] =>
  [...text.matchAll(LINE)].flatMap(([, date = "", clock, end, deadline, title = "", tags = "", id = ""]) =>
    deadline
      ? []
      : [{ id, title, date, clock: clock ?? null, minutes: lengthOf(clock, end), repeats: tags.includes("repeats") }],
  );

export const linesOf = (text: string): (ListedEvent & { readonly line: string })[] =>
  text.split("\n").flatMap((line) => eventsIn(line).map((event) => ({ ...event, line })));

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const lengthOf = (from: string | undefined, to: string | undefined): number | null =>
  from !== undefined && to !== undefined ? minuteOf(to) - minuteOf(from) : null;

/** Null for an all-day event, which has no start time. */
export function shiftedStart({ date, clock }: ListedEvent, minutes: number): string | null {
  if (clock === null) return null;
  const at = Date.parse(`${date}T${clock}:00Z`) + minutes * 60_000;
  return new Date(at).toISOString().slice(0, 16);
}

export const todayIn = (text: string): string | null => /Now: \w{3} (\d{4}-\d\d-\d\d)/.exec(text)?.[1] ?? null;

export const nowIn = (text: string): string =>
  /Now: \w{3} (\d{4}-\d\d-\d\d) (\d\d:\d\d)/.exec(text)?.slice(1).join("T") ?? "";

export function dueDateIn(listed: string, request: string): string | null {
  const deadlines = [...listed.matchAll(LINE)].filter((line) => line[4] !== undefined);
  return deadlines.find((line) => normal(request).includes(normal(line[5] ?? "")))?.[1] ?? null;
}

/** Finds the titles that match the request best. Those on `date` are preferred. */
export function eventsNamed<E extends ListedEvent>(events: readonly E[], request: string, date: string | null): E[] {
  const scores = events.map(({ title }) => sharedLength(normal(request), normal(title)));
  const best = Math.max(0, ...scores);
  const named = best === 0 ? [] : events.filter((_, at) => scores[at] === best);
  const there = named.filter((one) => one.date === date);
  return there.length > 0 ? there : named;
}

/** Many events share these words, so they identify none. */
const GENERIC = /^(?:meeting|appointment|event|session|call|class|with|from|会议|开会|会面)$/;

/** Counts whole words or, in Chinese, parts of at least two characters. A complete title counts 1,000 more. */
function sharedLength(request: string, title: string): number {
  if (request.includes(title)) return 1_000 + title.length;
  if (!/\p{Script=Han}/u.test(title)) {
    const words = title
      .split(" ")
      .filter((word) => word.length > 3 && !GENERIC.test(word) && new RegExp(`\\b${escaped(word)}s?\\b`).test(request));
    return words.join("").length;
  }
  const parts = [...title].flatMap((_, from) => [...title].map((__, n) => title.slice(from, from + n + 2)));
  return Math.max(
    0,
    ...parts
      .filter((part) => part.length > 1 && !GENERIC.test(part) && request.includes(part))
      .map(({ length }) => length),
  );
}

/** Includes the usual inflections. */
export const titleWords = (title: string): string[] =>
  normal(title)
    .split(/[^\p{L}\p{N}']+/u)
    .flatMap((word) => [word, `${word}s`, `${word}ing`]);

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
export const normal = (text: string): string =>
  plainPunctuation(text)
    .toLowerCase()
    .replace(/[-\s]+/g, " ")
    .trim();

export const withoutTitle = (request: string, { title }: ListedEvent): string =>
  [normal(title), ...normal(title).split(" ")].reduce((text, word) => text.replace(word, " "), normal(request));

/** The console writes ids in brackets. */
export function eventById(request: string): ListedEvent | null {
  const [, id, date = ""] = /\[(e\d+@(\d{4}-\d\d-\d\d)[^\]\s]*)\]/.exec(request) ?? [];
  return id ? { id, date, title: "", clock: null, minutes: null, repeats: false } : null;
}
