// Builds the window: calls and observations in order, the newest whole, older ones as lines, the oldest as counts. Independent of any budget.
import type { Manifest } from "../schema/manifest.ts";
import type { Thread } from "../schema/record.ts";
import { oncePerTools } from "../tools/declared/once-per-tools.ts";
import { countQuarters, quartersToTokens } from "./estimate.ts";
import { countFolded, type Folded, toolOfLine } from "./fold.ts";
import { markStale } from "./stale.ts";
import {
  escapeTags,
  type FullRow,
  isBeginning,
  type LineRow,
  type ObservedCall,
  observedIn,
  partsOf,
  renderDigest,
  renderFrame,
  spokenLine,
  type WindowEntry,
} from "./window-entry.ts";

export const FULL_ENTRIES = 8;
export const WINDOW_LINES_MAX = 40;

export type Row = FullRow | LineRow;

export const rowText = (row: Row): string => (row.form === "line" ? row.text : `${row.before}${row.body}${row.after}`);

export type Window = {
  /** Oldest first. */
  readonly rows: readonly Row[];
  /** Calls reduced to a count. */
  readonly counts: Folded["counts"];
  readonly canRecall: boolean;
  readonly superseded: number;
  readonly digested: number;
  readonly counted: number;
};

export function toWindowEntries(thread: Thread): WindowEntry[] {
  const spoken: string[] = [];
  const result: WindowEntry[] = [];
  for (const { entry } of thread.entries) {
    const parts = partsOf(entry);
    const seen = observedIn(entry, parts);
    // A call that waited for a person was announced in an earlier entry, which the dialogue shows, so its thought is not repeated.
    const observed = seen?.thought && spoken.some(isBeginning(seen.thought)) ? withoutThought(seen) : seen;
    if (entry.speak) {
      parts.spoken ??= spokenLine(entry.speak);
      spoken.push(parts.spoken);
    }
    if (observed) result.push({ observed, form: "whole", supersededBy: null, staleBy: null });
  }
  return result;
}

function withoutThought(observed: ObservedCall): ObservedCall {
  observed.shown.withoutThought ??= { ...observed, thought: "", shown: {} };
  return observed.shown.withoutThought;
}

const namesReplacedByNewer = oncePerTools(
  (tools) => new Set(tools.filter((tool) => tool.supersedes).map((tool) => tool.name)),
);

/** Reduces an observation to a line if a newer one of an equal call replaces it or, for some tools, of a call with other arguments. */
export function supersede(entries: readonly WindowEntry[], tools: readonly Manifest[]): WindowEntry[] {
  const replacedByNewer = namesReplacedByNewer(tools);
  const newer = new Map<string, number>();
  const result = [...entries];
  for (let i = result.length - 1; i >= 0; i--) {
    const one = result[i];
    if (!one) continue;
    // The digest covers the tool and its arguments, so it also distinguishes tools.
    const key = replacedByNewer.has(one.observed.name) ? one.observed.name : one.observed.digest;
    if (!key) continue;
    const by = newer.get(key);
    if (by === undefined) newer.set(key, one.observed.turn);
    else result[i] = { ...one, form: "line", supersededBy: by };
  }
  return result;
}

export function digestOlder(entries: readonly WindowEntry[]): WindowEntry[] {
  const from = entries.length - FULL_ENTRIES;
  return entries.map((one, i) => (i < from ? { ...one, form: "line" } : one));
}

export const offersRecall = (offered: readonly Manifest[]): boolean => offered.some((tool) => tool.name === "recall");

/** `known` are all tools that the thread may have called. */
export function buildWindow(thread: Thread, known: readonly Manifest[], canRecall = offersRecall(known)): Window {
  const entries = digestOlder(markStale(supersede(toWindowEntries(thread), known), known));
  return assembleWindow(entries, thread.state.folded, canRecall);
}

export function assembleWindow(entries: readonly WindowEntry[], folded: Folded, canRecall: boolean): Window {
  const rows: Row[] = [];
  for (const line of folded.lines) rows.push(foldedRow(line));
  let [superseded, asLines] = [0, 0];
  for (const one of entries) {
    rows.push(toRow(one, canRecall));
    if (one.supersededBy !== null) superseded += 1;
    if (one.form === "line") asLines += 1;
  }
  const digested = asLines - superseded;
  const window = { rows, counts: folded.counts, canRecall, superseded, digested, counted: 0 };
  return countOldestLines(window, folded.lines.length + asLines - WINDOW_LINES_MAX);
}

// Caches folded lines by their text, because a folded line is part of the state of many turns, each time in a new array.
const foldedRowCache = new Map<string, LineRow>();
/** Enough for more than a hundred threads. Beyond it the cache is cleared. */
const FOLDED_CACHE_MAX = 4_000;

function foldedRow(line: string): LineRow {
  const cached = foldedRowCache.get(line);
  if (cached) return cached;
  const row = lineRow(toolOfLine(line), `- ${escapeTags(line)}`);
  if (foldedRowCache.size >= FOLDED_CACHE_MAX) foldedRowCache.clear();
  foldedRowCache.set(line, row);
  return row;
}

const lineRow = (tool: string, text: string): LineRow => ({ form: "line", tool, text, quarters: countQuarters(text) });

function toRow({ observed, form, supersededBy, staleBy }: WindowEntry, canRecall: boolean): Row {
  // The later call that the row names may be a different one in the next turn, so the row is not cached.
  if (supersededBy !== null) return digestRow(observed, canRecall, `newer in turn ${supersededBy}`);
  if (staleBy !== null) {
    if (form === "line") return digestRow(observed, canRecall, staleBy);
    return fullRow(observed, escapeTags(observed.text), canRecall, { staleBy });
  }
  const { shown } = observed;
  if (shown.canRecall !== canRecall) {
    shown.canRecall = canRecall;
    shown.line = undefined;
    shown.whole = undefined;
  }
  if (form === "whole") {
    shown.whole ??= fullRow(observed, escapeTags(observed.text), canRecall);
    return shown.whole;
  }
  // The cached whole form is dropped, because an observation that is shown as a line is rarely shown whole again.
  shown.whole = undefined;
  shown.line ??= digestRow(observed, canRecall, null);
  return shown.line;
}

/** `outdatedBy` is the reason why the observation is out of date. */
export function digestRow(observed: ObservedCall, canRecall: boolean, outdatedBy: string | null): LineRow {
  return lineRow(observed.name, renderDigest(observed, canRecall, outdatedBy));
}

export function fullRow(
  observed: ObservedCall,
  body: string,
  canRecall: boolean,
  { cut = false, staleBy = null }: { readonly cut?: boolean; readonly staleBy?: string | null } = {},
): FullRow {
  // The note in a shortened body says how to read what is missing.
  const { before, after } = renderFrame(cut ? { ...observed, partial: false } : observed, canRecall, staleBy);
  const bodyQuarters = countQuarters(body);
  const quarters = countQuarters(before) + bodyQuarters + countQuarters(after);
  return { form: "whole", observed, before, body, after, quarters, bodyQuarters, cut, staleBy, hashed: null };
}

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

/** Each part consists of whole lines. */
export type WindowParts = { readonly header: string; readonly rows: readonly Row[] };

export const windowParts = (window: Window): WindowParts => ({ header: measure(window).header, rows: window.rows });

export const renderWindow = ({ header, rows }: WindowParts): string => [header, ...rows.map(rowText)].join("\n");

export const windowTokens = (window: Window): number => measure(window).tokens;

type Measured = { readonly window: Window; readonly header: string; readonly tokens: number };
let latest: Measured | null = null;

/** Cached, because a window that fits is measured several times in a row without changing. */
function measure(window: Window): Measured {
  if (latest?.window !== window) {
    const header = renderHeader(window);
    const quarters = window.rows.reduce((sum, row) => sum + row.quarters, countQuarters(header));
    latest = { window, header, tokens: quartersToTokens(quarters) };
  }
  return latest;
}

function renderHeader({ rows, counts, canRecall }: Window): string {
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
