// Compiles a glob to a linear-time expression and a filter that skips folders. Supports only braces, classes, *, ?, **
// and \.
import { RE2JS } from "re2js";
import { fail, ok, type Result } from "../../schema/problem.ts";

export const GLOB_CHARS_MAX = 1_000;
const PROGRAM_MAX = 4_000;

export type Glob = {
  /** Expects a path relative to the start of the search. */
  matches(path: string): boolean;
  /** `named` is true if the glob contains the name of the folder literally. */
  mayContain(folder: string): { readonly possible: boolean; readonly named: boolean };
};

export function compileGlob(text: string): Result<Glob> {
  if (text === "" || text.length > GLOB_CHARS_MAX) {
    return fail("pattern_invalid", `A glob must have 1 to ${GLOB_CHARS_MAX} characters; this one has ${text.length}.`);
  }
  const anchored = text.includes("/");
  const clean = text.replace(/^(\.?\/)+/, "").replace(/(?:\*\*\/){2,}/g, "**/");
  const source = translate(anchored ? clean : `**/${clean}`);
  if (source === null)
    return fail("pattern_invalid", `The glob ${JSON.stringify(text)} has an unclosed bracket or brace.`);
  try {
    const expression = RE2JS.compile(source, RE2JS.DOTALL);
    if (expression.programSize() > PROGRAM_MAX) return fail("pattern_invalid", "The glob is too large.");
    return ok({ matches: (path) => expression.testExact(path), mayContain: folderFilter(clean, anchored) });
  } catch (error) {
    return fail("pattern_invalid", `The glob ${JSON.stringify(text)} is invalid: ${(error as Error).message}`);
  }
}

/** Leading components without special characters limit where matches can be. */
function folderFilter(glob: string, anchored: boolean): Glob["mayContain"] {
  if (!anchored) return () => ({ possible: true, named: false });
  const names = glob.split("/").slice(0, -1);
  const special = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  const fixed = special < 0 ? names : names.slice(0, special);
  const depth = /\*\*|[{\\]/.test(glob) ? Number.POSITIVE_INFINITY : names.length;
  return (folder) => {
    const parts = folder.split("/");
    const possible = parts.length <= depth && fixed.every((name, i) => i >= parts.length || parts[i] === name);
    return { possible, named: possible && parts.length <= fixed.length };
  };
}

function translate(glob: string): string | null {
  let source = "";
  let braces = 0;
  for (let i = 0; i < glob.length; ) {
    const char = glob.charAt(i);
    if (char === "*") {
      const stars = /^\*+/.exec(glob.slice(i))?.[0].length ?? 1;
      const isFullSegment = stars === 2 && /^$|[/{,]$/.test(glob.slice(0, i));
      const next = glob.charAt(i + stars);
      i += stars;
      if (isFullSegment && next === "/") {
        source += "(?:[^/]+/)*";
        i++;
      } else source += isFullSegment && (next === "" || next === "}" || next === ",") ? ".*" : "[^/]*";
      continue;
    }
    if (char === "[") {
      const found = /^\[(!|\^)?(\]?[^\]/]*)\]/.exec(glob.slice(i));
      if (!found) return null;
      const members = (found[2] ?? "").replace(/[\\[\]^&~]/g, "\\$&");
      source += found[1] ? `[^/${members}]` : `[${members}]`;
      i += found[0].length;
      continue;
    }
    if (char === "{") braces++;
    if (char === "}" && braces === 0) return null;
    if (char === "\\") i++;
    source += translateChar(char, glob.charAt(i), braces);
    if (char === "}") braces--;
    i++;
  }
  return braces === 0 ? source : null;
}

function translateChar(char: string, literal: string, braces: number): string {
  if (char === "?") return "[^/]";
  if (char === "{") return "(?:";
  if (char === "}") return ")";
  if (char === "," && braces > 0) return "|";
  return RE2JS.quote(char === "\\" ? literal : char);
}
