// Measures rates of several functions alternately. A slow moment of the machine affects all of them, so ratios stay
// valid.
export type Rates<K extends string> = Readonly<Record<K, number>>;

const ROUNDS = 15;
const ROUND_MS = 40;

export function measureRates<K extends string>(cases: Readonly<Record<K, () => unknown>>): Rates<K> {
  const names = Object.keys(cases) as K[];
  for (const name of names) rateOf(cases[name], ROUND_MS);
  const found = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) found.get(name)?.push(rateOf(cases[name], ROUND_MS));
  }
  return Object.fromEntries(names.map((name) => [name, median(found.get(name) ?? [])])) as Rates<K>;
}

/** Results are accumulated and checked, so that no call can be optimized away. */
let sink = 0;

function rateOf(run: () => unknown, ms: number): number {
  const start = performance.now();
  let calls = 0;
  let spent = 0;
  do {
    for (let i = 0; i < 10; i += 1) sink += run() === null ? 1 : 0;
    calls += 10;
    spent = performance.now() - start;
  } while (spent < ms);
  if (sink < 0) throw new Error("never");
  return (calls * 1000) / spent;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString("en")} per second`;
