// Checks a tool's declared effect class before production does: interrupts its call at each boundary, resumes the
// thread in a new process, and counts how often the effect happened.
import { nodeHash } from "../adapters/hash-node.ts";
import { createIds } from "../adapters/ids-random.ts";
import { createScriptedModel } from "../adapters/model-scripted.ts";
import { createMemorySettings } from "../adapters/settings-memory.ts";
import { createMemoryStore } from "../adapters/store-memory.ts";
import type { Clock } from "../ports/clock.ts";
import { noCompanions } from "../ports/companions.ts";
import type { FaultPoint, Faults } from "../ports/faults.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadRef } from "../schema/ids.ts";
import type { EffectKind } from "../schema/manifest.ts";
import { createThread } from "../threads/create.ts";
import { activationOf } from "../tools/catalog.ts";
import type { Tool } from "../tools/define-tool.ts";
import { createToolbox } from "../tools/toolbox.ts";
import { advance } from "../turn/advance.ts";
import { loadThread } from "../turn/load.ts";
import { DEFAULT_CONFIG, type Runtime } from "../turn/runtime.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";

type CallArguments = Record<string, unknown>;
/** The thread that is about to make the call. */
export type CrashThread = { readonly at: ThreadRef; readonly store: ThreadStore };

export type CrashSubject = {
  readonly tool: Tool;
  /** A function is called before each boundary and may prepare what the call needs, such as a new document. */
  readonly arguments: CallArguments | ((row: CrashThread) => CallArguments | Promise<CallArguments>);
  /** How often the effect has happened so far: rows inserted, mails sent or files changed. */
  readonly effects: () => number | Promise<number>;
};

export type CrashRow = {
  readonly boundary: string;
  /** How often the handler was called. */
  readonly calls: number;
  readonly effects: number;
  /** The thread's state at the end: the call is settled or in doubt. */
  readonly ends: "settled" | "doubt";
  readonly honest: boolean;
  readonly note: string;
};

export type CrashReport = {
  readonly tool: string;
  readonly effect: EffectKind;
  readonly rows: readonly CrashRow[];
  /** True if every row matches the declared class. */
  readonly honest: boolean;
};

/** The fault point at which the process of a call dies, a timeout after the effect, or no interruption. */
type CrashPoint = FaultPoint | "timeout" | null;

/** The last boundary does not interrupt the call. */
const BOUNDARIES: readonly (readonly [string, CrashPoint])[] = [
  ["before it is recorded", "model.after"],
  ["recorded, before the tool runs", "tool.before"],
  ["times out after the effect", "timeout"],
  ["after the tool ran, before it is settled", "tool.after"],
  ["after it is settled, before the answer", "commit.after"],
  ["no crash", null],
];

export async function crashMatrix(subject: CrashSubject): Promise<CrashReport> {
  const rows: CrashRow[] = [];
  for (const [boundary, point] of BOUNDARIES) rows.push(await crashAt(subject, boundary, point));
  const { name, effect } = subject.tool.manifest;
  return { tool: name, effect, rows, honest: rows.every((row) => row.honest) };
}

const LONG_AFTER_MS = 24 * 3_600_000;

async function crashAt(subject: CrashSubject, boundary: string, crashPoint: CrashPoint): Promise<CrashRow> {
  const clock = createManualClock();
  const store = createMemoryStore();
  let calls = 0;
  const tool: Tool = {
    ...subject.tool,
    run: (input, context) => {
      calls += 1;
      const done = subject.tool.run(input, context);
      return crashPoint === "timeout" && calls === 1
        ? hangAfterEffect(done, clock, subject.tool.manifest.timeout_ms)
        : done;
    },
  };
  const point = crashPoint === "timeout" ? null : crashPoint;
  const at = await startThread(createProcess(store, clock, tool, {}, null), subject);
  const args = typeof subject.arguments === "function" ? await subject.arguments({ at, store }) : subject.arguments;
  const before = await subject.effects();
  await runUntilCrash(createProcess(store, clock, tool, args, point), at);
  clock.advance(LONG_AFTER_MS);
  const ends = await resume(createProcess(store, clock, tool, args, null), at);
  const effects = (await subject.effects()) - before;
  return { boundary, calls, effects, ends, ...judgeRow(tool.manifest.effect, crashPoint, calls, effects, ends) };
}

/** The effect has happened in a handler that never returns, so that only the timeout ends the call. */
async function hangAfterEffect(done: ReturnType<Tool["run"]>, clock: ManualClock, timeout_ms: number): Promise<never> {
  const value = await done;
  if (typeof value === "object" && value !== null && Symbol.asyncIterator in value) {
    // A stream does its work while it is consumed.
    for await (const _ of value as AsyncIterable<unknown>);
  }
  clock.advance(timeout_ms);
  return new Promise<never>(() => undefined);
}

/** A new process shares only the store and the clock with the others. */
function createProcess(
  store: ThreadStore,
  clock: Clock,
  tool: Tool,
  args: CallArguments,
  point: FaultPoint | null,
): Runtime {
  const { name, toolset, needs_parts } = tool.manifest;
  const activation = activationOf(toolset);
  const parts = typeof activation === "object" ? [...needs_parts, activation.needs] : needs_parts;
  const call = { action: "continue", speak: "Calling.", tool_call: { name, arguments: args } };
  // After the call the model only ends the run.
  const script = [call, { action: "abort", abort: { user_message: "That was all." } }];
  return {
    store,
    settings: createMemorySettings(),
    companions: noCompanions,
    pickModel: () => createScriptedModel(script),
    toolbox: createToolbox([tool]),
    hooks: [],
    clock,
    ids: createIds(clock),
    hash: nodeHash,
    faults: createFaults(point),
    config: { ...DEFAULT_CONFIG, parts },
    running: new Set(),
  };
}

const CRASHED = Symbol("crashed");

/** A crashed process never settles, and nothing after its fault point happens. */
function createFaults(point: FaultPoint | null): Faults & { readonly crash: Promise<typeof CRASHED> } {
  const { promise, resolve } = Promise.withResolvers<typeof CRASHED>();
  return {
    crash: promise,
    at: (passed) => {
      if (passed !== point) return undefined;
      resolve(CRASHED);
      return new Promise<void>(() => undefined);
    },
  };
}

async function startThread(rt: Runtime, subject: CrashSubject): Promise<ThreadRef> {
  const input = { goal: "Try the tool", mode: "direct" as const, auto_approve: [subject.tool.manifest.name] };
  const created = await createThread(rt, { tenant: LOCAL_TENANT, actor: "crash-matrix", input, key: null });
  if (!created.ok) throw new Error(created.problem.message);
  return { tenant: LOCAL_TENANT, thread: created.value.outcome.thread.id };
}

const turnRequest = (rt: Runtime, at: ThreadRef) => ({
  at,
  actor: "crash-matrix",
  input: null,
  budget: null,
  if_match: null,
  key: null,
  last_turn: true,
  deadline: rt.clock.now() + LONG_AFTER_MS * 2,
  signal: new AbortController().signal,
  emit: () => undefined,
});

async function runUntilCrash(rt: Runtime, at: ThreadRef): Promise<void> {
  const { crash } = rt.faults as ReturnType<typeof createFaults>;
  await Promise.race([advance(rt, turnRequest(rt, at)), crash]);
}

/** The next process finds the call not started, started, or settled. */
async function resume(rt: Runtime, at: ThreadRef): Promise<CrashRow["ends"]> {
  const loaded = await loadThread(rt, at);
  if (!loaded.ok) throw new Error(loaded.problem.message);
  const settled = loaded.value.entries.some(({ entry }) =>
    entry.receipts.some((receipt) => receipt.kind === "settled"),
  );
  if (settled) return "settled";
  if (loaded.value.state.gate?.kind === "doubt") return "doubt";
  const advanced = await advance(rt, turnRequest(rt, at));
  if (!advanced.ok) throw new Error(advanced.problem.message);
  return advanced.value.outcome.thread.gate?.kind === "doubt" ? "doubt" : "settled";
}

function judgeRow(
  effect: EffectKind,
  point: CrashPoint,
  calls: number,
  effects: number,
  ends: CrashRow["ends"],
): Pick<CrashRow, "honest" | "note"> {
  if (effect === "pure") {
    return effects === 0
      ? { honest: true, note: "had no effect" }
      : { honest: false, note: `declared pure, but had ${effects} effects` };
  }
  if (effects > 1) return { honest: false, note: `declared ${effect}, but happened ${effects} times` };
  if (effect === "keyed" && ends === "doubt") return { honest: false, note: "could not be resent" };
  if (effects === 0 && point === null)
    return { honest: false, note: "had no effect although it declares one: it may be pure" };
  if (ends === "doubt") return { honest: true, note: "never repeated; a person decides" };
  return { honest: true, note: calls > 1 ? "resent with its key, happened once" : "happened once at most" };
}

export function crashTable(report: CrashReport): string {
  const lines = report.rows.map(
    (row) =>
      `${row.honest ? "ok  " : "FAIL"} ${row.boundary.padEnd(42)} calls ${row.calls}  effects ${row.effects}  ${row.ends.padEnd(8)} ${row.note}`,
  );
  return [`${report.tool} is declared ${report.effect}: ${report.honest ? "confirmed" : "wrong"}`, ...lines].join("\n");
}
