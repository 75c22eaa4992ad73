// Estimates how many tokens text costs, without a tokenizer, in one pass over its characters. Measured usage corrects the estimate.
/** Tokens that a provider adds per message. */
export const MESSAGE_TOKENS = 6;

const FACTOR_MIN = 0.5;
const FACTOR_MAX = 3;
/** The weight of the newest measurement. One unusual reply must not change the factor much, but ten of them may. */
const SMOOTHING = 0.3;

/**
 * At least 1. A CJK character counts as one token, a digit or another non-ASCII character as half, an ASCII character as a quarter, and whitespace as
 * none. Tokenizers split numbers into groups of one to three digits.
 */
export const estimateTokens = (text: string): number => quartersToTokens(countQuarters(text));

/** The quarters of parts can be added up, but not their tokens, because only the total is rounded. */
export const quartersToTokens = (quarters: number): number => Math.max(1, Math.ceil(quarters / 4));

/** Uses a lookup table, because every prompt is counted and a branch per character would be slower. */
export function countQuarters(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    sum += code < 128 ? (ASCII_QUARTERS[code] ?? 0) : wideQuarters(code);
  }
  return sum;
}

const ASCII_QUARTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  code === 32 || (code >= 9 && code <= 13) ? 0 : code >= 48 && code <= 57 ? 2 : 1,
);

/** Text that is joined from counted parts need not be counted again. */
export type CountedText = { readonly text: string; readonly quarters: number };

export const countText = (text: string): CountedText => ({ text, quarters: countQuarters(text) });

/** A line break costs nothing, so the sizes of the parts add up. */
export function joinLines(parts: readonly (CountedText | string)[]): CountedText {
  let quarters = 0;
  const texts = parts.map((part) => {
    const { text, quarters: size } = typeof part === "string" ? countText(part) : part;
    quarters += size;
    return text;
  });
  return { text: texts.join("\n"), quarters };
}

/** The two halves of a surrogate pair add up to one token. */
export const charQuarters = (code: number): number => (code < 128 ? (ASCII_QUARTERS[code] ?? 0) : wideQuarters(code));

function wideQuarters(code: number): number {
  if (code >= 0x2e80 && code <= 0x9fff) return code === 0x3000 ? 0 : 4;
  if ((code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xffef)) {
    return 4;
  }
  return isWideSpace(code) ? 0 : 2;
}

const isWideSpace = (code: number): boolean =>
  code === 0xa0 || code === 0x85 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029;

/** Smoothed over the replies of one model and kept within bounds. `estimated` is the uncorrected estimate of the messages that were sent. */
export function correctFactor(previous: number | null, estimated: number, reported: number): number {
  const usable = Number.isFinite(estimated) && Number.isFinite(reported) && estimated > 0 && reported > 0;
  if (!usable) return clampFactor(previous ?? 1);
  const measured = clampFactor(reported / estimated);
  return clampFactor(previous === null ? measured : previous + SMOOTHING * (measured - previous));
}

const clampFactor = (factor: number): number => Math.min(FACTOR_MAX, Math.max(FACTOR_MIN, factor));
