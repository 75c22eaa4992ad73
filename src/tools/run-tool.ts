// Runs one handler under its limits and returns the outcome. Never throws, and does not depend on threads or gates.
import { type Clock, startTimer } from "../ports/clock.ts";
import type { StreamHash } from "../ports/hash.ts";
import { isFailed, problem } from "../schema/problem.ts";
import type { CaptureResult } from "./capture.ts";
import { checkValue } from "./declared/check-value.ts";
import type { Tool, ToolContext, ToolStream } from "./define-tool.ts";
import type { PieceFilter } from "./hooks.ts";
import { isOutcome, type OutcomeMore } from "./outcome.ts";
import { createStreamCollector, type Piece, type StreamCollector } from "./stream-collector.ts";

export type ToolRun = {
  /** How the run ended. "unknown" means that the tool itself reports that it cannot tell whether the effect happened. */
  readonly how: "done" | "refused" | "unknown" | "threw" | "bad_output" | "timeout" | "not_streaming";
  readonly success: boolean;
  /** What went wrong, in one sentence without the text streamed before; null for a success. */
  readonly reason: string | null;
  /** Resolves with a result after the time limit, if there is one. Null within the limit, or if a late result cannot be known. */
  readonly lateRun: Promise<ToolRun | null> | null;
  /** The whole output, or head and tail of a long stream. */
  readonly text: string;
  /** The output as data, or null if it is only text. */
  readonly raw: unknown;
  /** Size and hash of everything that was streamed; null if `text` contains all of it. */
  readonly totals: Pick<CaptureResult, "size" | "sha256"> | null;
  readonly more: OutcomeMore;
};

export type RunPorts = {
  readonly clock: Clock;
  readonly hash: StreamHash;
  /** Filters all streamed output before it is sent or stored. */
  readonly filter: PieceFilter;
  /** The next piece is requested only after this one was processed. */
  readonly onPiece: (piece: Piece) => void | Promise<void>;
};

const VALUE_ONLY: OutcomeMore = {};

export type RunContext = Omit<ToolContext, "signal">;

export async function runTool(tool: Tool, args: unknown, context: RunContext, ports: RunPorts): Promise<ToolRun> {
  const { manifest } = tool;
  const stop = new AbortController();
  const timer = startTimer(ports.clock, manifest.timeout_ms);
  const collector = createStreamCollector(ports);
  const late = timer.cancelled.then(() => ({ late: true as const }));
  const attempted = attempt(tool, args, { ...context, signal: stop.signal }, collector);
  const ended = await Promise.race([attempted, late]);
  timer.cancel();
  if ("late" in ended) stop.abort();
  await collector.close();
  if (!("late" in ended)) return toToolRun(tool, ended, collector);
  const why = `${manifest.name} did not finish within ${manifest.timeout_ms} ms.`;
  // A stream without listeners is not drained, so its end is unknown.
  const lateRun = manifest.streaming ? null : attempted.then((end) => toLateRun(tool, end, ports));
  return { ...failed(collector, "timeout", why), lateRun };
}

/** After the time limit only a success counts, because a failure may be the result of having been stopped. */
async function toLateRun(tool: Tool, ended: HandlerResult, ports: RunPorts): Promise<ToolRun | null> {
  const run = await toToolRun(tool, ended, createStreamCollector(ports));
  return run.success ? run : null;
}

async function toToolRun(tool: Tool, ended: HandlerResult, collector: StreamCollector): Promise<ToolRun> {
  if ("threw" in ended) return handlerFailure(tool, collector, "threw", `failed: ${ended.threw}`);
  try {
    return await readOutput(tool, ended.value, collector);
  } catch (error) {
    // Rendering is the tool's own code, so an exception counts as a failure of the tool.
    return handlerFailure(
      tool,
      collector,
      "threw",
      `failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

type HandlerResult = { readonly value: unknown } | { readonly threw: string };

async function attempt(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  collector: StreamCollector,
): Promise<HandlerResult> {
  try {
    const value = await tool.run(args, context);
    if (!isStream(value)) return { value };
    if (tool.manifest.streaming) return { value: await collector.collect(value) };
    // No piece was requested, so the generator has not run at all.
    return { value: { ok: false, problem: problem("not_streaming", `${tool.manifest.name} does not stream.`) } };
  } catch (error) {
    return { threw: error instanceof Error ? error.message : String(error) };
  }
}

const isStream = (value: unknown): value is ToolStream<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

const STATUS_BY_PROBLEM: Readonly<Record<string, "unknown" | "not_streaming">> = {
  outcome_unknown: "unknown",
  // A store that did not answer may have saved the change.
  store_unavailable: "unknown",
  not_streaming: "not_streaming",
};

async function readOutput(tool: Tool, given: unknown, collector: StreamCollector): Promise<ToolRun> {
  const { value, more } = isOutcome(given) ? given : { value: given, more: VALUE_ONLY };
  if (isFailed(value)) {
    const run = failed(collector, STATUS_BY_PROBLEM[value.problem.code] ?? "refused", value.problem.message);
    // A failure keeps its trust and its mark as an observation. Its changes, such as a new todo list, are dropped.
    const { output_trust, observed } = more;
    return { ...run, more: { ...(output_trust && { output_trust }), ...(observed && { observed }) } };
  }
  // If a stream returned nothing, its text is the result.
  if (value === undefined && collector.hasStream()) return done(collector, null, null, more);
  const checked = tool.output ? await checkValue(tool.output, value) : { success: true as const, data: value };
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where = issue?.path.join(".") || "the result";
    return handlerFailure(tool, collector, "bad_output", `broke its own output schema at ${where}: ${issue?.message}`);
  }
  return done(collector, tool.render(checked.data), dataOf(checked.data), more);
}

/** Shown beside the text and stored as JSON. Null for text and for what JSON cannot represent. */
function dataOf(value: unknown): unknown {
  if (typeof value === "string") return null;
  try {
    return JSON.parse(JSON.stringify(value) ?? "null") as unknown;
  } catch {
    return null;
  }
}

const done = (collector: StreamCollector, last: string | null, raw: unknown, more: OutcomeMore): ToolRun => ({
  how: "done",
  success: true,
  reason: null,
  lateRun: null,
  ...collector.textWith(last),
  raw,
  more,
});

/** Only a check can find out how far a handler got that threw or broke its output schema. */
function handlerFailure(
  { manifest }: Tool,
  collector: StreamCollector,
  how: "threw" | "bad_output",
  text: string,
): ToolRun {
  const message = `${manifest.name} ${text}`;
  return failed(
    collector,
    how,
    manifest.effect === "pure" ? message : `${message}\nIt may have done something. ${CHECK_FIRST}`,
  );
}

const CHECK_FIRST = "Check before you repeat it.";

const failed = (collector: StreamCollector, how: Exclude<ToolRun["how"], "done">, text: string): ToolRun => ({
  how,
  success: false,
  reason: text,
  lateRun: null,
  ...collector.textWith(text),
  raw: null,
  more: VALUE_ONLY,
});
