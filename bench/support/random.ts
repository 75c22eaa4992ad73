// Generates random numbers from a seed, so that a benchmark is reproducible.
export type Random = {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;
  /** Returns an integer from 0 (inclusive) to `limit` (exclusive). */
  readonly below: (limit: number) => number;
  readonly pick: <T>(values: readonly T[]) => T | undefined;
};

export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (values) => values[below(values.length)] };
}

/** Returns the numbers below `count` in random order. */
export const shuffled = (random: Random, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => ({ i, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ i }) => i);
