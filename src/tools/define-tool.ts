// Defines a tool as data plus one function. The two are written together and separated for the catalog and the runner.
import type { z } from "zod";
import type { DocumentSave, DocumentStore } from "../ports/documents.ts";
import type { AskedQuestion as QuestionItem } from "../schema/decision/questions.ts";
import type { EffectKind, Manifest } from "../schema/manifest.ts";
import type { Failed } from "../schema/problem.ts";
import type { CallAccess } from "../schema/receipt.ts";
import { type ReadSchema, readSchema, type SchemaValue, type ToolSchema } from "./declared/standard-schema.ts";
import type { Hook } from "./hooks.ts";
import type { Outcome } from "./outcome.ts";
import type { OwnThread } from "./own-thread.ts";

export type ContinuedWith = { readonly state: string; readonly reply: string };

export type ToolContext = {
  readonly tenant: string;
  readonly thread: string;
  /** The agent of the thread, by name. */
  readonly agent: string;
  /** The metadata that the thread was created with, such as a customer number. Tools cannot change it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly run: number;
  readonly turn: number;
  readonly operation_id: string;
  /** Key that is the same for every attempt of one effect, and null for a pure call. Pass it to the system that you write to. */
  readonly idempotency_key: string | null;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** The time zone of the times in the prompt. */
  readonly time_zone?: string;
  /** Reports progress to listeners. It is never part of the result. A handler that awaits it is slowed down to their pace. */
  readonly progress: (text: string, stage?: string) => void | Promise<void>;
  readonly own: OwnThread;
  /** The call's `state` and the reply of the person, if the call asked a question before. */
  readonly continued?: ContinuedWith;
  /** True if the thread contains untrusted text. Anything that the tool saves, starts or schedules must then be marked as untrusted, too. */
  readonly tainted?: boolean;
  /**
   * Saves a document in the commit of the receipt, if the call succeeds. If the document has changed by then, the handler runs again. If this
   * returns false or is absent, the handler has to save the document itself.
   */
  readonly saveWithReceipt?: (documents: DocumentStore, save: DocumentSave) => boolean;
  /**
   * Returns headers for a request to another system, such as `traceparent`, so that its spans are below the span of this call. Empty unless an
   * OpenTelemetry SDK with a propagator is registered.
   */
  readonly traceHeaders?: () => Readonly<Record<string, string>>;
  /** The folders of the workspace that a child thread may use. If omitted, it may use all of them. */
  readonly roots?: readonly string[];
};

/** A piece of a stream. A string is output; a stage, with or without text, only reports progress. */
export type Chunk = string | { readonly stage: string; readonly text?: string };
/** A streamed result. The yielded text is the result. A returned value, if any, is validated as the output and appended. */
export type ToolStream<O> = AsyncIterable<Chunk> | AsyncIterable<Chunk, O | Outcome<O | Failed> | Failed | undefined>;

/** Runs the tool. To refuse a call, return `fail("tool_refused", why)`. An exception is a bug in the handler and counts as a failure. */
export type Handler<I, O> = (
  input: I,
  context: ToolContext,
) => Promise<O | Outcome<O | Failed> | Failed> | O | Outcome<O | Failed> | Failed | ToolStream<O>;
/** Returns whether the effect with this key happened, or null if that is unknown. The output may be less trusted than the manifest declares. */
export type Reconcile<I, O> = (
  input: I,
  key: string,
  context: ToolContext,
) => Promise<{ happened: boolean; output?: O; output_trust?: "untrusted" } | null>;
export type ReconcileAnswer<O> = NonNullable<Awaited<ReturnType<Reconcile<unknown, O>>>>;

/**
 * Returns in advance why a call must fail, or null if no reason is known. It must change nothing and answer quickly. It runs before a person is
 * asked and before the call runs; the handler still has to check. The context has no idempotency key.
 */
export type Check<I> = (
  input: I,
  context: ToolContext,
) => Promise<Failed | Outcome<Failed> | null> | Failed | Outcome<Failed> | null;

/**
 * Describes what a call would change, for the person who is asked about it, or returns null if there is nothing to describe. It must change nothing
 * and answer quickly. It runs again when the person approves; if the answer is different by then, the person is asked again.
 */
export type Preview<I> = (input: I, context: ToolContext) => Promise<string | null> | string | null;

/** The words of one simple command, and the folder of the workspace that it runs in. */
export type CommandWords = { readonly words: readonly string[]; readonly folder: string };

/** The question of a tool that asks, as the gate shows it. */
export type AskedQuestion = {
  readonly question: string;
  readonly choices?: readonly string[] | undefined;
  /** Set for several questions, or for one with several answers. `question` then introduces them. */
  readonly questions?: readonly QuestionItem[] | undefined;
  readonly default?: string | undefined;
  readonly expires_in_s?: number | undefined;
};

export type ToolSpec<I extends ToolSchema, O extends ToolSchema> = Partial<
  Omit<Manifest, "input" | "output" | "name" | "description">
> & {
  readonly name: string;
  readonly description: string;
  readonly input: I;
  readonly output?: O;
  /** Converts the result to the text that the model reads. By default text stays unchanged and other values become JSON. */
  readonly render?: (output: SchemaValue<O>) => string;
  readonly reconcile?: Reconcile<SchemaValue<I>, SchemaValue<O>>;
  readonly check?: Check<SchemaValue<I>>;
  readonly preview?: Preview<SchemaValue<I>>;
  /** Returns the words of a call that is one simple command, or null for any other call. Only for tools that run commands. */
  readonly command?: (input: SchemaValue<I>) => Promise<CommandWords | null> | CommandWords | null;
  /**
   * Returns labels for a call that may carry data out, such as `harmless` or the host it goes to. `taint.allow` of the configuration lists tools
   * with labels; such a call needs no approval in a thread with untrusted text.
   */
  readonly labels?: (input: SchemaValue<I>) => Promise<readonly string[]> | readonly string[];
  /** Hooks that run only around calls of this tool, after the hooks of the runtime. */
  readonly hooks?: readonly Hook[];
  /** For a tool that asks: returns the question that the arguments stand for. By default the arguments are the question. */
  readonly question?: (input: SchemaValue<I>) => AskedQuestion;
  /** Returns whether a call reads or writes, if its arguments decide that. A call that only reads proves an observation. */
  readonly access?: (input: SchemaValue<I>) => CallAccess | Promise<CallAccess>;
  /** Returns the paths that a call can change, or null if they are unknown. Earlier observations of them are marked as stale. */
  readonly changes?: (input: SchemaValue<I>) => readonly string[] | null | Promise<readonly string[] | null>;
};

export type Tool = {
  readonly manifest: Manifest;
  readonly input: z.ZodType;
  readonly output: z.ZodType | null;
  readonly render: (output: unknown) => string;
  readonly run: Handler<unknown, unknown>;
  readonly reconcile: Reconcile<unknown, unknown> | null;
  /** Absent or null if the tool cannot tell in advance. */
  readonly check?: Check<unknown> | null;
  readonly preview?: Preview<unknown> | null;
  readonly command?: ((input: unknown) => Promise<CommandWords | null> | CommandWords | null) | null;
  readonly labels?: ((input: unknown) => Promise<readonly string[]> | readonly string[]) | null;
  readonly hooks: readonly Hook[];
  readonly question: ((input: unknown) => AskedQuestion) | null;
  readonly access?: ((input: unknown) => CallAccess | Promise<CallAccess>) | null;
  readonly changes?: ((input: unknown) => readonly string[] | null | Promise<readonly string[] | null>) | null;
  /** Loads the current definition of a tool that another system defines. Called before an approved call runs. */
  readonly refresh?: () => Promise<void>;
};

export function defineTool<I extends ToolSchema, O extends ToolSchema = z.ZodString>(
  spec: ToolSpec<I, O>,
  run: Handler<SchemaValue<I>, SchemaValue<O>>,
): Tool {
  const { input, output, render, reconcile, check, preview, command, labels, hooks, question, ...more } = spec;
  const { access, changes, ...fields } = more;
  const inputSchema = readSchema(input, "input");
  const outputSchema = output ? readSchema(output, "output") : null;
  return {
    manifest: manifestOf(fields, inputSchema, outputSchema),
    input: inputSchema.schema,
    output: outputSchema?.schema ?? null,
    render: (render ?? renderText) as (value: unknown) => string,
    run: run as Handler<unknown, unknown>,
    reconcile: (reconcile ?? null) as Reconcile<unknown, unknown> | null,
    check: (check ?? null) as Check<unknown> | null,
    preview: (preview ?? null) as Preview<unknown> | null,
    command: (command ?? null) as Tool["command"] & {},
    labels: (labels ?? null) as Tool["labels"] & {},
    hooks: hooks ?? [],
    question: (question ?? null) as Tool["question"],
    access: (access ?? null) as Exclude<Tool["access"], undefined>,
    changes: (changes ?? null) as Exclude<Tool["changes"], undefined>,
  };
}

type ManifestFields = Partial<Omit<Manifest, "input" | "output">> & { name: string; description: string };

function manifestOf(fields: ManifestFields, input: ReadSchema, output: ReadSchema | null): Manifest {
  const permission = fields.permission ?? "READ";
  const effect: EffectKind = fields.effect ?? (permission === "READ" ? "pure" : "unkeyed");
  return {
    version: "1",
    toolset: "default",
    category: "general",
    origin: "builtin",
    permission,
    effect,
    scope: "NONE",
    requires_confirmation: permission !== "READ",
    streaming: false,
    timeout_ms: 30_000,
    max_output_chars: 32_768,
    core: false,
    prompt_hint: null,
    subagent_allowed: true,
    route: permission === "READ" ? "worker-local" : "main-process-proxy",
    output_trust: "trusted",
    outward: false,
    supersedes: false,
    proves: true,
    asks: false,
    tags: [],
    examples: [],
    needs_tools: [],
    needs_parts: [],
    channels: null,
    toolkit: null,
    ...fields,
    input: input.json,
    output: output?.json ?? null,
  };
}

const renderText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 1));
