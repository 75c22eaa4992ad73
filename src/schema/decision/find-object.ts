// Finds the one top-level object in a reply and skips thoughts, fences and prose. Does not parse JSON.
import { excerptAt, type ParseIssue } from "./parse-issue.ts";

export const DEPTH_MAX = 64;

export type ObjectSpan = { readonly start: number; readonly end: number };
type ScanState = {
  readonly text: string;
  at: number;
  depth: number;
  deepest: number;
  first: ObjectSpan | null;
  /** Position of a bracket outside the first group. Such a bracket makes the reply ambiguous. */
  stray: number | null;
};

const THINK_TAG = /<(\/?)(?:think|thinking|thought|reasoning)\s*>/iy;
const THINK_END = /<\/(?:think|thinking|thought|reasoning)\s*>/gi;
/** Matches brackets around plain words, such as a footnote, a check box or the text of a link. */
const BRACKETED_WORDS = /\[[^[\]{}"\n]{0,200}\]/y;
const SINGLE_OBJECT = "one JSON object with no other brackets around it";

const startScan = (text: string, at: number): ScanState => ({
  text,
  at,
  depth: 0,
  deepest: 0,
  first: null,
  stray: null,
});

/**
 * Brackets count only outside strings, and strings exist only inside brackets: quotes and apostrophes in prose have no meaning. An object that never
 * closes extends to the end of the text, and the JSON reader reports what is wrong with it.
 */
export function findObject(text: string): ObjectSpan | ParseIssue {
  let state = startScan(text, 0);
  while (state.at < text.length) {
    const char = text[state.at];
    if (char === "<") {
      const next = skipTag(state);
      if ("found" in next) return next;
      state = next;
    } else if (char === "[" && state.depth === 0 && skipBracketedWords(state)) continue;
    else if (char === '"' && state.depth > 0) state.at = skipString(text, state.at);
    else scanCharacter(state, char);
  }
  return scanResult(state);
}

/** A lone `</think>` ends a thought that began in the prompt's template, so everything before it is skipped, even braces. */
function skipTag(state: ScanState): ScanState | ParseIssue {
  const { text, at } = state;
  THINK_TAG.lastIndex = at;
  const tag = THINK_TAG.exec(text);
  if (!tag) {
    state.at += 1;
    return state;
  }
  if (tag[1] === "/") return startScan(text, at + tag[0].length);
  if (state.depth > 0) return issueAt(text, at, "a <think> block inside the object", "thinking before the object only");
  THINK_END.lastIndex = at;
  if (!THINK_END.test(text)) return issueAt(text, at, "a <think> that is never closed", "</think> before the object");
  state.at = THINK_END.lastIndex;
  return state;
}

/** Square brackets in prose contain no object, so they do not make the reply ambiguous. */
function skipBracketedWords(state: ScanState): boolean {
  BRACKETED_WORDS.lastIndex = state.at;
  if (!BRACKETED_WORDS.test(state.text)) return false;
  state.at = BRACKETED_WORDS.lastIndex;
  return true;
}

function skipString(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length) {
    if (text[at] === '"') return at + 1;
    at += text[at] === "\\" ? 2 : 1;
  }
  return text.length;
}

function scanCharacter(state: ScanState, char: string | undefined): void {
  const at = state.at++;
  if (char === "{" || char === "[") {
    if (state.depth === 0 && state.first) state.stray ??= at;
    else if (state.depth === 0) state.first = { start: at, end: state.text.length };
    state.depth += 1;
    state.deepest = Math.max(state.deepest, state.depth);
    return;
  }
  if (char === "}" || char === "]") {
    if (state.depth === 0) state.stray ??= at;
    else state.depth -= 1;
    if (state.depth === 0 && state.first && state.stray === null) state.first = { ...state.first, end: at + 1 };
    return;
  }
  // The model may have meant full-width braces in prose as a second object, so they make the reply ambiguous.
  if (state.depth === 0 && char && "｛｝［］".includes(char)) state.stray ??= at;
}

function scanResult({ text, first, stray, deepest }: ScanState): ObjectSpan | ParseIssue {
  if (deepest > DEPTH_MAX)
    return issueAt(text, first?.start ?? 0, "brackets nested too deep", `at most ${DEPTH_MAX} levels`);
  if (stray !== null) return issueAt(text, stray, describeStray(text, stray, first), SINGLE_OBJECT);
  if (!first) return issueAt(text, 0, "no JSON object", SINGLE_OBJECT);
  if (text[first.start] === "[") return issueAt(text, first.start, "square brackets at the top level", SINGLE_OBJECT);
  return first;
}

function describeStray(text: string, at: number, first: ObjectSpan | null): string {
  if ("｛｝［］".includes(text.charAt(at))) return "full-width brackets (write ASCII punctuation)";
  const second = first && text[first.start] === "{" && text[at] === "{";
  return second ? "a second object" : "brackets outside the object";
}

const issueAt = (text: string, at: number, found: string, legal: string): ParseIssue => ({
  field: "",
  found,
  legal,
  excerpt: excerptAt(text, at),
});
