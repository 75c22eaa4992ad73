// Shortens a list by lines. Keeps lines about the topic and lines that differ from all others, even in the middle, and replaces the lines in
// between with a note. A list in one line, such as JSON, is shortened by its items.
import type { ThreadState } from "../schema/thread.ts";
import { lineAfterGap } from "../tools/truncate-text.ts";
import { countQuarters } from "./estimate.ts";

const TOPIC_CHARS = 2_000;
const TERMS_MAX = 32;
const WORD_CHARS_MIN = 3;
/** Text with fewer lines or items does not count as a list and is cut by characters. */
const LINES_MIN = 6;
/** A term in more than this share of the lines is too common to tell them apart. */
const COMMON_SHARE = 0.5;
/** Maximum share of the space for lines about the topic. The beginning and the end share the rest. */
const TOPIC_SHARE = 0.6;
const HEAD_SHARE = 0.65;
/** The same share for a page of `recall`. The rest goes to its beginning, from which the reader continues, and nothing to its end. */
const PAGE_TOPIC_SHARE = 0.3;

export const lineRange = (from: number, to: number): string => (from === to ? `line ${from}` : `lines ${from}–${to}`);
const gapNote = (missing: string): string => `[… ${missing} left out …]`;
const GAP_QUARTERS = countQuarters(gapNote("characters 99999–99999"));

const HAN = /\p{Script=Han}/u;
const PARTS = /\p{Script=Han}+|[\p{L}\p{M}]+|\d+/gu;

/** Words in lower case, numbers, and pairs of Chinese characters, because Chinese has no spaces between words. */
function termsOf(text: string): Set<string> {
  const parts = text.toLowerCase().match(PARTS) ?? [];
  return new Set(parts.flatMap((part) => (HAN.test(part) ? pairs(part) : isTerm(part) ? [part] : [])));
}

const isTerm = (word: string): boolean => /\d/.test(word) || word.length >= WORD_CHARS_MIN;
const pairs = (run: string): string[] => {
  const characters = [...run];
  return characters.length < 2 ? characters : characters.slice(1).map((next, i) => `${characters[i]}${next}`);
};

/** "friday" also matches "fri", but "4" matches only "4". */
const isSame = (term: string, word: string): boolean =>
  term === word || (!/\d/.test(term) && !HAN.test(term) && (term.startsWith(word) || word.startsWith(term)));

export type Topic = readonly string[];

export const topicOf = (texts: readonly string[]): Topic =>
  [...termsOf(texts.map((text) => text.slice(0, TOPIC_CHARS)).join("\n"))].slice(0, TERMS_MAX);

/** The newest message of the user is missing, because it is unknown when an observation is stored. */
export const topicOfState = ({ goal, plan, machine }: Pick<ThreadState, "goal" | "plan" | "machine">): Topic =>
  topicOf([plan?.[machine.step]?.content ?? "", goal]);

/** If most lines have the same shape, lines with a shape this rare stand out. */
const RARE_SHARE = 0.02;
/** Lower than the score of any line about the topic. */
const OUTLIER_SCORE = 1e-6;

/** Lines that stand out, such as an error in a log. Lines that differ only in numbers have the same shape. */
function outlierLines(lines: readonly string[]): readonly boolean[] {
  const shapes = lines.map((line) => line.replace(/\d+/g, "0"));
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  if (Math.max(...counts.values()) <= lines.length * COMMON_SHARE) return lines.map(() => false);
  const rare = Math.max(1, lines.length * RARE_SHARE);
  return shapes.map((shape) => shape.trim() !== "" && (counts.get(shape) ?? 0) <= rare);
}

/** How closely each line relates to the topic. Rare terms count more. */
function scoresOf(lines: readonly string[], topic: Topic): readonly number[] {
  const words = lines.map((line) => [...termsOf(line)]);
  const scores = outlierLines(lines).map((isOutlier): number => (isOutlier ? OUTLIER_SCORE : 0));
  for (const term of topic) {
    const found = words.flatMap((inLine, i) => (inLine.some((word) => isSame(term, word)) ? [i] : []));
    if (found.length > lines.length * COMMON_SHARE) continue;
    for (const i of found) scores[i] = (scores[i] ?? 0) + 1 / found.length;
  }
  return scores;
}

export type CutList = {
  readonly text: string;
  /** The number of the first missing line. */
  readonly from: number;
};

/** Null if the text is not a list or has no line worth keeping. `numbers` are the line numbers in the text that `recall` reads. */
export function cutLines(
  text: string,
  topic: Topic,
  maxQuarters: number,
  numbers: readonly number[] = lineNumbers(text),
  isPage = false,
): CutList | null {
  const list = listOf(text, numbers);
  if (list === null) return null;
  const { lines } = list;
  const scores = scoresOf(lines, topic);
  const costs = lines.map(countQuarters);
  const available = maxQuarters - 2 * GAP_QUARTERS;
  const about = [...lines.keys()].filter((i) => scores[i]).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const kept = new Set<number>();
  const topicShare = isPage ? PAGE_TOPIC_SHARE : TOPIC_SHARE;
  let left = available * topicShare;
  for (const i of about) {
    // The cost includes a note, because every line about the topic may need one before it.
    const cost = (costs[i] ?? 0) + GAP_QUARTERS;
    if (cost > left) continue;
    left -= cost;
    kept.add(i);
  }
  if (kept.size === 0 && !isPage) return null;
  // Adjacent lines often belong together, such as the request before an error.
  for (const i of [...kept].flatMap((at) => [at - 1, at + 1])) {
    const cost = costs[i] ?? Number.POSITIVE_INFINITY;
    if (cost > left || kept.has(i)) continue;
    left -= cost;
    kept.add(i);
  }
  const ends = available * (1 - topicShare) + left;
  const headShare = isPage ? 1 : HEAD_SHARE;
  keepInOrder(lines.keys(), costs, kept, ends * headShare);
  keepInOrder([...lines.keys()].reverse(), costs, kept, ends * (1 - headShare));
  return render(list, kept);
}

type List = {
  /** The lines, or the items of a list in one line. */
  readonly lines: readonly string[];
  readonly separator: "\n" | "";
  readonly range: (first: number, last: number) => string;
  readonly lineOf: (i: number) => number;
};

/** Matches the position between the items of a list in JSON, or after a semicolon. */
const BETWEEN_ITEMS = /(?<=[}\]],|;)(?=\s*\S)/;

function listOf(text: string, numbers: readonly number[]): List | null {
  const lines = text.split("\n");
  const lineOf = (i: number): number => numbers[i] ?? i + 1;
  if (lines.length >= LINES_MIN)
    return { lines, separator: "\n", range: (first, last) => lineRange(lineOf(first), lineOf(last)), lineOf };
  const items = text.split(BETWEEN_ITEMS);
  if (items.length < LINES_MIN) return null;
  let end = 0;
  const ends = items.map((item) => {
    end += item.length;
    return end;
  });
  const range = (first: number, last: number): string => `characters ${(ends[first - 1] ?? 0) + 1}–${ends[last]}`;
  return { lines: items, separator: "", range, lineOf: () => lineOf(0) };
}

/** Stops at the first line that does not fit. */
function keepInOrder(order: Iterable<number>, costs: readonly number[], kept: Set<number>, quarters: number): void {
  let left = quarters;
  for (const i of order) {
    if (kept.has(i)) continue;
    left -= costs[i] ?? 0;
    if (left < 0) return;
    kept.add(i);
  }
}

function render({ lines, separator, range, lineOf }: List, kept: ReadonlySet<number>): CutList {
  const shown: string[] = [];
  let first: number | null = null;
  for (let i = 0; i <= lines.length; i++) {
    const isKept = i === lines.length || kept.has(i);
    if (!isKept) first ??= i;
    if (isKept && first !== null) {
      shown.push(gapNote(range(first, i - 1)));
      first = null;
    }
    if (kept.has(i)) shown.push(lines[i] ?? "");
  }
  const missing = lines.findIndex((_, i) => !kept.has(i));
  return { text: shown.join(separator), from: lineOf(Math.max(0, missing)) };
}

const NOTE = /^\[… lines? (?:\d+–)?(\d+) left out …\]$/;

function lineAfterNote(line: string): number | null {
  const last = NOTE.exec(line)?.[1];
  return last === undefined ? null : Number(last) + 1;
}

/** Matches the first line of a page of `recall`. */
const PAGE_HEAD = /^[^\n]*, lines (\d+)–\d+ of \d+, page \d+ of /;

/** The number of each line in the whole text, even if this text is one page of it or lacks its middle. */
export function lineNumbers(text: string, isPage = false): readonly number[] {
  let next = Number((isPage && PAGE_HEAD.exec(text)?.[1]) || 1);
  return text.split("\n").map((line, i) => {
    if (isPage && i === 0) return next;
    const after = lineAfterGap(line) ?? lineAfterNote(line);
    next = after ?? next + 1;
    return next - 1;
  });
}

/** Null if no line of the text was cut out. */
export function firstMissingLine(text: string): number | null {
  const numbers = lineNumbers(text);
  const at = numbers.findIndex((number, i) => i > 0 && number > (numbers[i - 1] ?? 0) + 1);
  return at > 0 ? (numbers[at - 1] ?? 0) + 1 : null;
}
