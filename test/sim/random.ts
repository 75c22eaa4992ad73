// Generates random numbers from a seed. The same inputs give the same numbers on every machine. Not suitable for
// secrets.

export type Random = {
  /** Returns a number in [0, 1). */
  readonly next: () => number;
  /** Returns an integer from 0 to n - 1. */
  readonly int: (n: number) => number;
  readonly chance: (p: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
  /** Returns one of the names, in proportion to its weight. */
  readonly weighted: <K extends string>(weights: Readonly<Record<K, number>>) => K;
};

/** Returns a number in [0, 1) for a position in a stream. It has no state, so dropping one draw keeps the others. */
export function roll(seed: number, stream: number, n: number): number {
  let h =
    (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35) ^ Math.imul(n + 1, 0x27d4eb2f)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

export function createRandom(seed: number, stream: number, n = 0): Random {
  let a = (roll(seed, stream, n) * 4294967296) | 0;
  let b = (roll(seed, stream + 1000, n) * 4294967296) | 0;
  let c = (roll(seed, stream + 2000, n) * 4294967296) | 0;
  let count = 1;
  const next = (): number => {
    const t = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  for (let i = 0; i < 8; i += 1) next();
  return {
    next,
    int: (n) => Math.floor(next() * n),
    chance: (p) => next() < p,
    pick: picker(next),
    weighted: weigher(next),
  };
}

/** Returns random bytes, with one draw each. */
export function bytesOf(random: Random, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i += 1) bytes[i] = random.int(256);
  return bytes;
}

const picker =
  (next: () => number) =>
  <T>(from: readonly T[]): T => {
    const found = from[Math.floor(next() * from.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  };

const weigher =
  (next: () => number) =>
  <K extends string>(weights: Readonly<Record<K, number>>): K => {
    const names = Object.keys(weights) as K[];
    let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return picker(next)(names);
  };

/** The streams of one history. Each has its own numbers, so that a change in one does not affect the others. */
export const STREAMS = {
  setup: 1,
  schedule: 2,
  fault: 3,
  delay: 4,
  model: 5,
  tool: 6,
  claims: 12,
  kind: 13,
  restart: 14,
  jobs: 15,
  changes: 16,
  change: 17,
  sqlite: 18,
  cast: 19,
  rename: 20,
  imports: 21,
  first_calendar: 22,
  client: 100,
} as const;
