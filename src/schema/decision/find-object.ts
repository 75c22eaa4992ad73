// Finds the one top-level object in a reply and leaves thoughts, fences and prose aside. Does not read JSON.
import { excerptAt, type Flaw } from "./flaw.ts";

export const DEPTH_MAX = 64;

export type Found = { readonly start: number; readonly end: number };
type Search = {
  readonly text: string;
  at: number;
  depth: number;
  deepest: number;
  first: Found | null;
  /** A bracket outside the first group: it makes the reply ambiguous. */
  stray: number | null;
};

const THINK_TAG = /<(\/?)think\s*>/iy;
const THINK_END = /<\/think\s*>/gi;
const BRACKETS = "one JSON object with no other brackets around it";

const restart = (text: string, at: number): Search => ({ text, at, depth: 0, deepest: 0, first: null, stray: null });

/**
 * Brackets are counted only outside strings, and strings exist only inside brackets: an apostrophe or a quote in prose
 * means nothing. A byte order mark, zero-width characters and a code fence need no care of their own, they are prose.
 * An object that never closes reaches to the end of the text, where the JSON reader says what is wrong with it.
 */
export function findObject(text: string): Found | Flaw {
  let search = restart(text, 0);
  while (search.at < text.length) {
    const char = text[search.at];
    if (char === "<") {
      const next = passTag(search);
      if ("found" in next) return next;
      search = next;
    } else if (char === '"' && search.depth > 0) search.at = afterString(text, search.at);
    else passCharacter(search, char);
  }
  return conclude(search);
}

/** A lone `</think>` ends a thought that began in the prompt's template: all before it was thinking, even braces. */
function passTag(search: Search): Search | Flaw {
  const { text, at } = search;
  THINK_TAG.lastIndex = at;
  const tag = THINK_TAG.exec(text);
  if (!tag) {
    search.at += 1;
    return search;
  }
  if (tag[1] === "/") return restart(text, at + tag[0].length);
  if (search.depth > 0) return flaw(text, at, "a <think> block inside the object", "thinking before the object only");
  THINK_END.lastIndex = at;
  if (!THINK_END.test(text)) return flaw(text, at, "a <think> that is never closed", "</think> before the object");
  search.at = THINK_END.lastIndex;
  return search;
}

function afterString(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length) {
    if (text[at] === '"') return at + 1;
    at += text[at] === "\\" ? 2 : 1;
  }
  return text.length;
}

function passCharacter(search: Search, char: string | undefined): void {
  const at = search.at++;
  if (char === "{" || char === "[") {
    if (search.depth === 0 && search.first) search.stray ??= at;
    else if (search.depth === 0) search.first = { start: at, end: search.text.length };
    search.depth += 1;
    search.deepest = Math.max(search.deepest, search.depth);
    return;
  }
  if (char === "}" || char === "]") {
    if (search.depth === 0) search.stray ??= at;
    else search.depth -= 1;
    if (search.depth === 0 && search.first && search.stray === null) search.first = { ...search.first, end: at + 1 };
    return;
  }
  // Full-width braces in prose look like a second object to the model that wrote them.
  if (search.depth === 0 && char && "｛｝［］".includes(char)) search.stray ??= at;
}

function conclude({ text, first, stray, deepest }: Search): Found | Flaw {
  if (deepest > DEPTH_MAX)
    return flaw(text, first?.start ?? 0, "brackets nested too deep", `at most ${DEPTH_MAX} levels`);
  if (stray !== null) return flaw(text, stray, strayName(text, stray, first), BRACKETS);
  if (!first) return flaw(text, 0, "no JSON object", BRACKETS);
  if (text[first.start] === "[") return flaw(text, first.start, "square brackets at the top level", BRACKETS);
  return first;
}

function strayName(text: string, at: number, first: Found | null): string {
  if ("｛｝［］".includes(text.charAt(at))) return "full-width brackets (write ASCII punctuation)";
  const second = first && text[first.start] === "{" && text[at] === "{";
  return second ? "a second object" : "brackets outside the object";
}

const flaw = (text: string, at: number, found: string, legal: string): Flaw => ({
  field: "",
  found,
  legal,
  excerpt: excerptAt(text, at),
});
