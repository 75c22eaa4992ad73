// Turns as spans and metrics of OpenTelemetry, by the conventions for generative AI. Only the API is used: without an SDK in the
// process nothing is recorded. Names, ids, codes, counts and times; content only if the operator asked for it.
import {
  type Attributes,
  context,
  type Histogram,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { SettledReceipt } from "../../schema/receipt.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import type { ObservedModelCall, ObservedTurn, TurnMetrics } from "../../turn/runtime.ts";
import { type ContentFilter, modelContent, toolContent } from "./content.ts";
import { GEN_AI, PAWL } from "./names.ts";

/** The conventions recommend these buckets. */
const DURATION_S = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576];

/** Looks the SDK up at each turn, so that it may be registered after the host was made. */
export function withTelemetry(counters: TurnMetrics, version: string, content: ContentFilter = null): TurnMetrics {
  return {
    observe(turn) {
      counters.observe(turn);
      recordSpans(turn, version, content);
      recordMetrics(turn, version);
    },
    text: counters.text,
  };
}

function recordSpans(turn: ObservedTurn, version: string, content: ContentFilter): void {
  const tracer = trace.getTracer("pawl", version);
  const { agent, started, ended, records, model_calls, problem } = turn;
  const plans = model_calls.some(({ purpose }) => purpose === "plan");
  const operation = plans ? "plan" : "invoke_agent";
  const root = tracer.startSpan(`${operation} ${agent ?? "unknown"}`, {
    kind: SpanKind.INTERNAL,
    startTime: started,
    attributes: turnAttributes(turn, operation),
  });
  if (!root.isRecording()) return;
  const inside = trace.setSpan(context.active(), root);
  for (const call of model_calls) {
    const attributes = { ...modelAttributes(call, turn.thread), ...modelContent(call, content) };
    const options = { kind: SpanKind.CLIENT, startTime: call.started, attributes };
    finish(tracer.startSpan(`chat ${call.model}`, options, inside), call.problem, call.ended);
  }
  for (const { receipt, entry } of settledCalls(records)) {
    const options = {
      kind: SpanKind.INTERNAL,
      startTime: Date.parse(receipt.started_at),
      attributes: { ...toolAttributes(receipt, turn.thread), ...toolContent(entry, content) },
    };
    const failed =
      receipt.success === true || receipt.asked ? null : receipt.success === null ? "outcome_unknown" : "tool_failed";
    finish(tracer.startSpan(`execute_tool ${receipt.name}`, options, inside), failed, Date.parse(receipt.finished_at));
  }
  finish(root, problem, ended);
}

function finish(span: Span, problem: string | null, ended: number): void {
  if (problem !== null) {
    span.setAttribute("error.type", problem);
    span.setStatus({ code: SpanStatusCode.ERROR, message: problem });
  }
  span.end(ended);
}

const settledCalls = (records: readonly ThreadRecord[]) =>
  records.flatMap(({ entry }) =>
    entry.receipts
      .filter((receipt): receipt is SettledReceipt => receipt.kind === "settled" && receipt.source !== "user_reply")
      .map((receipt) => ({ receipt, entry })),
  );

function turnAttributes({ agent, thread, records }: ObservedTurn, operation: string): Attributes {
  const head = records.at(-1);
  return {
    [GEN_AI.operation]: operation,
    [GEN_AI.conversation]: thread,
    ...(agent && { [GEN_AI.agent]: agent }),
    ...(head && { [PAWL.version]: head.version, [PAWL.turn]: head.entry.turn, [PAWL.state]: head.state.machine.state }),
    ...(head?.state.gate?.version === head?.version && head?.state.gate ? { [PAWL.gate]: head.state.gate.kind } : {}),
  };
}

const modelAttributes = (call: ObservedModelCall, thread: string): Attributes => ({
  [GEN_AI.operation]: "chat",
  [GEN_AI.provider]: "_OTHER",
  [GEN_AI.requestModel]: call.model,
  [GEN_AI.conversation]: thread,
  [PAWL.purpose]: call.purpose,
  ...(call.response_model && { [GEN_AI.responseModel]: call.response_model }),
  ...(call.usage && {
    [GEN_AI.inputTokens]: call.usage.input_tokens,
    [GEN_AI.outputTokens]: call.usage.output_tokens,
  }),
});

const toolAttributes = (receipt: SettledReceipt, thread: string): Attributes => ({
  [GEN_AI.operation]: "execute_tool",
  [GEN_AI.conversation]: thread,
  [GEN_AI.toolName]: receipt.name,
  [GEN_AI.toolCall]: receipt.gate_id ?? receipt.id,
  [GEN_AI.toolType]: "function",
  [PAWL.receipt]: receipt.id,
});

type Histograms = { readonly duration: Histogram; readonly tokens: Histogram };

/** The SDK compares a histogram with all others when it is created, so each provider is asked once. */
const created = new WeakMap<MeterProvider, Histograms>();

function histograms(version: string): Histograms {
  const provider = metrics.getMeterProvider();
  const known = created.get(provider);
  if (known) return known;
  const meter = provider.getMeter("pawl", version);
  const duration = meter.createHistogram(GEN_AI.duration, {
    unit: "s",
    advice: { explicitBucketBoundaries: DURATION_S },
  });
  const tokens = meter.createHistogram(GEN_AI.tokens, {
    unit: "{token}",
    advice: { explicitBucketBoundaries: TOKENS },
  });
  const made = { duration, tokens };
  created.set(provider, made);
  return made;
}

function recordMetrics({ model_calls }: ObservedTurn, version: string): void {
  if (model_calls.length === 0) return;
  const { duration, tokens } = histograms(version);
  for (const { model, started, ended, usage, problem } of model_calls) {
    const labels = { [GEN_AI.operation]: "chat", [GEN_AI.provider]: "_OTHER", [GEN_AI.requestModel]: model };
    duration.record((ended - started) / 1000, { ...labels, ...(problem && { "error.type": problem }) });
    if (!usage) continue;
    tokens.record(usage.input_tokens, { ...labels, [GEN_AI.tokenType]: "input" });
    tokens.record(usage.output_tokens, { ...labels, [GEN_AI.tokenType]: "output" });
  }
}
