// The window: calls and observations in order, the newest whole, older ones as lines, the oldest as counts. Knows no budget.
import type { Manifest } from "../schema/manifest.ts";
import type { Entry, Thread } from "../schema/record.ts";
import { tokensOf, weigh } from "./estimate.ts";
import { countFolded, type Folded, toolOfLine } from "./fold.ts";
import { readSeen, renderDigest, renderFrame, type Seen, shielded } from "./window-entry.ts";

export const WHOLE_ENTRIES = 8;
export const WINDOW_LINES_MAX = 40;

/** A place in the window: an observation in full (perhaps cut), or the one line that stands for it. */
export type WholeRow = {
  readonly form: "whole";
  readonly seen: Seen;
  readonly body: string;
  readonly text: string;
  /** In quarters of a token, of all of it and of the body alone. */
  readonly weight: number;
  readonly bodyWeight: number;
  readonly cut: boolean;
};
export type LineRow = {
  readonly form: "line";
  readonly tool: string;
  readonly text: string;
  readonly weight: number;
};
export type Row = WholeRow | LineRow;

export type Window = {
  /** Oldest first. */
  readonly rows: readonly Row[];
  /** What is not even a line any more. */
  readonly counts: Folded["counts"];
  readonly canRecall: boolean;
  readonly superseded: number;
  readonly digested: number;
  readonly counted: number;
};

/** An observation and what stands for it after the first two steps of the compression. */
export type Placed = { readonly seen: Seen; readonly form: "whole" | "line"; readonly supersededBy: number | null };

export function placeEntries(thread: Thread): Placed[] {
  return thread.entries.flatMap(({ entry }) => {
    const seen = seenIn(entry);
    return seen ? [{ seen, form: "whole" as const, supersededBy: null }] : [];
  });
}

// An entry that can no longer change reads and looks the same in every turn: it is worded once, for as long as it is held.
const seenBefore = new WeakMap<Entry, Seen | null>();
const wordedBefore = {
  recall: { whole: new WeakMap<Seen, Row>(), line: new WeakMap<Seen, Row>() },
  receipt: { whole: new WeakMap<Seen, Row>(), line: new WeakMap<Seen, Row>() },
};

function seenIn(entry: Entry): Seen | null {
  if (!Object.isFrozen(entry)) return readSeen(entry);
  const before = seenBefore.get(entry);
  if (before !== undefined) return before;
  const seen = readSeen(entry);
  seenBefore.set(entry, seen);
  return seen;
}

/** Step 1: what a newer observation of the same call has replaced becomes a line; for some tools any newer one does. */
export function supersede(placed: readonly Placed[], tools: readonly Manifest[]): Placed[] {
  const any = new Set(tools.filter((tool) => tool.supersedes).map((tool) => tool.name));
  const newer = new Map<string, number>();
  const result = [...placed];
  for (let i = result.length - 1; i >= 0; i--) {
    const one = result[i];
    if (!one) continue;
    // The digest is of the tool and its arguments, so it tells tools apart, too.
    const key = any.has(one.seen.name) ? one.seen.name : one.seen.digest;
    if (!key) continue;
    const by = newer.get(key);
    if (by === undefined) newer.set(key, one.seen.turn);
    else result[i] = { ...one, form: "line", supersededBy: by };
  }
  return result;
}

/** Step 2: only the last ones stay whole. */
export function digestOlder(placed: readonly Placed[]): Placed[] {
  const from = placed.length - WHOLE_ENTRIES;
  return placed.map((one, i) => (i < from ? { ...one, form: "line" } : one));
}

export function buildWindow(thread: Thread, tools: readonly Manifest[]): Window {
  return windowOf(digestOlder(supersede(placeEntries(thread), tools)), thread.state.folded, tools);
}

export function windowOf(placed: readonly Placed[], folded: Folded, tools: readonly Manifest[]): Window {
  const canRecall = tools.some((tool) => tool.name === "recall");
  const rows = [...folded.lines.map(foldedRow), ...placed.map((one) => rowOf(one, canRecall))];
  const superseded = placed.filter((one) => one.supersededBy !== null).length;
  const digested = placed.filter((one) => one.form === "line").length - superseded;
  const window = { rows, counts: folded.counts, canRecall, superseded, digested, counted: 0 };
  const lines = rows.reduce((sum, row) => sum + (row.form === "line" ? 1 : 0), 0);
  return countOldestLines(window, lines - WINDOW_LINES_MAX);
}

// A folded line stands in the state of many turns, each time as another array: it is known by its words.
const foldedBefore = new Map<string, LineRow>();
/** Those of more than a hundred threads; beyond it all are worded anew. */
const FOLDED_MAX = 4_000;

function foldedRow(line: string): LineRow {
  const before = foldedBefore.get(line);
  if (before) return before;
  const row = lineRow(toolOfLine(line), `- ${shielded(line)}`);
  if (foldedBefore.size >= FOLDED_MAX) foldedBefore.clear();
  foldedBefore.set(line, row);
  return row;
}

const lineRow = (tool: string, text: string): LineRow => ({ form: "line", tool, text, weight: weigh(text) });

function rowOf({ seen, form, supersededBy }: Placed, canRecall: boolean): Row {
  // Which turn replaced it may still change.
  if (supersededBy !== null) return digestRow(seen, canRecall, supersededBy);
  const worded = wordedBefore[canRecall ? "recall" : "receipt"][form];
  const before = worded.get(seen);
  if (before) return before;
  const row = form === "line" ? digestRow(seen, canRecall, null) : wholeRow(seen, shielded(seen.text), canRecall);
  worded.set(seen, row);
  return row;
}

export function digestRow(seen: Seen, canRecall: boolean, supersededBy: number | null): LineRow {
  return lineRow(seen.name, renderDigest(seen, canRecall, supersededBy));
}

export function wholeRow(seen: Seen, body: string, canRecall: boolean, cut = false): WholeRow {
  const { before, after } = renderFrame(seen, canRecall);
  const bodyWeight = weigh(body);
  const weight = weigh(before) + bodyWeight + weigh(after);
  return { form: "whole", seen, body, text: `${before}${body}${after}`, weight, bodyWeight, cut };
}

/** The oldest lines give way to a number per tool. */
export function countOldestLines(window: Window, count: number): Window {
  if (count <= 0) return window;
  let left = count;
  let { counts } = window;
  const rows = window.rows.filter((row) => {
    if (row.form !== "line" || left === 0) return true;
    left -= 1;
    counts = countFolded(counts, row.tool);
    return false;
  });
  return { ...window, rows, counts, counted: window.counted + count - left };
}

export const renderWindow = (window: Window): string =>
  [renderHead(window), ...window.rows.map((row) => row.text)].join("\n");

/** What the message costs when it is rendered. */
export const windowTokens = (window: Window): number =>
  tokensOf(window.rows.reduce((sum, row) => sum + row.weight, weigh(renderHead(window))));

function renderHead({ rows, counts, canRecall }: Window): string {
  const names = Object.keys(counts).sort();
  if (rows.length === 0 && names.length === 0) return "# Record\n(no observations yet)";
  const head = ["# Record of calls and observations, oldest first"];
  if (rows.some((row) => row.form === "line")) {
    const recall = canRecall ? "; recall reads it again by its receipt id" : "";
    head.push(`A line that begins with "-" stands for an observation that is not shown${recall}.`);
  }
  if (names.length > 0) {
    head.push(`Older calls, only counted: ${names.map((name) => `${name} ×${counts[name]}`).join(", ")}`);
  }
  return head.join("\n");
}
