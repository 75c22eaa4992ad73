// Fits a window into a token limit: shortens the largest observations, then drops the oldest details. Every step makes the window smaller.
import { headAndTail } from "./cut.ts";
import { cutLines, lineNumbers, lineRange, type Topic } from "./cut-lines.ts";
import { countQuarters, estimateTokens, quartersToTokens } from "./estimate.ts";
import {
  countOldestLines,
  digestRow,
  fullRow,
  type Row,
  renderWindow,
  type Window,
  type WindowParts,
  windowParts,
  windowTokens,
} from "./window.ts";
import { escapeTags, type FullRow, type ObservedCall, POSITIONS } from "./window-entry.ts";

/** Lower limit for a shortened observation. Less than a paragraph is not useful. */
const CUT_TOKENS_MIN = 128;
/** The newest observation is not cut below this size, that of a page of `recall`, until older ones were reduced to lines. */
const NEWEST_TOKENS = 2_800;
/** Reserved because head, tail and note are each rounded up. */
const ROUNDING_TOKENS = 3;

export const WINDOW_OMITTED = "(record left out: no room)";

export type FittedWindow = {
  readonly text: string;
  readonly parts: WindowParts;
  readonly tokens: number;
  readonly superseded: number;
  readonly digested: number;
  readonly counted: number;
  readonly cut: number;
};

/** `topic` returns the words that the turn is about: lines that contain them are kept first. It is called only if the window does not fit. */
export function fitWindow(window: Window, maxTokens: number, topic: () => Topic = () => []): FittedWindow {
  let fitted = window;
  let words: Topic | null = null;
  for (const shrink of [
    cutLargest,
    collapseOldLines,
    collapseFullRows,
    collapseOldLines,
    cutNewest,
    collapseLines,
    collapseNewest,
  ]) {
    const tokens = windowTokens(fitted);
    if (tokens <= maxTokens) return toFittedWindow(fitted, tokens);
    words ??= topic();
    fitted = shrink(fitted, maxTokens, words);
  }
  const tokens = windowTokens(fitted);
  if (tokens <= maxTokens) return toFittedWindow(fitted, tokens);
  const { superseded, digested, rows } = fitted;
  return {
    text: WINDOW_OMITTED,
    parts: { header: WINDOW_OMITTED, rows: [] },
    tokens: estimateTokens(WINDOW_OMITTED),
    superseded,
    digested,
    counted: fitted.counted + rows.length,
    cut: 0,
  };
}

function toFittedWindow(window: Window, tokens: number): FittedWindow {
  const { superseded, digested, counted } = window;
  const cut = window.rows.filter((row) => row.form === "whole" && row.cut).length;
  const parts = windowParts(window);
  return { text: renderWindow(parts), parts, tokens, superseded, digested, counted, cut };
}

/** Reduces the largest observations to a common size, but no further than needed. The newest one keeps at least NEWEST_TOKENS. */
export function cutLargest(window: Window, maxTokens: number, topic: Topic = []): Window {
  const excess = windowTokens(window) - maxTokens;
  if (excess <= 0) return window;
  const bodies = window.rows.flatMap((row) => (row.form === "whole" ? [quartersToTokens(row.bodyQuarters)] : []));
  const common = levelForSaving(bodies, excess);
  const fitted = cutRows(window, Math.max(NEWEST_TOKENS, common), { topic, which: "newest" });
  const left = windowTokens(fitted) - maxTokens;
  if (left <= 0) return fitted;
  const level = Math.max(CUT_TOKENS_MIN, levelForSaving(bodies.slice(0, -1), left));
  return cutRows(fitted, level, { topic, which: "older" });
}

/** Cuts the newest observation to the tokens that remain after the older ones were reduced to one line each, but not below CUT_TOKENS_MIN. */
function cutNewest(window: Window, maxTokens: number, topic: Topic): Window {
  const newest = newestFullRow(window);
  if (!newest) return window;
  const level = quartersToTokens(newest.bodyQuarters) - (windowTokens(window) - maxTokens);
  return cutRows(window, Math.max(CUT_TOKENS_MIN, level), { topic, which: "newest" });
}

const newestFullRow = ({ rows }: Window): FullRow | undefined => rows.findLast((row) => row.form === "whole");

function cutRows(
  window: Window,
  level: number,
  { topic, which }: { readonly topic: Topic; readonly which: "newest" | "older" },
): Window {
  const newest = newestFullRow(window);
  const options = { level, topic, canRecall: window.canRecall };
  const rows = window.rows.map((row) =>
    row.form === "whole" && (row === newest) === (which === "newest") ? cutRow(row, options) : row,
  );
  return { ...window, rows };
}

/** The size to which the largest observations must be reduced to save this many tokens in total. */
function levelForSaving(sizes: readonly number[], saving: number): number {
  const sorted = [...sizes].sort((a, b) => b - a);
  let sum = 0;
  for (const [i, size] of sorted.entries()) {
    sum += size;
    const level = Math.floor((sum - saving) / (i + 1));
    if (level >= (sorted[i + 1] ?? 0)) return level;
  }
  return 0;
}

type CutOptions = { readonly level: number; readonly topic: Topic; readonly canRecall: boolean };

function cutRow(row: FullRow, options: CutOptions): Row {
  const { level, canRecall } = options;
  if (quartersToTokens(row.bodyQuarters) <= level) return row;
  // Cuts the whole text, even if it was cut before, because only the whole text has the correct line numbers.
  const body = cutBody(escapeTags(row.observed.text), row.observed, options);
  const cut = fullRow(row.observed, body, canRecall, { cut: true, staleBy: row.staleBy });
  // If the text is nearly all whitespace, the note would cost more than the cut saves.
  return cut.quarters < row.quarters ? cut : row;
}

/** Shortens a list to some of its lines, preferring those about the topic, and any other text to its beginning and end. Notes say what is missing. */
function cutBody(text: string, observed: ObservedCall, { level, topic, canRecall }: CutOptions): string {
  const isPage = observed.recalls !== null;
  const numbers = lineNumbers(text, isPage);
  const listNote = (from: number): string =>
    `\n[… ${observed.size} bytes in all; ${POSITIONS}${recallNote(observed, canRecall, from)} …]`;
  const quarters = 4 * (level - ROUNDING_TOKENS) - countQuarters(listNote(99_999));
  const list = topic.length > 0 || isPage ? cutLines(text, topic, quarters, numbers, isPage) : null;
  if (list !== null) return `${list.text}${listNote(list.from)}`;
  const lineAt = (at: number): number => numbers[text.slice(0, at).split("\n").length - 1] ?? 1;
  const note = (from: number, to: number): string => {
    const isWhole = !observed.partial && observed.recalls === null;
    const characters = isWhole ? `characters ${from + 1}–${to}` : `${to - from} characters`;
    const lines = lineRange(lineAt(from), lineAt(to - 1));
    return `\n[… ${characters} left out (${lines}), ${observed.size} bytes in all${recallNote(observed, canRecall, lineAt(from))} …]\n`;
  };
  const { head, tail } = headAndTail(text, level - estimateTokens(note(0, text.length)) - NUMBERS_TOKENS);
  return `${text.slice(0, head)}${note(head, tail)}${text.slice(tail)}`;
}

/** Reserved because the numbers in a note may be longer than those used for the estimate. */
const NUMBERS_TOKENS = ROUNDING_TOKENS + 3;

/** A page of `recall` is part of an earlier observation, which the note then names. */
function recallNote({ receipt, recalls }: ObservedCall, canRecall: boolean, from_line: number): string {
  const receipt_id = recalls ?? receipt;
  if (receipt_id === null) return "";
  return canRecall ? `; recall ${JSON.stringify({ receipt_id, from_line })} shows it` : `; receipt ${receipt_id}`;
}

/** Number of newest lines that stay until the newest observation is cut. They name what was found, and by which call. */
const LINES_KEPT = 4;

const collapseOldLines = (window: Window, maxTokens: number): Window =>
  collapseLines(window, maxTokens, [], LINES_KEPT);

function collapseLines(window: Window, maxTokens: number, _topic: Topic = [], keep = 0): Window {
  let excess = windowTokens(window) - maxTokens;
  let count = 0;
  const lines = window.rows.filter((row) => row.form === "line");
  for (const row of lines.slice(0, Math.max(0, lines.length - keep))) {
    if (excess <= 0) break;
    excess -= row.quarters / 4;
    count += 1;
  }
  const counted = countOldestLines(window, count);
  // The first counted line of a tool makes the counts longer. Removing a few more lines compensates for that.
  return count > 0 && windowTokens(counted) > maxTokens ? collapseLines(counted, maxTokens, [], keep) : counted;
}

/** The newest observation stays whole. */
const collapseFullRows = (window: Window, maxTokens: number): Window =>
  digestFullRows(window, maxTokens, newestFullRow(window));

const collapseNewest = (window: Window, maxTokens: number): Window =>
  collapseLines(digestFullRows(window, maxTokens), maxTokens);

function digestFullRows(window: Window, maxTokens: number, kept?: Row): Window {
  let excess = windowTokens(window) - maxTokens;
  let digested = window.digested;
  const rows = window.rows.map((row) => {
    if (excess <= 0 || row.form !== "whole" || row === kept) return row;
    const line = digestRow(row.observed, window.canRecall, row.staleBy);
    excess -= (row.quarters - line.quarters) / 4;
    digested += 1;
    return line;
  });
  return { ...window, rows, digested };
}
