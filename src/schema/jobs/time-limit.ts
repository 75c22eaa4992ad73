// Whether something that ends by itself, such as a lease or a ticket, has not ended yet.

/** How far the clocks of two machines may be apart. */
export const CLOCK_SKEW_MS = 60_000;

/**
 * What ends later than `longest_ms` from now was stored while the clock was ahead. It counts as ended; otherwise it
 * could block other callers, or be accepted, for years.
 */
export const lastsUntil = (until: number, now: number, longest_ms: number): boolean =>
  now < until && until <= now + longest_ms + CLOCK_SKEW_MS;

/**
 * Whether `ms` have passed since `since`. A time in the future was written by a clock that was ahead, so it counts as passed; otherwise the
 * wait could take years.
 */
export const hasPassed = (since: number, ms: number, now: number): boolean =>
  now - since >= ms || since > now + CLOCK_SKEW_MS;
