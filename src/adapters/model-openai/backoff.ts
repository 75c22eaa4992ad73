// How long to wait before the next try. Pure: time and chance are handed in.
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Nobody is told to come back later than in a day, whatever a provider says. */
const RETRY_AFTER_MS_MAX = 86_400_000;

/** Half of the wait is fixed, half is chance, so that many callers do not come back together. */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (failures - 1));
  return Math.round(full / 2 + (full / 2) * random);
}

/** Retry-After in seconds or as a date, or the provider's own milliseconds; null where it says nothing usable. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const exact = parseDelay(headers.get("retry-after-ms"), 1);
  if (exact !== null) return exact;
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = parseDelay(text, 1_000);
  if (seconds !== null) return seconds;
  // A bare number that got here is not one of ours, but Date.parse would make a year of it.
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : clamp(at - now);
}

function parseDelay(text: string | null, unit: number): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? clamp(Number(text) * unit) : null;
}

const clamp = (ms: number): number => Math.min(Math.max(0, Math.ceil(ms)), RETRY_AFTER_MS_MAX);
