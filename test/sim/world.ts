// Simulates the world of one history: a clock, two server processes that can crash, and a scheduler that decides what
// happens next. Every wait is registered here, and nothing else runs between two decisions, so the seed determines the
// history.
import type { Clock, Timer } from "../../src/ports/clock.ts";
import type { HistoryKind } from "./history-kinds.ts";
import { createRandom, roll, STREAMS } from "./random.ts";
import { createRows } from "./shared-cache.ts";
import { createTrace, type Trace, type TraceOptions } from "./trace.ts";

/** A server process. Its memory is lost when it crashes, and its pending waits never continue. */
export type Process = { readonly id: number; readonly slot: number; alive: boolean; readonly onDeath: (() => void)[] };

type WaitingTask = {
  readonly label: string;
  readonly owner: Process | null;
  /** The time since the start, which clock jumps do not affect. */
  readonly ready: number;
  /** Returns the time of an idle worker's next work. An idle worker alone must not advance time. */
  readonly dueAt: (() => number) | null;
  readonly resume: () => void;
};

/** Selects the parts of a history that happen: the seed, and what was dropped to reduce it. */
export type HistoryPlan = {
  readonly seed: number;
  /** The kind of history. The default is derived from the seed. */
  readonly kind?: HistoryKind;
  readonly drop_faults?: readonly number[];
  readonly drop_actions?: readonly string[];
};

export type ClockRange = { readonly lowest: number; readonly highest: number };
export type World = ReturnType<typeof createWorld>;

const SETTLED = Promise.resolve();
type Ended = "done" | "stuck" | "endless";

const START = Date.parse("2026-03-02T08:00:00.000Z");
const YEAR_MS = 365 * 86_400_000;
/** The step limit, far above what any history needs. A history that exceeds it never ends. */
const STEPS_MAX = 30_000;
/** The rounds of the event loop after which nothing more can happen, unless files are being read. */
const ROUNDS = 3;
const LOADING_ROUNDS_MAX = 10_000;

export type WorldOptions = TraceOptions & {
  readonly fullEventLoop?: boolean | undefined;
  /** True if rows that the runtime wrote are validated when they are read. */
  readonly validateRows?: boolean | undefined;
};

export function createWorld(plan: HistoryPlan, options: WorldOptions = {}) {
  const { seed } = plan;
  const { fullEventLoop = false, validateRows = true } = options;
  const schedule = createRandom(seed, STREAMS.schedule);
  const dropped = new Set(plan.drop_faults ?? []);
  const trace: Trace = createTrace(options);
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
  /** The offsets of the clock, each with the time from which it applied. */
  const offsets = [{ time: 0, offset: 0 }];
  let waitCount = 0;
  /** The number of running operations of real stores. */
  let running = 0;
  let onAllDone: (() => void) | null = null;

  const now = (): number => START + time + offset;

  /** Waits until the scheduler continues it. The wait never ends if its process dies first. */
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

  /** Waits like `wait`, but not before the clock reaches `due`. The wait never ends if nothing is due. */
  const idle = (owner: Process, ms: number, due: () => number, signal?: AbortSignal): Promise<void> =>
    wait(owner, "idle", ms, signal, () => due() - START - offset);

  const clockOf = (owner: Process | null): Clock => ({
    now,
    sleep: (ms, signal) => wait(owner, "sleep", Math.max(1, ms), signal),
    startTimer: (ms) => startTimer(owner, Math.max(1, ms)),
  });

  /** Starts a sleep that can be cancelled, without the cost of a signal. */
  function startTimer(owner: Process | null, ms: number): Timer {
    if (owner && !owner.alive) return { cancelled: new Promise(() => undefined), cancel: () => undefined };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const task = { label: "sleep", owner, ready: time + ms, dueAt: null, resume: () => resolve(false) };
    waiting.add(task);
    waitCount += 1;
    const cancel = (): void => {
      if (waiting.delete(task)) resolve(true);
    };
    return { cancelled: promise, cancel };
  }

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
    // The offset stays within the dates that calendars support.
    if (Math.abs(offset + by) > 11 * YEAR_MS) return;
    offset += by;
    offsets.push({ time, offset });
    trace.note(`~ clock ${by}`);
  }

  function step(): boolean {
    let ready: WaitingTask[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const row of waiting) {
      const at = Math.max(time, readyAt(row));
      if (at < next) {
        next = at;
        ready = [row];
      } else if (at === next) ready.push(row);
    }
    if (next === Number.POSITIVE_INFINITY) return false;
    time = next;
    const row = ready.length === 1 ? ready[0] : schedule.pick(ready);
    if (!row) return false;
    time += schedule.int(25);
    jumpClock();
    waiting.delete(row);
    trace.note(`${row.owner?.id ?? "-"} ${row.label}`);
    row.resume();
    return true;
  }

  /** Waits for real input and output. No decision is made before the operation is finished. */
  async function trackReal<T>(operation: Promise<T>): Promise<T> {
    running += 1;
    try {
      return await operation;
    } finally {
      running -= 1;
      const proceed = running === 0 ? onAllDone : null;
      if (proceed) onAllDone = null;
      proceed?.();
    }
  }

  /** Runs until it is done, or until nothing more can happen. */
  function run(done: () => boolean): Promise<Ended> {
    const { promise, resolve, reject } = Promise.withResolvers<Ended>();
    const proceed = (): void => {
      if (running > 0) onAllDone = drained;
      else if (done()) resolve("done");
      else if (++steps > STEPS_MAX) resolve("endless");
      else if (step()) drained();
      else void waitForActivity(done).then((active) => (active ? drained() : resolve("stuck")), reject);
    };
    // A tick runs after the last promise. A round of the event loop is the safe alternative and must give the same
    // result.
    const proceedAfterTick = (): void => void SETTLED.then(proceed);
    const drained = (): void => void (fullEventLoop ? setImmediate(proceed) : process.nextTick(proceedAfterTick));
    drained();
    return promise;
  }

  /** Waits for HTTP code that loads parts of itself in real time on first use. */
  async function waitForActivity(done: () => boolean): Promise<boolean> {
    const before = waitCount;
    for (let round = 0; waitCount === before && !done(); round += 1) {
      if (round >= (isReadingFiles() ? LOADING_ROUNDS_MAX : ROUNDS)) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return waitCount !== before || done();
  }

  return {
    seed,
    validatesRows: validateRows,
    // A property and not a weak map: collections of the young generation keep what a weak map maps to.
    rows: createRows(validateRows),
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
    /** Stops all further faults. */
    stopFaults: (): void => {
      faults = false;
    },
    faultsStopped: (): boolean => !faults,
    steps: (): number => steps,
    time: (): number => time,
    clockJumped: (): boolean => offsets.length > 1,
    /** Returns the lowest and the highest reading of the clock between two times. */
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

const isReadingFiles = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));

const readyAt = ({ ready, dueAt }: WaitingTask): number => (dueAt ? Math.max(ready, dueAt()) : ready);
