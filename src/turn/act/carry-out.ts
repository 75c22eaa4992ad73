// Runs the handler of a call: context, limits, hooks, live events. Says what was found; writes nothing.
import type { StoredCall } from "../../schema/gate.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { captureText } from "../../tools/capture.ts";
import type { Tool, ToolContext } from "../../tools/define-tool.ts";
import { cleaned, type Hook, pieceFilter, runPostHooks, type Shown } from "../../tools/hooks.ts";
import { runTool, type ToolRun } from "../../tools/run-tool.ts";
import type { Piece } from "../../tools/stream-ear.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { type OperationRecorder, recordOperation } from "./operation.ts";
import { createOwnFiles, type OwnFiles } from "./own-files.ts";
import { readTodo, storeTodo } from "./own-todo.ts";
import { hooksAround } from "./prepare-call.ts";
import { recallObservation } from "./recall.ts";
import { type Finding, finding, type RunFacts } from "./receipts.ts";

export type Found = Finding & {
  readonly success: boolean;
  /** The handler itself is broken: five in a row poison the thread. */
  readonly broken: boolean;
  /** It ended without a word of the tool on what became of it; null: the tool has said. */
  readonly cut: Cut | null;
};
export type Cut = {
  readonly why: string;
  /** What the tool says after its time, when it is a success; null if it does not come back. */
  readonly late: Promise<Found | null> | null;
};

export async function carryOut(
  rt: Runtime,
  call: TurnCall,
  state: ThreadState,
  stored: StoredCall,
  args: Record<string, unknown>,
  effect: string | null,
): Promise<Found> {
  const tool = rt.toolbox.tool(stored.name, call.at);
  if (!tool) return notThere(rt, stored.name);
  const hooks = hooksAround(rt, tool);
  const operation = recordOperation(rt, call, state.turn, stored.name);
  const own = createOwnFiles(rt, call.at, state.files_blob);
  const context = toolContext(rt, call, state, effect, { hooks, operation, own, name: stored.name });
  const { thread } = call.at;
  call.emit({ type: "tool.started", thread, turn: state.turn, name: stored.name, operation_id: operation.id });
  await rt.faults.at("tool.before");
  const run = await runChecked(rt, tool, args, context, hooks, operation);
  await rt.faults.at("tool.after");
  const ended = await operation.end(tool.manifest.streaming && run.how !== "not_streaming");
  const read = async (made: ToolRun, changes: Changes): Promise<Found> => {
    const hooked = {
      ...call.at,
      tool_name: stored.name,
      manifest: tool.manifest,
      arguments: args,
      arguments_digest: stored.arguments_digest,
      proposed_digest: stored.proposed_digest,
      phase: "POST" as const,
      operation_id: operation.id,
      result: made.text,
      raw: made.raw,
      success: made.success,
      duration_ms: ended.ms,
    };
    const shown = await runPostHooks(hooks, hooked, rt.clock);
    return foundBy(rt, made, shown, { ...changes, operation: ended });
  };
  const found = await read(run, changesOf(rt, run, own));
  if (!CUT_OFF.has(run.how)) return found;
  // What comes too late says what happened outside. The thread's own files have gone on without it.
  const late = run.late?.then((made) => made && read(made, NO_CHANGES)) ?? null;
  const why = cleaned(hooks, stored.name, run.why ?? "");
  return { ...found, cut: { why, late } };
}

/** Ends that leave open whether it happened. Of a pure call that does not matter. */
const CUT_OFF: ReadonlySet<ToolRun["how"]> = new Set(["timeout", "unknown"]);

type Changes = Pick<RunFacts, "state" | "blobs">;
const NO_CHANGES: Changes = { state: {}, blobs: [] };

/** The arguments were checked when the call was prepared; since then a store has held them. */
function runChecked(
  rt: Runtime,
  tool: Tool,
  args: Record<string, unknown>,
  context: ToolContext,
  hooks: readonly Hook[],
  operation: OperationRecorder,
): Promise<ToolRun> | ToolRun {
  const checked = tool.input.safeParse(args);
  if (!checked.success) {
    const text = `Invalid arguments: ${checked.error.message}`;
    return { how: "refused", success: false, why: text, late: null, text, raw: null, whole: null, more: {} };
  }
  const { clock, hash } = rt;
  return runTool(tool, checked.data, context, {
    clock,
    hash,
    filter: pieceFilter(hooks, tool.manifest.name),
    // A stage and its words are texts of their own: nothing of them is held back for the next piece.
    onPiece: (piece) => operation.tell(piece.kind === "chunk" ? piece : cleanPiece(hooks, tool.manifest.name, piece)),
  });
}

const cleanPiece = (hooks: readonly Hook[], name: string, piece: Piece): Piece => ({
  ...piece,
  stage: piece.stage === null ? null : cleaned(hooks, name, piece.stage),
  text: cleaned(hooks, name, piece.text),
});

/** Size and hash are of what hooks left: of a text with secrets taken out, not of the secrets. */
function foundBy(rt: Runtime, run: ToolRun, shown: Shown, facts: Omit<RunFacts, "raw" | "output_trust">): Found {
  const kept = captureText(rt.hash, shown.text);
  return {
    success: run.success,
    // Half a character has no UTF-8 form, and providers refuse a prompt that holds one.
    text: kept.text.toWellFormed(),
    size: run.whole?.size ?? kept.size,
    sha256: run.whole?.sha256 ?? kept.sha256,
    broken: run.how === "threw" || run.how === "bad_output",
    cut: null,
    // A tool may say that this once its words are less to be trusted than it declared; never that they are more.
    run: { ...facts, raw: shown.raw, output_trust: run.more.output_trust === "untrusted" ? "untrusted" : null },
  };
}

/** A call that failed changes nothing in its thread. */
function changesOf(rt: Runtime, run: ToolRun, own: OwnFiles): Changes {
  if (!run.success) return NO_CHANGES;
  const files = own.change();
  const todo = run.more.todo ? storeTodo(rt, run.more.todo) : null;
  return {
    state: { ...(files ? { files_blob: files.files_blob } : {}), ...todo?.state },
    blobs: [...(files?.blobs ?? []), ...(todo?.blobs ?? [])],
  };
}

export type CallParts = {
  readonly name: string;
  readonly hooks: readonly Hook[];
  readonly operation: OperationRecorder;
  readonly own: OwnFiles;
};

export function toolContext(
  rt: Runtime,
  call: TurnCall,
  state: ThreadState,
  effect: string | null,
  { name, hooks, operation, own }: CallParts,
): ToolContext {
  return {
    ...call.at,
    run: state.run,
    turn: state.turn,
    operation_id: operation.id,
    idempotency_key: effect,
    // A client that goes away must not stop a tool that is at work: the turn commits all the same.
    signal: new AbortController().signal,
    now: () => rt.clock.now(),
    progress: (text, stage) =>
      operation.tell(
        cleanPiece(hooks, name, { kind: stage === undefined ? "chunk" : "stage", stage: stage ?? null, text }),
      ),
    own: {
      recall: (receipt_id) => recallObservation(rt, call.at, receipt_id),
      todo: () => readTodo(rt, call.at, state),
      files: own.files,
    },
  };
}

const notThere = (rt: Runtime, name: string): Found => {
  const text = `The tool ${name} is no longer there.`;
  return { ...finding(rt, false, text), success: false, broken: false, cut: null };
};

export const manifestOf = (rt: Runtime, name: string): Manifest | null => rt.toolbox.catalog.get(name);
