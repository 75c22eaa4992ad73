// Cuts long text to its beginning, or to head and tail, saying what is missing. Never splits a surrogate pair.

/** Returns head and tail of a long text, in whole lines if possible, so that the note can name the lines that are missing. */
export function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = endOfLine(text, safeEnd(text, Math.floor(max * 0.75)));
  const tail = startOfLine(text, safeStart(text, text.length - Math.floor(max * 0.2)));
  const first = lineAt(text, head);
  const last = lineAt(text, tail - 1);
  const part = text[tail - 1] === "\n" ? "" : ", the last in part";
  const lines = first === last ? `line ${first}` : `lines ${first}–${last}`;
  const shown = text.slice(0, head).replace(/\n$/, "");
  return `${shown}\n… characters ${head + 1}–${tail} of ${text.length} left out (${lines}${part}) …\n${text.slice(tail)}`;
}

/** The number of the line with the note's last line in it, and whether the text after the note begins within that line. */
const GAP = /^… characters \d+–\d+ of \d+ left out \(lines? (?:\d+–)?(\d+)(, the last in part)?\) …$/;

/** The number of the line after this one, if this is the note of `truncateMiddle`; null otherwise. */
export function lineAfterGap(line: string): number | null {
  const [, last, part] = GAP.exec(line) ?? [];
  return last === undefined ? null : Number(last) + (part === undefined ? 1 : 0);
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** The position after the last line break in the second half; the given position if there is none. */
function endOfLine(text: string, at: number): number {
  const end = text.lastIndexOf("\n", at - 1) + 1;
  return end > at / 2 ? end : at;
}

function startOfLine(text: string, at: number): number {
  const start = text.indexOf("\n", at) + 1;
  return start > 0 && start - at < (text.length - at) / 2 ? start : at;
}

/** Returns the text as one line: runs of line breaks and control characters become a space. Other whitespace may be part of a name or of code. */
export const singleLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

/** The beginning of a text within so many characters of UTF-16. */
export const truncateChars = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, safeEnd(text, max));

const WORD = String.raw`[\p{Script=Latin}\p{N}_.,:=@/+-]`;
const startsInWord = new RegExp(`^${WORD}`, "u");
const lastWord = new RegExp(`${WORD}{1,60}$`, "u");

/** The beginning of a text within so many characters, marked with "…". A number is not cut: its beginning reads as another one. */
export function truncateWords(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, safeEnd(text, max - 1));
  const whole = startsInWord.test(text.slice(head.length)) ? head.replace(lastWord, "") : head;
  return `${whole.trimEnd()}…`;
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
const safeEnd = (text: string, at: number): number => (isLow(text.charCodeAt(at)) ? at - 1 : at);
const safeStart = (text: string, at: number): number => (isLow(text.charCodeAt(at)) ? at + 1 : at);

/** The beginning of a text within so many UTF-8 bytes, cut at a character. */
export function truncateBytes(text: string, max: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= max) return text;
  let end = max;
  // 10xxxxxx is the middle of a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
