// Cuts long text to its beginning, or to its head and tail, and says what is missing. Never splits a surrogate pair.
/** Keeps the head and the tail, in whole lines if possible, so that the note can name the missing lines. */
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

/** The note of `truncateMiddle`: the last missing line, and whether it is missing only in part. */
const GAP = /^… characters \d+–\d+ of \d+ left out \(lines? (?:\d+–)?(\d+)(, the last in part)?\) …$/;

/** Null if the line is not a note of `truncateMiddle`. */
export function lineAfterGap(line: string): number | null {
  const [, last, part] = GAP.exec(line) ?? [];
  return last === undefined ? null : Number(last) + (part === undefined ? 1 : 0);
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Ends after the last line break in the second half, if there is one. */
function endOfLine(text: string, at: number): number {
  const end = text.lastIndexOf("\n", at - 1) + 1;
  return end > at / 2 ? end : at;
}

function startOfLine(text: string, at: number): number {
  const start = text.indexOf("\n", at) + 1;
  return start > 0 && start - at < (text.length - at) / 2 ? start : at;
}

/** Runs of line breaks and control characters become a space; other whitespace may be part of a name or of code. */
export const singleLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

/** `max` counts UTF-16 code units. */
export const truncateChars = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, safeEnd(text, max));

const WORD = String.raw`[\p{Script=Latin}\p{N}_.,:=@/+-]`;
const startsInWord = new RegExp(`^${WORD}`, "u");
const lastWord = new RegExp(`${WORD}{1,60}$`, "u");

/** Marks the cut with "…". A number is not cut, because its beginning would read as another number. */
export function truncateWords(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, safeEnd(text, max - 1));
  const whole = startsInWord.test(text.slice(head.length)) ? head.replace(lastWord, "") : head;
  return `${whole.trimEnd()}…`;
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
const safeEnd = (text: string, at: number): number => (isLow(text.charCodeAt(at)) ? at - 1 : at);
const safeStart = (text: string, at: number): number => (isLow(text.charCodeAt(at)) ? at + 1 : at);

/** `max` counts UTF-8 bytes. No character is cut. */
export function truncateBytes(text: string, max: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= max) return text;
  let end = max;
  // A byte of the form 10xxxxxx is inside a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
