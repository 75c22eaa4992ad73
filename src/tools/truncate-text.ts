// Cuts long text to head and tail, saying what is missing. Never splits a surrogate pair.
export function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = safeEnd(text, Math.floor(max * 0.75));
  const tail = safeStart(text, text.length - Math.floor(max * 0.2));
  return `${text.slice(0, head)}\n… ${tail - head} of ${text.length} characters left out …\n${text.slice(tail)}`;
}

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
