// Shortens text at character boundaries: by characters, by UTF-8 bytes, or by tokens to head and tail.
import { singleLine } from "../tools/truncate-text.ts";
import { charQuarters } from "./estimate.ts";

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

export function cutChars(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = characterBoundary(text, max);
  return `${text.slice(0, end)} [… ${text.length - end} more characters]`;
}

/** The last character is an ellipsis if the text was shortened. */
export function oneLine(text: string, max: number): string {
  // Only a prefix is processed, because a line of 60 characters must not require a pass over 16 KB.
  const prefix = text.length > max * 4 ? text.slice(0, max * 4) : text;
  const line = isPlain(prefix) ? prefix : singleLine(prefix);
  if (line.length <= max && prefix.length === text.length) return line;
  return `${line.slice(0, characterBoundary(line, Math.min(max - 1, line.length)))}…`;
}

/** In printable ASCII without spaces at its ends, nothing has to be replaced or trimmed. Most lines are like this. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126) return false;
  }
  return !text.startsWith(" ") && !text.endsWith(" ");
}

/** The last character is an ellipsis if the text was shortened. */
export function cutBytes(text: string, max: number): string {
  let bytes = 0;
  let fits = 0;
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    const pair = isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(i + 1));
    bytes += pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    i += pair ? 2 : 1;
    if (bytes > max) return `${text.slice(0, fits)}…`.toWellFormed();
    if (bytes <= max - 3) fits = i;
  }
  return text.toWellFormed();
}

/** Where the head of the text ends and its tail begins, so that both together cost at most `tokens`. */
export function headAndTail(text: string, tokens: number): { readonly head: number; readonly tail: number } {
  const quarterBudget = Math.max(0, tokens * 4);
  const head = scanWithinBudget(text, 0, 1, Math.floor((quarterBudget * 2) / 3));
  const tail = scanWithinBudget(text, text.length - 1, -1, Math.floor(quarterBudget / 3)) + 1;
  if (tail <= head) return { head: text.length, tail: text.length };
  return { head: characterBoundary(text, head), tail: isLowSurrogate(text.charCodeAt(tail)) ? tail + 1 : tail };
}

function scanWithinBudget(text: string, from: number, by: 1 | -1, quarterBudget: number): number {
  let left = quarterBudget;
  let i = from;
  for (; i >= 0 && i < text.length; i += by) {
    left -= charQuarters(text.charCodeAt(i));
    if (left < 0) return i;
  }
  return i;
}

const characterBoundary = (text: string, end: number): number =>
  isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
