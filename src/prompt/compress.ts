// Makes a window fit into its room: cuts the largest observations, then gives up the oldest detail. Every step makes it smaller.
import { headAndTail } from "./cut.ts";
import { estimateTokens, tokensOf } from "./estimate.ts";
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
import type { Seen } from "./window-entry.ts";

/** An observation is not cut below this: less than a paragraph tells nothing. */
const CUT_TOKENS_MIN = 96;
/** Head, tail and note are rounded up one by one. */
const ROUNDING = 3;

export const WINDOW_LEFT_OUT = "(record left out: no room)";

export type FittedWindow = {
  readonly text: string;
  readonly tokens: number;
  readonly superseded: number;
  readonly digested: number;
  readonly counted: number;
  readonly cut: number;
};

export function fitWindow(window: Window, room: number): FittedWindow {
  let fitted = window;
  for (const shrink of [cutLargest, countLines, digestWhole, countLines]) {
    const tokens = windowTokens(fitted);
    if (tokens <= room) return finish(fitted, tokens);
    fitted = shrink(fitted, room);
  }
  const tokens = windowTokens(fitted);
  if (tokens <= room) return finish(fitted, tokens);
  const { superseded, digested, rows } = fitted;
  return {
    text: WINDOW_LEFT_OUT,
    tokens: estimateTokens(WINDOW_LEFT_OUT),
    superseded,
    digested,
    counted: fitted.counted + rows.length,
    cut: 0,
  };
}

function finish(window: Window, tokens: number): FittedWindow {
  const { superseded, digested, counted } = window;
  const cut = window.rows.filter((row) => row.form === "whole" && row.cut).length;
  return { text: renderWindow(window), tokens, superseded, digested, counted, cut };
}

/** Step 3: lowers the largest observations to one common level, as far as needed and no further. */
export function cutLargest(window: Window, room: number): Window {
  const over = windowTokens(window) - room;
  if (over <= 0) return window;
  const bodies = window.rows.flatMap((row) => (row.form === "whole" ? [tokensOf(row.bodyWeight)] : []));
  const level = Math.max(CUT_TOKENS_MIN, levelThatSaves(bodies, over));
  const rows = window.rows.map((row) => (row.form === "whole" ? cutRow(row, level, window.canRecall) : row));
  return { ...window, rows };
}

/** The height to which the largest must be lowered to save so much in all. */
function levelThatSaves(sizes: readonly number[], saving: number): number {
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
  if (tokensOf(row.bodyWeight) <= level) return row;
  const body = cutBody(row.body, level, row.seen, canRecall);
  const cut = wholeRow(row.seen, body, canRecall, true);
  // Text that is nearly all whitespace costs less than the note about it.
  return cut.weight < row.weight ? cut : row;
}

function cutBody(text: string, tokens: number, seen: Seen, canRecall: boolean): string {
  const note = (left: number): string => {
    const where = seen.receipt === null ? "" : canRecall ? `, recall ${seen.receipt}` : `, receipt ${seen.receipt}`;
    return `\n[… ${left} characters left out here of ${seen.size} bytes in all${where} …]\n`;
  };
  const { head, tail } = headAndTail(text, tokens - estimateTokens(note(text.length)) - ROUNDING);
  return `${text.slice(0, head)}${note(tail - head)}${text.slice(tail)}`;
}

/** The oldest lines become numbers, as many as it takes. */
function countLines(window: Window, room: number): Window {
  let over = windowTokens(window) - room;
  let count = 0;
  for (const row of window.rows) {
    if (over <= 0) break;
    if (row.form !== "line") continue;
    over -= row.weight / 4;
    count += 1;
  }
  const counted = countOldestLines(window, count);
  // A tool that was not counted before makes the counts longer; a few more lines make up for it.
  return count > 0 && windowTokens(counted) > room && hasLine(counted) ? countLines(counted, room) : counted;
}

const hasLine = (window: Window): boolean => window.rows.some((row) => row.form === "line");

/** The oldest whole observations become lines, as many as it takes. */
function digestWhole(window: Window, room: number): Window {
  let over = windowTokens(window) - room;
  let digested = window.digested;
  const rows = window.rows.map((row) => {
    if (over <= 0 || row.form !== "whole") return row;
    const line = digestRow(row.seen, window.canRecall, null);
    over -= (row.weight - line.weight) / 4;
    digested += 1;
    return line;
  });
  return { ...window, rows, digested };
}
