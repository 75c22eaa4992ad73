// The world of one history: a clock, two server processes that can die, and a scheduler that decides what happens next.
// Everything that waits, waits here; between two decisions nothing is left to run. So a seed is a history.
import type { Clock } from "../../src/ports/clock.ts";
import { createRandom, roll, STREAMS } from "./random.ts";
import { createTrace, type Trace } from "./trace.ts";

/** One server process. What it held dies with it; what waits in it never goes on. */
export type Process = { readonly id: number; readonly slot: number; alive: boolean; readonly onDeath: (() => void)[] };

type WaitingTask = {
  readonly label: string;
  readonly owner: Process | null;
  /** In time since the beginning, which no clock jump moves. */
  readonly ready: number;
  /** Somebody who waits for work: not ready before there is some, so that time never passes only because of it. */
  readonly dueAt: (() => number) | null;
  readonly resume: () => void;
};

/** Which parts of a history happen: the seed, and what was left out of it to make it shorter. */
export type HistoryPlan = {
  readonly seed: number;
  /** What it is about; drawn from the seed unless said. */
  readonly kind?: HistoryKind;
  readonly drop_faults?: readonly number[];
  readonly drop_actions?: readonly string[];
};

/**
 * People at threads, or background runs with all that belongs to them; each straight, or over the web. And both over the
 * web while things change: threads are removed and moved, tools switched, webhooks changed, streams hung up.
 */
export const HISTORY_KINDS = ["turns", "turns_web", "jobs", "jobs_web", "changes"] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

export type World = ReturnType<typeof createWorld>;

const START = Date.parse("2026-03-02T08:00:00.000Z");
const YEAR_MS = 365 * 86_400_000;
/** Far more than any history needs: one that takes more has no end. */
const STEPS_MAX = 30_000;
const ROUNDS = 20;

export function createWorld(plan: HistoryPlan, keepTrace = false, fullEventLoop = false) {
  const { seed } = plan;
  const schedule = createRandom(seed, STREAMS.schedule);
  const dropped = new Set(plan.drop_faults ?? []);
  const trace: Trace = createTrace(keepTrace);
  const waiting = new Set<WaitingTask>();
  const fired: number[] = [];
  const setup = createRandom(seed, STREAMS.setup);
  const faultRate = setup.pick([0, 0.02, 0.05, 0.12]);
  const clockJumpRate = setup.chance(0.25) ? 0.02 : 0;
  let time = 0;
  let offset = 0;
  let faults = true;
  let drawCount = 0;
  let steps = 0;
  let processes = 0;
  let jumps = 0;
  let waitCount = 0;

  const now = (): number => START + time + offset;

  /** Waits until the scheduler lets it go on; for ever, when its process dies first. */
  function wait(
    owner: Process | null,
    label: string,
    delay: number,
    signal?: AbortSignal,
    work: WaitingTask["dueAt"] = null,
  ): Promise<void> {
    if (owner && !owner.alive) return new Promise(() => undefined);
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const row: WaitingTask = { label, owner, ready: time + delay, dueAt: work, resume: resolve };
      waiting.add(row);
      waitCount += 1;
      signal?.addEventListener(
        "abort",
        () => {
          if (waiting.delete(row)) resolve();
        },
        { once: true },
      );
    });
  }

  /** As `wait`, but not before the time on the clock that `due` says; for ever where nothing is due. */
  const idle = (owner: Process, ms: number, due: () => number, signal?: AbortSignal): Promise<void> =>
    wait(owner, "idle", ms, signal, () => due() - START - offset);

  const clockOf = (owner: Process | null): Clock => ({
    now,
    sleep: (ms, signal) => wait(owner, "sleep", Math.max(1, ms), signal),
  });

  /** Draws whether something goes wrong here. Every draw has a number, so that one alone can be left out. */
  function fault<K extends string>(where: string, kinds: Readonly<Record<K, number>>, multiplier = 1): K | null {
    if (!faults || faultRate === 0) return null;
    const n = drawCount++;
    if (dropped.has(n) || roll(seed, STREAMS.fault, n) >= faultRate * multiplier) return null;
    const kind = createRandom(seed, STREAMS.fault, n).weighted(kinds);
    fired.push(n);
    trace.note(`! ${n} ${where} ${kind}`);
    return kind;
  }

  function kill(process: Process): void {
    if (!process.alive) return;
    process.alive = false;
    trace.note(`x process ${process.id}`);
    for (const row of waiting) if (row.owner === process) waiting.delete(row);
    for (const tell of process.onDeath) tell();
  }

  function jumpClock(): void {
    if (!faults || !schedule.chance(clockJumpRate)) return;
    const by = schedule.pick([1000, -1000, 3_600_000, -3_600_000, 10 * YEAR_MS, -10 * YEAR_MS]);
    // No further from the beginning than the dates a calendar knows.
    if (Math.abs(offset + by) > 11 * YEAR_MS) return;
    offset += by;
    jumps += 1;
    trace.note(`~ clock ${by}`);
  }

  function step(): boolean {
    const ready: WaitingTask[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const row of waiting) {
      const at = readyAt(row);
      if (at <= time) ready.push(row);
      else if (at < next) next = at;
    }
    if (ready.length === 0) {
      if (next === Number.POSITIVE_INFINITY) return false;
      time = next;
      for (const row of waiting) if (readyAt(row) <= time) ready.push(row);
    }
    const row = ready.length === 1 ? ready[0] : schedule.pick(ready);
    if (!row) return false;
    time += schedule.int(25);
    jumpClock();
    waiting.delete(row);
    trace.note(`${row.owner?.id ?? "-"} ${row.label}`);
    row.resume();
    return true;
  }

  /** Until it is done, or nothing is left that could happen. */
  async function run(done: () => boolean): Promise<"done" | "stuck" | "endless"> {
    for (;;) {
      await drainPromises(fullEventLoop);
      if (done()) return "done";
      if (++steps > STEPS_MAX) return "endless";
      if (!step() && !(await waitForActivity(done))) return "stuck";
    }
  }

  /** What the web is made of may load a part of itself at its first use, in real time: nothing is over before that. */
  async function waitForActivity(done: () => boolean): Promise<boolean> {
    const before = waitCount;
    for (let round = 0; round < ROUNDS && waitCount === before && !done(); round += 1) await drainPromises(true);
    return waitCount !== before || done();
  }

  return {
    seed,
    setup,
    trace,
    fired,
    now,
    wait,
    idle,
    clockOf,
    fault,
    die: kill,
    run,
    dropsAction: (id: string): boolean => plan.drop_actions?.includes(id) ?? false,
    spawn: (slot: number): Process => ({ id: processes++, slot, alive: true, onDeath: [] }),
    /** From here on nothing goes wrong any more. */
    stopFaults: (): void => {
      faults = false;
    },
    faultsStopped: (): boolean => !faults,
    steps: (): number => steps,
    time: (): number => time,
    clockJumped: (): boolean => jumps > 0,
  };
}

const readyAt = ({ ready, dueAt }: WaitingTask): number => (dueAt ? Math.max(ready, dueAt()) : ready);

/**
 * Until no promise has anything left to do: only then the next decision is made. A tick comes after the last promise;
 * the patient way, a whole round of the event loop, costs a tenth of a history and must tell the same one.
 */
const drainPromises = (fullEventLoop: boolean): Promise<void> =>
  new Promise((resolve) => (fullEventLoop ? setImmediate(resolve) : process.nextTick(resolve)));
