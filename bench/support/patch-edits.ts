// Creates edits for the patch benchmark: blocks of the installed packages' files, changed in the way people change
// code.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "./random.ts";

const ROOT = join(import.meta.dirname, "../..");
const FILE_BYTES_MIN = 4_000;
const FILE_BYTES_MAX = 60_000;
const FILES_PER_PACKAGE = 24;
const LINE_CHARS_MAX = 200;

/** Replaces lines `first` to `first + oldLines.length - 1` of the file with `newLines`. */
export type BlockEdit = {
  readonly lines: readonly string[];
  readonly first: number;
  readonly old: readonly string[];
  readonly replacement: readonly string[];
};

export function sourceFiles(): string[][] {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const names = Object.keys({ ...dependencies, ...devDependencies }).sort();
  return names.flatMap((name) => {
    const paths = filesUnder(join(ROOT, "node_modules", name)).sort();
    const step = Math.max(1, Math.floor(paths.length / FILES_PER_PACKAGE));
    return paths.filter((_, index) => index % step === 0).flatMap((path) => readableLines(path) ?? []);
  });
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesUnder(path);
    if (!entry.isFile() || !/\.(ts|mts|js|mjs|cjs|md|css|py)$/.test(entry.name)) return [];
    const { size } = statSync(path);
    return size >= FILE_BYTES_MIN && size <= FILE_BYTES_MAX ? [path] : [];
  });
}

function readableLines(path: string): [string[]] | null {
  const lines = readFileSync(path, "utf8").replaceAll("\r\n", "\n").split("\n");
  const readable = lines.length > 60 && lines.every((line) => line.length <= LINE_CHARS_MAX && !line.includes("\r"));
  return readable ? [lines] : null;
}

export const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);

export const isBlank = (line: string): boolean => line.trim() === "";

export const applyEdit = ({ lines, first, old, replacement }: BlockEdit): string[] => [
  ...lines.slice(0, first),
  ...replacement,
  ...lines.slice(first + old.length),
];

/** Counts how often these lines occur in the file, ignoring trailing whitespace. */
export function countBlock(lines: readonly string[], block: readonly string[]): number {
  const trimmed = block.map((line) => line.trim());
  return lines.filter((_, at) => trimmed.every((line, offset) => lines[at + offset]?.trim() === line)).length;
}

/** Returns null if the random choice was unsuitable. */
export function makeEdit(lines: readonly string[], random: Random): BlockEdit | null {
  const length = 4 + random.below(9);
  const first = random.below(lines.length - length);
  const old = lines.slice(first, first + length);
  if (old.filter((line) => line.trim().length > 3).length < 4 || isBlank(old[0] ?? "") || isBlank(old.at(-1) ?? ""))
    return null;
  const change = random.pick([changeWord, changeWord, insertLines, insertLines, removeLine, wrapLines, replaceLine]);
  const replacement = change?.(old, 1 + random.below(length - 2), lines, random);
  if (!replacement || replacement.join("\n") === old.join("\n") || countBlock(lines, old) !== 1) return null;
  return { lines, first, old, replacement };
}

type Change = (old: readonly string[], at: number, lines: readonly string[], random: Random) => string[] | null;

const splice = (old: readonly string[], at: number, count: number, ...lines: string[]): string[] =>
  old.toSpliced(at, count, ...lines);

const changeWord: Change = (old, at, _lines, random) => {
  const line = old[at] ?? "";
  const word = random.pick([...line.matchAll(/[A-Za-z_]{3,}/g)]);
  return word ? splice(old, at, 1, `${line.slice(0, word.index)}next${line.slice(word.index)}`) : null;
};

/** Inserts a few lines with the same indentation from elsewhere in the file. */
const insertLines: Change = (old, at, lines, random) => {
  const depth = indentOf(old[at] ?? "");
  const from = random.below(lines.length - 4);
  const taken = lines.slice(from, from + 1 + random.below(3));
  const fits = taken.every((line) => isBlank(line) || line.startsWith(depth)) && indentOf(taken[0] ?? "") === depth;
  return fits && !isBlank(taken[0] ?? "") && !isBlank(taken.at(-1) ?? "") ? splice(old, at, 0, ...taken) : null;
};

const removeLine: Change = (old, at) => (isBlank(old[at] ?? "") ? null : splice(old, at, 1));

const wrapLines: Change = (old, at, lines) => {
  const line = old[at] ?? "";
  if (isBlank(line) || /^[})\]*/]/.test(line.trim())) return null;
  const unit = lines.some((other) => other.startsWith("\t"))
    ? "\t"
    : lines.some((other) => /^ {2}\S/.test(other))
      ? "  "
      : "    ";
  return splice(old, at, 1, `${indentOf(line)}if (ready) {`, unit + line, `${indentOf(line)}}`);
};

const replaceLine: Change = (old, at, lines, random) => {
  const line = old[at] ?? "";
  const other = random.pick(lines)?.trim() ?? "";
  return isBlank(line) || other.length < 6 ? null : splice(old, at, 1, indentOf(line) + other);
};
