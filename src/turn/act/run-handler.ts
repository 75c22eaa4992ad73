// Runs the handler of a call with its context, limits, hooks and live events. Returns the result and stores nothing.
import type { DocumentSave } from "../../ports/documents.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { Delegation } from "../../schema/workflow/child.ts";
import { captureText } from "../../tools/capture.ts";
import { checkValue } from "../../tools/declared/check-value.ts";
import type { Tool, ToolContext } from "../../tools/define-tool.ts";
import { filterText, type Hook, type PostHookResult, pieceFilter, runPostHooks } from "../../tools/hooks.ts";
import { type RunContext, runTool, type ToolRun } from "../../tools/run-tool.ts";
import type { Piece } from "../../tools/stream-collector.ts";
import type { TurnContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";
import { hooksFor } from "./prepare-call.ts";
import { recallObservation } from "./recall.ts";
import { type AuthorizedCall, type CallResult, callResult, type RunDetails } from "./receipts.ts";
import { type ProgressRecorder, recordProgress } from "./record-progress.ts";
import { createThreadFiles, type ThreadFiles } from "./thread-files.ts";
import { type ThreadMetadata, threadMetadata } from "./thread-metadata.ts";
import { readTodo, storeTodo } from "./thread-todo.ts";

export type HandlerResult = CallResult & {
  readonly success: boolean;
  /** True if the handler itself failed. Five consecutive failures fail the thread. */
  readonly broken: boolean;
  /** Set if the call waits for child threads. */
  readonly delegation?: Delegation;
  /** Set if the call ended before the tool reported whether the effect happened; null if it did report. */
  readonly interruption: Interruption | null;
};
export type Interruption = {
  readonly reason: string;
  /** Resolves with a success that the tool reports after its timeout, or with null if it reports none. Null if nothing can arrive late. */
  readonly late_result: Promise<HandlerResult | null> | null;
};

/** An attempt to run an effect. `saving` states whether the tool saves documents while it runs, or the commit of the receipt saves them. */
export type AttemptedEffect = { readonly id: string; readonly saving: "by_tool" | "with_receipt" };

export async function runHandler(
  ctx: TurnContext,
  state: ThreadState,
  { stored, args, continued }: Omit<AuthorizedCall, "authorization">,
  effect: AttemptedEffect | null,
): Promise<HandlerResult> {
  const { rt, request } = ctx;
  const tool = rt.toolbox.tool(stored.name, request.at);
  if (!tool) return notRun(rt, `The tool ${stored.name} is no longer available.`);
  const metadata = await threadMetadata(ctx);
  if (!metadata.ok) return notRun(rt, `${stored.name} did not run: ${metadata.problem.message}`);
  const hooks = hooksFor(rt, tool);
  const operation = recordProgress(rt, request, state.turn, stored.name);
  const threadFiles = createThreadFiles(rt, request.at, state.files_blob);
  const parts = { hooks, operation, own: threadFiles, name: stored.name, metadata: metadata.value };
  const documents: DocumentSave[] = [];
  const context = {
    ...toolContext(ctx, state, effect?.id ?? null, parts),
    ...(continued && { continued }),
    ...(effect?.saving === "with_receipt" && { saveWithReceipt: collectSaves(rt, documents) }),
    ...traceOf(ctx, state.agent, stored.name, operation.id),
  };
  const { thread } = request.at;
  request.emit({ type: "tool.started", thread, turn: state.turn, name: stored.name, operation_id: operation.id });
  await rt.faults.at("tool.before");
  const run = await runWithHooks(rt, { tool, args, context }, { hooks, operation });
  await rt.faults.at("tool.after");
  const ended = await operation.end(tool.manifest.streaming && run.how !== "not_streaming");
  const toResult = async (toolRun: ToolRun, changes: Changes): Promise<HandlerResult> => {
    const hookCall = {
      ...request.at,
      tool_name: stored.name,
      manifest: tool.manifest,
      arguments: args,
      arguments_digest: stored.arguments_digest,
      proposed_digest: stored.proposed_digest,
      phase: "POST" as const,
      operation_id: operation.id,
      result: toolRun.text,
      raw: toolRun.raw,
      success: toolRun.success,
      duration_ms: ended.ms,
    };
    const shown = hooks.length === 0 ? toolRun : await runPostHooks(hooks, hookCall, rt.clock);
    const saves = toolRun.success ? documents : [];
    return resultOf(rt, toolRun, shown, { ...changes, documents: saves, operation: ended });
  };
  const result = await toResult(run, changesOf(rt, run, threadFiles));
  if (!INTERRUPTED_ENDS.has(run.how)) return result;
  // A late result reports what happened outside the thread. Its changes to the thread's own files are outdated and are dropped.
  const lateResult = run.lateRun?.then((toolRun) => toolRun && toResult(toolRun, NO_CHANGES)) ?? null;
  const reason = filterText(hooks, stored.name, run.reason ?? "");
  return { ...result, interruption: { reason, late_result: lateResult } };
}

/** Creates the trace headers only if the tool reads them. */
function traceOf({ rt, observation }: TurnContext, agent: string, name: string, operation_id: string) {
  const trace = observation?.trace;
  const started = rt.clock.now();
  return trace && { traceHeaders: () => trace.headersOf({ operation_id, name, agent, started }) };
}

const collectSaves =
  ({ store }: Runtime, documents: DocumentSave[]): NonNullable<ToolContext["saveWithReceipt"]> =>
  ({ place }, save) => {
    const isHere = place !== undefined && place === store.place;
    if (isHere) documents.push(save);
    return isHere;
  };

/** Endings that leave open whether the effect happened. This does not matter for a pure call. */
const INTERRUPTED_ENDS: ReadonlySet<ToolRun["how"]> = new Set(["timeout", "unknown"]);

type Changes = Pick<RunDetails, "state" | "blobs">;
const NO_CHANGES: Changes = { state: {}, blobs: [] };

type ToolInvocation = { readonly tool: Tool; readonly args: Record<string, unknown>; readonly context: RunContext };

/** Parses the stored arguments again, which also applies defaults. */
async function runWithHooks(
  { clock, hash }: Runtime,
  { tool, args, context }: ToolInvocation,
  { hooks, operation }: Pick<CallParts, "hooks" | "operation">,
): Promise<ToolRun> {
  const checked = await checkValue(tool.input, args);
  if (!checked.success) {
    const text = `Invalid arguments: ${checked.error.message}`;
    return { how: "refused", success: false, reason: text, lateRun: null, text, raw: null, totals: null, more: {} };
  }
  return runTool(tool, checked.data, context, {
    clock,
    hash,
    filter: pieceFilter(hooks, tool.manifest.name),
    // Chunks have passed the filter already. A stage and its text arrive whole, so they are filtered here.
    onPiece: (piece) => operation.report(piece.kind === "chunk" ? piece : cleanPiece(hooks, tool.manifest.name, piece)),
  });
}

const cleanPiece = (hooks: readonly Hook[], name: string, piece: Piece): Piece => ({
  ...piece,
  stage: piece.stage === null ? null : filterText(hooks, name, piece.stage),
  text: filterText(hooks, name, piece.text),
});

/** Computes size and hash from the text after hooks, because a hash of the original could reveal a redacted secret. */
function resultOf(
  rt: Runtime,
  run: ToolRun,
  shown: PostHookResult,
  facts: Omit<RunDetails, "raw" | "output_trust">,
): HandlerResult {
  const question = run.success ? run.more.question : undefined;
  const captured = captureText(rt.hash, shown.text);
  return {
    success: run.success && !question,
    ...(question && { question }),
    ...(run.how === "refused" && run.more.observed && { observed: true as const }),
    // A lone surrogate has no UTF-8 form, and providers reject a prompt that contains one.
    text: captured.text.toWellFormed(),
    size: run.totals?.size ?? captured.size,
    sha256: run.totals?.sha256 ?? captured.sha256,
    broken: run.how === "threw" || run.how === "bad_output",
    ...(run.success && run.more.delegation ? { delegation: run.more.delegation } : {}),
    interruption: null,
    // A tool may mark a single result as less trusted than its manifest declares, but never as more trusted.
    run: { ...facts, raw: shown.raw, output_trust: run.more.output_trust === "untrusted" ? "untrusted" : null },
  };
}

function changesOf(rt: Runtime, run: ToolRun, threadFiles: ThreadFiles): Changes {
  if (!run.success) return NO_CHANGES;
  const files = threadFiles.change();
  const todo = run.more.todo ? storeTodo(rt, run.more.todo) : null;
  return {
    state: { ...(files ? { files_blob: files.files_blob } : {}), ...todo?.state },
    blobs: [...(files?.blobs ?? []), ...(todo?.blobs ?? [])],
  };
}

export type CallParts = {
  readonly name: string;
  readonly hooks: readonly Hook[];
  readonly operation: ProgressRecorder;
  readonly own: ThreadFiles;
  readonly metadata: ThreadMetadata;
};

/** Omits the request's signal: a client that disconnects must not stop a running tool, because the turn commits anyway. */
export function toolContext(
  { rt, request }: TurnContext,
  state: ThreadState,
  effect_id: string | null,
  { name, hooks, operation, own, metadata }: CallParts,
): RunContext {
  return {
    ...request.at,
    agent: state.agent,
    // Most threads have no metadata, and this check is faster than copying.
    metadata: Object.keys(metadata).length === 0 ? {} : structuredClone(metadata),
    run: state.run,
    turn: state.turn,
    operation_id: operation.id,
    idempotency_key: effect_id,
    tainted: state.taint !== null,
    ...(state.child ? { roots: state.child.roots } : {}),
    now: () => rt.clock.now(),
    ...(rt.config.time_zone ? { time_zone: rt.config.time_zone } : {}),
    progress: (text, stage) =>
      operation.report(
        cleanPiece(hooks, name, { kind: stage === undefined ? "chunk" : "stage", stage: stage ?? null, text }),
      ),
    own: {
      recall: (receipt_id) => recallObservation(rt, request.at, receipt_id),
      todo: () => readTodo(rt, request.at, state),
      files: own.files,
    },
  };
}

const notRun = (rt: Runtime, text: string): HandlerResult => ({
  ...callResult(rt, false, text),
  success: false,
  broken: false,
  interruption: null,
});

export const manifestOf = (rt: Runtime, name: string): Manifest | null => rt.toolbox.catalog.get(name);
