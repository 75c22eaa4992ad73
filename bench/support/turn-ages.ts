// Measures how the age of a thread affects the cost of its turns. The same turn is taken at several ages, alternately
// in one process.
import type { ThreadRef } from "../../src/schema/ids.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { countFrames, type RowText } from "./baseline-file.ts";
import { databasePath, median, newThread, timeTurn } from "./bench-runtime.ts";

const ROUNDS = 200;
const PAGE_SAMPLES = 40;

export type AgeMeasurement = {
  readonly turn: number;
  readonly ms: number;
  readonly row: RowText;
  /** The average number of pages that a commit adds to the log. */
  readonly pages: number;
};
type AgedThread = { readonly turn: number; readonly next: () => Promise<ThreadRef>; readonly row: RowText };

/**
 * Compares turns at several ages. The young thread is recreated for each measurement, because a thread stays young only
 * briefly. Before a measured turn, every thread takes as many turns as the young one has; otherwise only the young
 * thread would be in the caches.
 */
export async function compareAges(
  rt: Runtime,
  folder: string,
  ages: readonly number[],
): Promise<readonly AgeMeasurement[]> {
  const threads: AgedThread[] = [];
  const warmupTurns = (ages[0] ?? 1) - 1;
  for (const [n, turn] of ages.entries())
    threads.push(n === 0 ? await youngThread(rt, turn) : await oldThread(rt, turn, warmupTurns));
  const times = threads.map((): number[] => []);
  for (let n = 0; n < ROUNDS; n += 1) {
    for (const [i, { next }] of threads.entries()) times[i]?.push(await timeTurn(rt, await next()));
  }
  const pages: number[] = [];
  for (const { next } of threads) pages.push(await pagesPerCommit(rt, folder, next));
  return threads.map(({ turn, row }, i) => ({ turn, row, ms: median(times[i] ?? []), pages: pages[i] ?? 0 }));
}

async function youngThread(rt: Runtime, turn: number): Promise<AgedThread> {
  return {
    turn,
    next: () => threadWithTurns(rt, turn - 1),
    row: await rowAt(rt, await threadWithTurns(rt, turn), turn),
  };
}

async function oldThread(rt: Runtime, turn: number, warmupTurns: number): Promise<AgedThread> {
  const at = await threadWithTurns(rt, turn);
  const row = await rowAt(rt, at, turn);
  const next = async (): Promise<ThreadRef> => {
    for (let n = 0; n < warmupTurns; n += 1) await timeTurn(rt, at);
    return at;
  };
  return { turn, next, row };
}

async function pagesPerCommit(rt: Runtime, folder: string, next: AgedThread["next"]): Promise<number> {
  const frames = countFrames(databasePath(folder));
  let [sum, counted] = [0, 0];
  for (let n = 0; n < PAGE_SAMPLES; n += 1) {
    const at = await next();
    const before = frames.now();
    await timeTurn(rt, at);
    const pages = frames.now() - before;
    // After a checkpoint the log restarts, so its size says nothing about this commit.
    if (pages > 0) [sum, counted] = [sum + pages, counted + 1];
  }
  frames.close();
  return sum / counted;
}

export async function rowAt(rt: Runtime, at: ThreadRef, version: number): Promise<RowText> {
  const rows = await rt.store.records(at, { after: version - 1, limit: 1 });
  const row = rows.ok ? rows.value[0] : undefined;
  if (!row) throw new Error(`no record ${version}`);
  return row;
}

export async function threadWithTurns(rt: Runtime, turns: number): Promise<ThreadRef> {
  const at = await newThread(rt);
  for (let n = 0; n < turns; n += 1) await timeTurn(rt, at);
  return at;
}
