// Judges sed and awk programs. They are parsed far enough to see whether they write files or start commands. In unclear
// cases, they count as if they did.
import { type Arg, NONE, type Rule } from "../../model.ts";
import { anyWord, has, readOptions, valuesOf, wordsOf } from "../../parse/options.ts";
import type { RiskCode } from "../../reasons.ts";

export const sed: Rule = (command) => {
  const options = readOptions(command.args, "e f l expression file line-length");
  // GNU sed accepts the suffix directly after -i, so every letter after an i belongs to the suffix.
  const inPlace =
    options.longs.some((long) => "in-place".startsWith(long) && long.length >= 2) ||
    anyWord(command.args, /^-[nErsuz]*[iI]/);
  if (inPlace) return ["edit_in_place"];
  if (has(options, "sandbox")) return NONE;
  if (has(options, "f file")) return ["script"];
  const inline = valuesOf(options, "e expression");
  const programs: readonly Arg[] =
    inline.length > 0 ? inline.map((value) => ({ value, known: true, wild: "no" })) : options.operands.slice(0, 1);
  if (programs.some((program) => !program.known && isVariable(program.value))) return ["not_literal"];
  if (inline.some((text) => isVariable(text) && text.length > 2)) return ["not_literal"];
  return programs.flatMap((program) => sedRisks(program.value));
};

/** True if the program consists only of a variable and so cannot be analyzed. */
const isVariable = (program: string): boolean => /^\$\{?\w+\}?$/.test(program);

/** Returns the risks of a sed program. The commands `w`, `W`, `e` and the flags `w`, `e` of `s` write or run. */
export function sedRisks(program: string): readonly RiskCode[] {
  let at = 0;
  const peek = (): string => program[at] ?? "";
  const skip = (chars: RegExp): void => {
    while (at < program.length && chars.test(peek())) at++;
  };
  /** Skips past the closing delimiter. Returns false if there is none. */
  const until = (delimiter: string): boolean => {
    for (; at < program.length; at++) {
      if (peek() === "\\") at++;
      else if (peek() === "[" && delimiter !== "[") skipClass();
      else if (peek() === delimiter) return ++at > 0;
    }
    return false;
  };
  const skipClass = (): void => {
    const end = program.indexOf("]", at + 2);
    const line = program.indexOf("\n", at);
    if (end > 0 && (line < 0 || end < line)) at = end;
  };
  const address = (): boolean => {
    if (peek() === "/" || peek() === "\\") {
      at += peek() === "/" ? 1 : 2;
      const closed = until(program[at - 1] ?? "/");
      skip(/[IM]/);
      return closed;
    }
    skip(/[\d$~+]/);
    return true;
  };
  while (at < program.length) {
    skip(/[\s;{}]/);
    if (at >= program.length) break;
    if (!address()) return ["code"];
    skip(/\s/);
    if (peek() === ",") {
      at++;
      skip(/\s/);
      if (!address()) return ["code"];
    }
    skip(/[\s!]/);
    const verb = peek();
    at++;
    if (verb === "w" || verb === "W") return /^\s*\/dev\/std(?:out|err)\s*$/.test(restOfLine()) ? NONE : ["overwrite"];
    if (verb === "e") return ["code"];
    if (verb === "s" || verb === "y") {
      const delimiter = peek();
      at++;
      if (!until(delimiter) || !until(delimiter)) return ["code"];
      const flags = /^[^;}\n]*/.exec(program.slice(at))?.[0] ?? "";
      if (/^[\sgpiIMm\d]*e/.test(flags)) return ["code"];
      if (/^[\sgpiIMm\d]*w/.test(flags)) return ["overwrite"];
      at += flags.length;
      continue;
    }
    if ("aicrRbtT:".includes(verb)) {
      const stop = "aic".includes(verb) || "rR".includes(verb) ? /^[^\n]*(?:\\\n[^\n]*)*/ : /^[^;\n}]*/;
      at += stop.exec(program.slice(at))?.[0].length ?? 0;
      continue;
    }
    if (verb === "#") {
      at += /^[^\n]*/.exec(program.slice(at))?.[0].length ?? 0;
      continue;
    }
    if (!"pPdDnNgGhHxlqQ=zF{}$".includes(verb)) return ["code"];
    if ("lqQ".includes(verb)) skip(/[\s\d]/);
  }
  return NONE;

  function restOfLine(): string {
    return /^[^\n]*/.exec(program.slice(at))?.[0] ?? "";
  }
}

export const awk: Rule = (command) => {
  const options = readOptions(command.args, "F v f e i l assign field-separator file source include load");
  if (valuesOf(options, "i include l load").length > 0 || has(options, "inplace")) return ["edit_in_place"];
  if (has(options, "f file")) return NONE;
  const sources = valuesOf(options, "e source");
  const programs = sources.length > 0 ? sources : wordsOf(options.operands.slice(0, 1));
  if (sources.length === 0 && options.operands[0]?.wild !== "no" && options.operands.length > 0) return ["not_literal"];
  if (sources.length === 0 && options.operands[0]?.known === false && programs.some(isVariable)) return ["not_literal"];
  return programs.flatMap(awkRisks);
};

/**
 * Returns the risks of an awk program. Outside strings and regular expressions, only `system`, an indirect call, a
 * pipe, `getline` from a computed file, or `>` in a print is a risk.
 */
export function awkRisks(program: string): readonly RiskCode[] {
  const bare = program
    // A pipe into a command that only sorts or counts is still read-only.
    .replace(/\|\s*"(?:sort|uniq|wc|head|tail|cat 1?>&2|column)(?: -?[\w,.:+-]+)*"/g, " ")
    .replace(/"(?:[^"\\]|\\[\s\S])*"/g, (text) => (/^"\/dev\/std(?:out|err)"$/.test(text) ? " STD " : ' "" '))
    .replace(/(^|[\s(,;{}!~&|=])\/(?:[^/\\\n]|\\.)*\//g, "$1 0 ")
    .replace(/#[^\n]*/g, "");
  if (/\bsystem\s*\(|@\w|\bgetline\b\s*<\s*[^\s"]/.test(bare)) return ["code"];
  if (/(?<!\|)\|(?!\|)/.test(bare)) return ["code"];
  for (const [, print] of bare.matchAll(/\bprintf?\b([^;}\n]*)/g)) {
    const flat = withoutParens(print ?? "");
    if (/>/.test(flat.replace(/>\s*STD/g, ""))) return ["overwrite"];
  }
  return NONE;
}

/** Removes the text in parentheses, where `>` is a comparison. */
function withoutParens(text: string): string {
  let depth = 0;
  let flat = "";
  for (const char of text) {
    if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) flat += char;
  }
  return flat;
}
