// Limits the requests per minute of each caller with a token bucket. The least recently used buckets are dropped.
import { fail, ok, type Result } from "../../schema/problem.ts";

export type RateLimit = (key: string, now: number) => Result<void>;

const BUCKETS_MAX = 10_000;

export function createRateLimit(per_minute: number): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const per_ms = per_minute / 60_000;
  return (key, now) => {
    const bucket = buckets.get(key) ?? { tokens: per_minute, at: now };
    const tokens = Math.min(per_minute, bucket.tokens + Math.max(0, now - bucket.at) * per_ms);
    // If the clock was set back, the bucket must not wait until the clock catches up.
    if (now < bucket.at) buckets.set(key, { tokens, at: now });
    if (tokens < 1) {
      const retry_after_s = Math.ceil((1 - tokens) / per_ms / 1000);
      return fail("rate_limited", `More than ${per_minute} requests a minute.`, { retry_after_s });
    }
    buckets.delete(key);
    buckets.set(key, { tokens: tokens - 1, at: now });
    const oldest = buckets.keys().next().value;
    if (buckets.size > BUCKETS_MAX && oldest !== undefined) buckets.delete(oldest);
    return ok(undefined);
  };
}
