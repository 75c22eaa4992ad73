// What a race needs: processes that share data, a model that can reply to all callers at once, and a count of effects.
import type { TenantId, ThreadId } from "../../schema/ids.ts";
import type { CreateInput, TurnInput } from "../../schema/input.ts";
import type { Problem } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import type { TurnResult } from "../../schema/turn-result.ts";

export type RaceSizes = {
  readonly callers: number;
  readonly approvers: number;
  readonly rounds: number;
  readonly mutations: number;
};

export type RaceCall = {
  /** A tenant other than the thread's, to check that it finds nothing. */
  readonly tenant?: TenantId;
  readonly thread: ThreadId;
  readonly input: TurnInput | null;
  readonly key?: string;
  readonly if_match?: number;
};

export type RaceAnswer =
  | { readonly ok: true; readonly outcome: TurnResult; readonly body: string; readonly replayed: boolean }
  | { readonly ok: false; readonly problem: Problem };

/** A process with its own memory and with data that it shares with the others. */
export type RaceProcess = {
  readonly create: (input: CreateInput) => Promise<ThreadId>;
  readonly turn: (call: RaceCall) => Promise<RaceAnswer>;
  readonly records: (thread: ThreadId) => Promise<readonly ThreadRecord[]>;
};

/** The fields that a call's digest covers. */
export type DigestedCall = {
  readonly tenant: string;
  readonly thread: string;
  readonly version: number;
  readonly tool: string;
  readonly manifest_version: string;
  readonly arguments: Record<string, unknown>;
};

/**
 * The system under test. Its tools are `look {line}`, which is pure, and `write {line, extra?}`, which needs a
 * confirmation and counts an effect each time it runs.
 */
export type RaceTarget = {
  readonly tenant: TenantId;
  readonly processes: readonly RaceProcess[];
  /** Sets the decision of every later model request. A request is answered once `together` callers have asked. */
  readonly decide: (decision: (n: number) => unknown, together: number) => void;
  readonly effects: () => number;
  readonly digest: (call: DigestedCall) => string;
};

/** Passes by resolving and fails by rejecting. The target is new. */
export type RaceCase = {
  readonly name: string;
  readonly run: (target: RaceTarget, sizes: RaceSizes) => Promise<void>;
};

export function processOf(target: RaceTarget, n: number): RaceProcess {
  const process = target.processes[n % target.processes.length];
  if (!process) throw new Error("a target needs at least one process");
  return process;
}

export const lookDecision = (n: number): unknown => ({
  action: "continue",
  speak: "Looking.",
  tool_call: { name: "look", arguments: { line: `look ${n}` } },
});

export const writeDecision = (n: number): unknown => ({
  action: "confirm",
  speak: "Writing.",
  tool_call: { name: "write", arguments: { line: `write ${n}`, extra: "x" } },
});

/** The budget is never used up. */
export const createRaceThread = (process: RaceProcess): Promise<ThreadId> =>
  process.create({ goal: "Race", mode: "direct", budget: { turns: 10_000 } });
