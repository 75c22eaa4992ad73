// Decides whether a time limit, such as that of a lease or a ticket, has passed, even if clocks differ.
/** The maximum difference between the clocks of two machines. */
export const CLOCK_SKEW_MS = 60_000;

/** A limit later than `longest_ms` from now was stored by a clock that was ahead. It counts as passed: it could block other callers for years. */
export const lastsUntil = (until: number, now: number, longest_ms: number): boolean =>
  now < until && until <= now + longest_ms + CLOCK_SKEW_MS;

/** A time in the future was written by a clock that was ahead. It counts as passed: otherwise the wait could take years. */
export const hasPassed = (since: number, ms: number, now: number): boolean =>
  now - since >= ms || since > now + CLOCK_SKEW_MS;
