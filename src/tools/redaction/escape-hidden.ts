// Escapes characters that are invisible or change the text direction, in text for a person who has to decide.
/** Matches characters that are never drawn, controls, separators, private and unassigned characters, and unusual blanks. */
const HIDDEN = /[\p{DI}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\u00a0\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;
/** These characters are common in any text, so they are not escaped. */
const PLAIN = new Set(["\n", "\t"]);

export const escapeHidden = (text: string): string =>
  text.replace(HIDDEN, (char) => (PLAIN.has(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`));

const SHOWN_BYTES = 3_072;
const NOT_SHOWN = "bytes are not shown here …";

export const isFullyShown = (shown: string): boolean => !shown.includes(NOT_SHOWN);

export const formatAllArguments = (args: Record<string, unknown>): string =>
  escapeHidden(JSON.stringify(args, null, 2));

/** JSON, so that a person sees exactly what is sent. The middle of long arguments is omitted. */
export function formatArguments(args: Record<string, unknown>): string {
  const whole = formatAllArguments(args);
  const bytes = new TextEncoder().encode(whole);
  if (bytes.length <= SHOWN_BYTES) return whole;
  const half = SHOWN_BYTES / 2 - 40;
  const head = decode(bytes.subarray(0, half));
  const tail = decode(bytes.subarray(bytes.length - half));
  return `${head}\n… ${bytes.length - 2 * half} of ${bytes.length} ${NOT_SHOWN}\n${tail}`;
}

/** Drops a character that was cut at either end. */
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/^\ufffd+|\ufffd+$/g, "");
