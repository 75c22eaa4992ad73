// The world of one history: a clock, two server processes that can crash, and a scheduler that decides what happens
// next.
// Every wait is registered here, and between two decisions nothing else runs. So the seed determines the history.
import type { Clock } from "../../src/ports/clock.ts";
import { createRandom, roll, STREAMS } from "./random.ts";
import { createTrace, type Trace } from "./trace.ts";

/** One server process. Its memory is lost when it crashes, and its pending waits never continue. */
export type Process = { readonly id: number; readonly slot: number; alive: boolean; readonly onDeath: (() => void)[] };

type WaitingTask = {
  readonly label: string;
  readonly owner: Process | null;
  /** Time since the start, unaffected by clock jumps. */
  readonly ready: number;
  /** For an idle worker: the time of the next work, so that time does not advance only because of it. */
  readonly dueAt: (() => number) | null;
  readonly resume: () => void;
};

/** Which parts of a history happen: the seed, and what was dropped to reduce it. */
export type HistoryPlan = {
  readonly seed: number;
  /** The kind of history; derived from the seed by default. */
  readonly kind?: HistoryKind;
  readonly drop_faults?: readonly number[];
  readonly drop_actions?: readonly string[];
};

/**
 * Clients with threads, or background runs with schedules and webhooks; each directly or over HTTP. And both over HTTP
 * with changes: threads are removed and moved, tools disabled, webhooks changed, streams disconnected. Sub-agents and workflows;
 * toolkits with state.
 */
export const HISTORY_KINDS = ["turns", "turns_web", "jobs", "jobs_web", "changes", "crew", "toolkits"] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];
/** For counting. */
export const noHistories = (): Record<HistoryKind, number> =>
  Object.fromEntries(HISTORY_KINDS.map((kind) => [kind, 0])) as Record<HistoryKind, number>;

export type ClockRange = { readonly lowest: number; readonly highest: number };
export type World = ReturnType<typeof createWorld>;

const START = Date.parse("2026-03-02T08:00:00.000Z");
const YEAR_MS = 365 * 86_400_000;
/** Far more than any history needs: one that takes more never ends. */
const STEPS_MAX = 30_000;
const ROUNDS = 20;

export type WorldOptions = {
  readonly keepTrace?: boolean | undefined;
  readonly fullEventLoop?: boolean | undefined;
  /** Rows that the runtime wrote are validated when they are read. */
  readonly validateRows?: boolean | undefined;
};

export function createWorld(plan: HistoryPlan, options: WorldOptions = {}) {
  const { seed } = plan;
  const { keepTrace = false, fullEventLoop = false, validateRows = true } = options;
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
  /** From which time on the clock was ahead by how much. */
  const offsets = [{ time: 0, offset: 0 }];
  let waitCount = 0;
  /** Operations of real stores that are running. */
  let running = 0;
  let allDone: () => void = () => undefined;

  const now = (): number => START + time + offset;

  /** Waits until the scheduler continues it; forever if its process dies first. */
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

  /** Like `wait`, but not before the clock reaches `due`; forever if nothing is due. */
  const idle = (owner: Process, ms: number, due: () => number, signal?: AbortSignal): Promise<void> =>
    wait(owner, "idle", ms, signal, () => due() - START - offset);

  const clockOf = (owner: Process | null): Clock => ({
    now,
    sleep: (ms, signal) => wait(owner, "sleep", Math.max(1, ms), signal),
  });

  /** Draws whether a fault happens here. Draws are numbered, so that a single one can be dropped. */
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
    // Stays within the dates that calendars support.
    if (Math.abs(offset + by) > 11 * YEAR_MS) return;
    offset += by;
    offsets.push({ time, offset });
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

  /** Real input and output takes its own time: no decision is made before it is finished. */
  async function trackReal<T>(operation: Promise<T>): Promise<T> {
    running += 1;
    try {
      return await operation;
    } finally {
      running -= 1;
      if (running === 0) allDone();
    }
  }

  async function drain(): Promise<void> {
    await drainPromises(fullEventLoop);
    while (running > 0) {
      await new Promise<void>((resolve) => {
        allDone = resolve;
      });
      await drainPromises(fullEventLoop);
    }
  }

  /** Runs until it is done, or until nothing can happen any more. */
  async function run(done: () => boolean): Promise<"done" | "stuck" | "endless"> {
    for (;;) {
      await drain();
      if (done()) return "done";
      if (++steps > STEPS_MAX) return "endless";
      if (!step() && !(await waitForActivity(done))) return "stuck";
    }
  }

  /** HTTP code may load parts of itself on first use, in real time: wait for that. */
  async function waitForActivity(done: () => boolean): Promise<boolean> {
    const before = waitCount;
    for (let round = 0; round < ROUNDS && waitCount === before && !done(); round += 1) await drainPromises(true);
    return waitCount !== before || done();
  }

  return {
    seed,
    validatesRows: validateRows,
    setup,
    trace,
    fired,
    now,
    wait,
    idle,
    trackReal,
    clockOf,
    fault,
    die: kill,
    run,
    dropsAction: (id: string): boolean => plan.drop_actions?.includes(id) ?? false,
    spawn: (slot: number): Process => ({ id: processes++, slot, alive: true, onDeath: [] }),
    /** No faults happen after this. */
    stopFaults: (): void => {
      faults = false;
    },
    faultsStopped: (): boolean => !faults,
    steps: (): number => steps,
    time: (): number => time,
    clockJumped: (): boolean => offsets.length > 1,
    /** The lowest and the highest reading of the clock between two times. */
    clockRange: (from: number, to: number): ClockRange => {
      const readings = offsets.flatMap(({ time: since, offset: ahead }, i) => {
        const start = Math.max(from, since);
        const end = Math.min(to, offsets[i + 1]?.time ?? to);
        return start > end ? [] : [START + start + ahead, START + end + ahead];
      });
      return { lowest: Math.min(...readings), highest: Math.max(...readings) };
    },
  };
}

const readyAt = ({ ready, dueAt }: WaitingTask): number => (dueAt ? Math.max(ready, dueAt()) : ready);

/**
 * Waits until all promises are settled before the next decision. A tick runs after the last promise; a full event loop
 * round is the safe alternative, costs a tenth of a history and must give the same result.
 */
const drainPromises = (fullEventLoop: boolean): Promise<void> =>
  new Promise((resolve) => (fullEventLoop ? setImmediate(resolve) : process.nextTick(resolve)));
