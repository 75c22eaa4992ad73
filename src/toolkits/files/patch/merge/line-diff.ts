// Computes an edit script from the old lines to the new ones: keep, change, drop, add.
import { similarity } from "../find/similarity.ts";

export type Edit =
  | { readonly kind: "keep"; readonly old: number; readonly new: number }
  | { readonly kind: "change"; readonly old: number; readonly new: number }
  | { readonly kind: "drop"; readonly old: number }
  | { readonly kind: "add"; readonly new: number };

/** The maximum size of the comparison table. Beyond it, everything between the common ends counts as replaced. */
const MAX_CELLS = 4_000_000;
const MIN_SIMILARITY = 0.5;

export function diffLines(oldLines: readonly string[], newLines: readonly string[]): Edit[] {
  const { head, tail } = sharedEnds(oldLines, newLines);
  const script: Edit[] = [];
  for (let i = 0; i < head; i += 1) script.push({ kind: "keep", old: i, new: i });
  let lastOld = head;
  let lastNew = head;
  const common = longestCommon(oldLines, newLines, head, tail);
  for (const [i, j] of [...common, [oldLines.length - tail, newLines.length - tail] as const]) {
    script.push(...pairUp(oldLines, newLines, [lastOld, i], [lastNew, j]));
    if (i < oldLines.length - tail) script.push({ kind: "keep", old: i, new: j });
    lastOld = i + 1;
    lastNew = j + 1;
  }
  for (let k = tail; k > 0; k -= 1) script.push({ kind: "keep", old: oldLines.length - k, new: newLines.length - k });
  return script;
}

type Range = readonly [from: number, to: number];

/** The numbers of equal lines at the beginning and at the end, which do not overlap. */
export function sharedEnds(a: readonly string[], b: readonly string[]): { head: number; tail: number } {
  const shortest = Math.min(a.length, b.length);
  let head = 0;
  while (head < shortest && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return { head, tail };
}

function longestCommon(a: readonly string[], b: readonly string[], head: number, tail: number): [number, number][] {
  const rows = a.length - head - tail;
  const columns = b.length - head - tail;
  if (rows === 0 || columns === 0 || rows * columns > MAX_CELLS) return [];
  const gain = (i: number, j: number) => (a[head + i] === b[head + j] ? 1 + (a[head + i]?.trim() ? 1 : 0) : 0);
  return traceBest(rows, columns, gain).map(([i, j]) => [head + i, head + j]);
}

/** The sequence of pairs with the highest total gain. Lines with a gain of 0 cannot be paired. */
function traceBest(rows: number, columns: number, gain: (i: number, j: number) => number): [number, number][] {
  const width = columns + 1;
  const best = new Float32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i -= 1)
    for (let j = columns - 1; j >= 0; j -= 1) {
      const pairGain = gain(i, j);
      const paired = pairGain > 0 ? pairGain + (best[(i + 1) * width + j + 1] ?? 0) : 0;
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
    }
  const pairs: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < rows && j < columns) {
    const here = best[i * width + j] ?? 0;
    if (here === (best[(i + 1) * width + j] ?? 0)) i += 1;
    else if (here === (best[i * width + j + 1] ?? 0)) j += 1;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

/** Pairs similar lines within a replaced region as changed lines. */
function pairUp(oldLines: readonly string[], newLines: readonly string[], from: Range, to: Range): Edit[] {
  const rows = from[1] - from[0];
  const columns = to[1] - to[0];
  // A single line that replaces a single line is a change even if they are not similar, so that it keeps its position.
  const floor = rows === 1 && columns === 1 ? 0 : MIN_SIMILARITY;
  const alike = (i: number, j: number) => resemblance(oldLines[from[0] + i] ?? "", newLines[to[0] + j] ?? "", floor);
  const pairs = rows * columns > 0 && rows * columns <= 10_000 ? traceBest(rows, columns, alike) : [];
  const script: Edit[] = [];
  let i = from[0];
  let j = to[0];
  for (const [a, b] of [...pairs, [rows, columns] as const]) {
    for (; i < from[0] + a; i += 1) script.push({ kind: "drop", old: i });
    for (; j < to[0] + b; j += 1) script.push({ kind: "add", new: j });
    if (a < rows && b < columns) script.push({ kind: "change", old: i++, new: j++ });
  }
  return script;
}

function resemblance(a: string, b: string, floor: number): number {
  const [x, y] = [a.trim(), b.trim()];
  if (x === "" || y === "") return x === y ? 0.1 : 0;
  const alike = x.startsWith(y) || y.startsWith(x) ? Math.max(0.6, similarity(x, y)) : similarity(x, y);
  return alike >= floor ? Math.max(alike, 0.01) : 0;
}
