// Makes a window fit into its room: cuts the largest observations, then gives up the oldest detail. Every step makes it smaller.
import { headAndTail } from "./cut.ts";
import { estimateTokens, quartersToTokens } from "./estimate.ts";
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

/** An observation is not cut below this: less than a paragraph tells nothing. */
const CUT_TOKENS_MIN = 96;
/** Head, tail and note are rounded up one by one. */
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

export function fitWindow(window: Window, maxTokens: number): FittedWindow {
  let fitted = window;
  for (const shrink of [cutLargest, collapseLines, collapseWhole, collapseLines]) {
    const tokens = windowTokens(fitted);
    if (tokens <= maxTokens) return toFittedWindow(fitted, tokens);
    fitted = shrink(fitted, maxTokens);
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

/** Step 3: lowers the largest observations to one common level, as far as needed and no further. */
export function cutLargest(window: Window, maxTokens: number): Window {
  const excess = windowTokens(window) - maxTokens;
  if (excess <= 0) return window;
  const bodies = window.rows.flatMap((row) => (row.form === "whole" ? [quartersToTokens(row.bodyQuarters)] : []));
  const level = Math.max(CUT_TOKENS_MIN, levelForSaving(bodies, excess));
  const rows = window.rows.map((row) => (row.form === "whole" ? cutRow(row, level, window.canRecall) : row));
  return { ...window, rows };
}

/** The height to which the largest must be lowered to save so much in all. */
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

function cutRow(row: WholeRow, level: number, canRecall: boolean): Row {
  if (quartersToTokens(row.bodyQuarters) <= level) return row;
  const body = cutBody(row.body, level, row.observed, canRecall);
  const cut = wholeRow(row.observed, body, canRecall, true);
  // Text that is nearly all whitespace costs less than the note about it.
  return cut.quarters < row.quarters ? cut : row;
}

function cutBody(text: string, tokens: number, observed: ObservedCall, canRecall: boolean): string {
  const note = (left: number): string => {
    const where =
      observed.receipt === null ? "" : canRecall ? `, recall ${observed.receipt}` : `, receipt ${observed.receipt}`;
    return `\n[… ${left} characters left out here of ${observed.size} bytes in all${where} …]\n`;
  };
  const { head, tail } = headAndTail(text, tokens - estimateTokens(note(text.length)) - ROUNDING_TOKENS);
  return `${text.slice(0, head)}${note(tail - head)}${text.slice(tail)}`;
}

/** The oldest lines become numbers, as many as it takes. */
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
  // A tool that was not counted before makes the counts longer; a few more lines make up for it.
  return count > 0 && windowTokens(counted) > maxTokens && hasLine(counted)
    ? collapseLines(counted, maxTokens)
    : counted;
}

const hasLine = (window: Window): boolean => window.rows.some((row) => row.form === "line");

/** The oldest whole observations become lines, as many as it takes. */
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
