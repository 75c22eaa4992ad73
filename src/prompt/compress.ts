// Fits a window into a token limit: shortens the largest observations, then drops the oldest details. Every step makes it smaller.
import { headAndTail } from "./cut.ts";
import { cutLines, type Topic } from "./cut-lines.ts";
import { countQuarters, estimateTokens, quartersToTokens } from "./estimate.ts";
import {
  countOldestLines,
  digestRow,
  type Row,
  renderWindow,
  type WholeRow,
  type Window,
  wholeRow,
  windowTokens,
} from "./window.ts";
import type { ObservedCall } from "./window-entry.ts";

/** An observation is not shortened below this: less than a paragraph is not useful. */
const CUT_TOKENS_MIN = 96;
/** Head, tail and note are each rounded up. */
const ROUNDING_TOKENS = 3;

export const WINDOW_OMITTED = "(record left out: no room)";

export type FittedWindow = {
  readonly text: string;
  readonly tokens: number;
  readonly superseded: number;
  readonly digested: number;
  readonly counted: number;
  readonly cut: number;
};

/** `topic`: what the turn is about; lines about it are not cut out of lists. */
export function fitWindow(window: Window, maxTokens: number, topic: Topic = []): FittedWindow {
  let fitted = window;
  for (const shrink of [cutLargest, collapseLines, collapseWhole, collapseLines]) {
    const tokens = windowTokens(fitted);
    if (tokens <= maxTokens) return toFittedWindow(fitted, tokens);
    fitted = shrink(fitted, maxTokens, topic);
  }
  const tokens = windowTokens(fitted);
  if (tokens <= maxTokens) return toFittedWindow(fitted, tokens);
  const { superseded, digested, rows } = fitted;
  return {
    text: WINDOW_OMITTED,
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
  return { text: renderWindow(window), tokens, superseded, digested, counted, cut };
}

/** Step 3: reduces the largest observations to a common size, as far as needed and no further. */
export function cutLargest(window: Window, maxTokens: number, topic: Topic = []): Window {
  const excess = windowTokens(window) - maxTokens;
  if (excess <= 0) return window;
  const bodies = window.rows.flatMap((row) => (row.form === "whole" ? [quartersToTokens(row.bodyQuarters)] : []));
  const level = Math.max(CUT_TOKENS_MIN, levelForSaving(bodies, excess));
  const options = { level, topic, canRecall: window.canRecall };
  const rows = window.rows.map((row) => (row.form === "whole" ? cutRow(row, options) : row));
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

function cutRow(row: WholeRow, options: CutOptions): Row {
  const { level, canRecall } = options;
  if (quartersToTokens(row.bodyQuarters) <= level) return row;
  const body = cutBody(row.body, row.observed, options);
  const cut = wholeRow(row.observed, body, canRecall, { cut: true, staleBy: row.staleBy });
  // Text that is nearly all whitespace costs less than the note about it.
  return cut.quarters < row.quarters ? cut : row;
}

/** A list keeps its lines about the topic; any other text its beginning and its end. */
function cutBody(text: string, observed: ObservedCall, { level, topic, canRecall }: CutOptions): string {
  const { receipt, size } = observed;
  const where = receipt === null ? "" : canRecall ? `, recall ${receipt}` : `, receipt ${receipt}`;
  const listNote = `\n[… a part of ${size} bytes in all${where} …]`;
  const list = topic.length > 0 ? cutLines(text, topic, 4 * (level - ROUNDING_TOKENS) - countQuarters(listNote)) : null;
  if (list !== null) return `${list}${listNote}`;
  const note = (left: number): string => `\n[… ${left} characters left out here of ${size} bytes in all${where} …]\n`;
  const { head, tail } = headAndTail(text, level - estimateTokens(note(text.length)) - ROUNDING_TOKENS);
  return `${text.slice(0, head)}${note(tail - head)}${text.slice(tail)}`;
}

/** Replaces as many of the oldest lines by counts as necessary. */
function collapseLines(window: Window, maxTokens: number): Window {
  let excess = windowTokens(window) - maxTokens;
  let count = 0;
  for (const row of window.rows) {
    if (excess <= 0) break;
    if (row.form !== "line") continue;
    excess -= row.quarters / 4;
    count += 1;
  }
  const counted = countOldestLines(window, count);
  // A tool without a count so far makes the counts longer; a few more lines compensate for that.
  return count > 0 && windowTokens(counted) > maxTokens && hasLine(counted)
    ? collapseLines(counted, maxTokens)
    : counted;
}

const hasLine = (window: Window): boolean => window.rows.some((row) => row.form === "line");

/** Replaces as many of the oldest whole observations by lines as necessary. */
function collapseWhole(window: Window, maxTokens: number): Window {
  let excess = windowTokens(window) - maxTokens;
  let digested = window.digested;
  const rows = window.rows.map((row) => {
    if (excess <= 0 || row.form !== "whole") return row;
    const line = digestRow(row.observed, window.canRecall, null);
    excess -= (row.quarters - line.quarters) / 4;
    digested += 1;
    return line;
  });
  return { ...window, rows, digested };
}
