// Proposes mutants of a source file by rules for a developer to choose from. Each changes one line that occurs only
// once.
import type { Mutant } from "./catalog.ts";

type Rule = { readonly name: string; readonly change: (line: string) => string | null };

const swap =
  (pattern: RegExp, replacement: string) =>
  (line: string): string | null =>
    pattern.test(line) ? line.replace(pattern, replacement) : null;

const RULES: readonly Rule[] = [
  { name: "equality is negated", change: swap(/ === /, " !== ") },
  { name: "inequality is negated", change: swap(/ !== /, " === ") },
  { name: "a bound is off by one", change: swap(/ >= /, " > ") },
  { name: "a bound is off by one", change: swap(/ <= /, " < ") },
  { name: "a bound is off by one", change: swap(/(?<![=-]) > /, " >= ") },
  { name: "a bound is off by one", change: swap(/ < /, " <= ") },
  { name: "the first part of a condition is dropped", change: swap(/[\w.?!()]+ && /, "") },
  { name: "a condition is widened", change: swap(/ && /, " || ") },
  { name: "a condition is narrowed", change: swap(/ \|\| /, " && ") },
  { name: "an early return is skipped", change: swap(/^(\s*)if \((.+)\) return\b.*;$/, "$1") },
  { name: "a condition always holds", change: swap(/^(\s*)if \((?!true).+\) (return\b.*;|\{)$/, "$1if (true) $2") },
  { name: "the smaller value is taken", change: swap(/Math\.max\(/, "Math.min(") },
  { name: "the larger value is taken", change: swap(/Math\.min\(/, "Math.max(") },
  { name: "an increment is lost", change: swap(/ \+ 1\b/, "") },
  { name: "a flag is inverted", change: swap(/\btrue\b/, "false") },
  { name: "a flag is inverted", change: swap(/\bfalse\b/, "true") },
  { name: "a set is empty", change: swap(/new Set\((?!\))[^()]*\)/, "new Set()") },
  { name: "a list is not extended", change: swap(/\[\.\.\.([\w.]+), \w+\]/, "[...$1]") },
];

export function proposeMutants(file: string, source: string): readonly Mutant[] {
  const lines = source.split("\n");
  return lines.flatMap((line) => {
    if (isNoCode(line) || lines.filter((other) => other.includes(line.trim())).length !== 1) return [];
    return RULES.flatMap(({ name, change }) => {
      const changed = change(line);
      if (changed === null || changed === line) return [];
      return [{ file, find: line.trim(), replace: changed.trim(), what: name }];
    });
  });
}

const isNoCode = (line: string): boolean => /^\s*(?:\/\/|\/?\*|import |export type|type |\}|$)/.test(line);
