// Converts the indentation of written text to that of the file, learned from shared lines: an offset, another width,
// tabs or spaces. It is independent of the language. For text without any indentation, see guess-indent.ts.
import type { LinePair } from "../find/composition.ts";

/** Maps the indentation of a new line. `near` is the adjacent old line. */
export type IndentMap = (indent: string, near: number) => string;

export type IndentSamples = {
  /** One entry per old line, or null if the line is blank or has no single counterpart. */
  readonly pairs: readonly (LinePair | null)[];
  /** The indentations of all non-blank lines of the old and new text. */
  readonly written: readonly string[];
  readonly file: FileUnit;
};

/** The width of a tab when it cannot be determined. */
const TAB_COLUMNS = 4;

const keepIndent: IndentMap = (indent) => indent;

export function learnIndentation(samples: IndentSamples): IndentMap {
  const pairs = samples.pairs.flatMap((pair, at) => (pair ? [{ ...pair, at }] : []));
  if (pairs.every((pair) => pair.old === pair.file))
    return pairs.some((pair) => pair.old !== "") ? keepIndent : inFileUnits(samples);
  const step = writtenStep(samples, pairs);
  return (indent, near) => {
    const nearest = [...pairs].sort((a, b) => Math.abs(a.at - near) - Math.abs(b.at - near));
    const same = nearest.find((pair) => pair.old === indent);
    if (same) return same.file;
    const width = widthOf(indent, step);
    const closest = nearest.reduce((best, pair) =>
      Math.abs(widthOf(pair.old, step) - width) < Math.abs(widthOf(best.old, step) - width) ? pair : best,
    );
    return indentBy(closest.file, width - widthOf(closest.old, step), step, samples.file.unit);
  };
}

/** Without indented samples, corrects only clear mistakes: tabs in a file that uses only spaces, or the reverse. */
function inFileUnits({ written, file: { unit, uniform } }: IndentSamples): IndentMap {
  if (!uniform) return keepIndent;
  const tabs = written.some((indent) => indent.includes("\t"));
  if (tabs === unit.includes("\t")) return keepIndent;
  const step = tabs ? unit.length : spaceStep(["", ...written]);
  if (step === 0) return keepIndent;
  return (indent) => indentBy("", widthOf(indent, step), step, unit);
}

/** The columns of an indentation, in which a tab counts as one step. */
function widthOf(indent: string, step: number): number {
  let width = 0;
  for (const space of indent) width += space === "\t" ? step : 1;
  return width;
}

function indentBy(base: string, columns: number, step: number, unit: string): string {
  const one = unit === "" ? " ".repeat(step) : unit;
  const steps = Math.trunc(columns / step);
  if (steps < 0 || columns < 0) return base.slice(0, Math.max(0, base.length + steps * one.length + (columns % step)));
  return base + one.repeat(steps) + " ".repeat(columns % step);
}

/** The columns per step of the written text, from shared lines at two depths or from its own lines. */
function writtenStep({ written, file: { unit } }: IndentSamples, pairs: readonly LinePair[]): number {
  const tabbed = written.some((indent) => indent.includes("\t"));
  const fileStep = unit.includes("\t") ? 1 : unit.length;
  if (tabbed) return fileStep > 1 ? fileStep : TAB_COLUMNS;
  const writtenOwnStep = spaceStep(written);
  if (fileStep === 0) return writtenOwnStep || 1;
  const depths = new Map<number, number>();
  for (const pair of pairs) depths.set(pair.old.length, widthOf(pair.file, fileStep));
  const known = [...depths].sort(([a], [b]) => a - b);
  const low = known[0];
  const high = known.at(-1);
  if (low && high && high[0] > low[0] && high[1] > low[1]) {
    const step = ((high[0] - low[0]) * fileStep) / (high[1] - low[1]);
    if (Number.isInteger(step) && step > 1) return step;
  }
  // At a single depth, a wider step looks like an offset, unless the widths have exactly that ratio.
  if (writtenOwnStep > 0 && low && low[1] > 0 && low[1] * writtenOwnStep === low[0] * fileStep) return writtenOwnStep;
  return fileStep > 1 ? fileStep : writtenOwnStep || TAB_COLUMNS;
}

/** The most frequent increase of indentation from one line to the next, or 0 if there is none. */
function spaceStep(written: readonly string[]): number {
  const counts = new Map<number, number>();
  written.forEach((indent, index) => {
    const deeper = indent.length - (written[index - 1] ?? indent).length;
    // A single column is alignment, as in block comments.
    if (deeper > 1) counts.set(deeper, (counts.get(deeper) ?? 0) + 1);
  });
  const [top] = [...counts].sort(([a, x], [b, y]) => y - x || a - b);
  return top?.[0] ?? 0;
}

/** The indentation step of the file: a tab, spaces, or "" if the file has too few indented lines. */
export type FileUnit = {
  readonly unit: string;
  /** True if many lines are indented, and all of them with the same character. */
  readonly uniform: boolean;
};

const UNIFORM_STEPS = 5;

export function indentUnitOf(lines: readonly string[], first: number): FileUnit {
  const counts = new Map<string, number>();
  const used = { "\t": false, " ": false };
  let before = "";
  const from = Math.max(0, first - 1000);
  for (const line of lines.slice(from, from + 2000)) {
    const text = line.trimStart();
    if (text === "" || text.startsWith("*")) continue;
    const indent = line.slice(0, line.length - text.length);
    if (indent.includes("\t")) used["\t"] = true;
    if (indent.includes("  ")) used[" "] = true;
    const deeper = indent.length > before.length && indent.startsWith(before) ? indent.slice(before.length) : "";
    if (deeper === "\t" || /^ {2,8}$/.test(deeper)) counts.set(deeper, (counts.get(deeper) ?? 0) + 1);
    before = indent;
  }
  const [unit = "", count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const uniform = count >= UNIFORM_STEPS && !(used["\t"] && used[" "]);
  return { unit: count >= 2 ? unit : "", uniform };
}
