// Computes the delay before the next attempt from the backoff and from the headers of the provider.
import type { Backoff } from "../../ports/backoff.ts";

/** One half of the delay is fixed, and the other half is random. */
export const MODEL_BACKOFF: Backoff = { first_ms: 500, max_ms: 8_000, spread: [0.5, 1] };
const RETRY_AFTER_MS_MAX = 24 * 3_600_000;

/** Null if neither header is usable. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const exact = parseDelay(headers.get("retry-after-ms"), 1);
  if (exact !== null) return exact;
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = parseDelay(text, 1_000);
  if (seconds !== null) return seconds;
  // Date.parse would read a bare number as a year.
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : clamp(at - now);
}

function parseDelay(text: string | null, unit: number): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? clamp(Number(text) * unit) : null;
}

const clamp = (ms: number): number => Math.min(Math.max(0, Math.ceil(ms)), RETRY_AFTER_MS_MAX);
