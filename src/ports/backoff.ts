// Computes how long to wait before the next attempt. Pure: the caller passes in the random number.
import type { Hash } from "./hash.ts";

export type Backoff = {
  readonly first_ms: number;
  readonly max_ms: number;
  /** Factor between one delay and the next. Default: 2. */
  readonly factor?: number;
  /** The delay is multiplied by a random number in this range, so that many callers do not retry at the same time. Default: [1, 1]. */
  readonly spread?: readonly [min: number, max: number];
};

/** `failures` counts from 1; `random` is from 0 to 1. */
export function backoffMs(
  { first_ms, max_ms, factor = 2, spread: [min, max] = [1, 1] }: Backoff,
  failures: number,
  random: number,
): number {
  const delay = Math.min(max_ms, first_ms * factor ** (failures - 1));
  return delay * (min + (max - min) * random);
}

/** From 0 to 1. Depends only on `seed`, so that two processes agree on the same jitter. */
export const seededRandom = (hash: Hash, seed: string): number =>
  Number.parseInt(hash.sha256(seed).slice(0, 8), 16) / 0xffffffff;
