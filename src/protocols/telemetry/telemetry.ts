// Records turns as spans and metrics of OpenTelemetry, following its conventions for generative AI. Only the API is
// used, so nothing is recorded unless an SDK is registered in the process. Spans contain names, ids, codes, counts and
// times, and content only if the operator has enabled it.
import {
  type Attributes,
  createNoopMeter,
  diag,
  type Histogram,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from "@opentelemetry/api";
import type { ObservedModelCall } from "../../turn/runtime.ts";
import { type ContentFilter, modelContent, toolContent } from "./content.ts";
import { GEN_AI, OPERATIONS, PAWL } from "./names.ts";
import { type FactMetrics, factsOf, type ToolCallFacts, type TurnFacts } from "./turn-facts.ts";
import { findTracer, startCall, TurnSpans } from "./turn-spans.ts";

/** The buckets that the conventions recommend for durations. */
const DURATION_S = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** The buckets that the conventions recommend for numbers of tokens. */
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576];

/**
 * Adds telemetry to the counters. The SDK is looked up at each report, so it may be registered after the host was
 * created.
 */
export function withTelemetry(
  counters: FactMetrics,
  version: string,
  content: ContentFilter | null = null,
): FactMetrics {
  const report = (turns: readonly TurnFacts[]): void => {
    counters.report(turns);
    // All spans, then all measurements: code that runs repeatedly stays in the processor's caches.
    const tracer = safely(() => findTracer(version));
    if (tracer) for (const turn of turns) safely(() => recordSpans(turn, { tracer, version, content }));
    const found = safely(() => findHistograms(version));
    if (found) for (const turn of turns) safely(() => recordMetrics(turn, found));
  };
  return {
    content: content !== null,
    trace: (parent, started) => new TurnSpans(version, parent, started),
    observe: (turn) => report([factsOf(turn, content !== null)]),
    report,
    text: counters.text,
  };
}

/**
 * An SDK may throw. The turn itself is committed, and other turns may still have to be reported after it.
 */
function safely<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    diag.error("pawl: a turn was not reported", error);
    return null;
  }
}

type SpanOptions = { readonly tracer: Tracer; readonly version: string; readonly content: ContentFilter | null };

function recordSpans(turn: TurnFacts, { tracer, version, content: filter }: SpanOptions): void {
  const { thread, agent, started, ended, model_calls, tool_calls, problem } = turn;
  const spans = turn.trace instanceof TurnSpans ? turn.trace : new TurnSpans(version, null, started);
  const plans = model_calls.some(({ purpose }) => purpose === "plan");
  const root = spans.root(plans ? "plan" : "invoke_agent", agent, tracer);
  if (!root.span.isRecording()) return;
  describeTurn(root.span, turn);
  for (const call of model_calls) {
    const options = { kind: SpanKind.CLIENT, startTime: call.started, attributes: OPERATIONS.chat };
    const span = root.tracer.startSpan(`chat ${call.model}`, options, root.inside);
    describeModelCall(span, call, thread);
    if (filter && call.content) span.setAttributes(modelContent(call.content, filter));
    finish(span, call.problem, call.ended);
  }
  for (const call of tool_calls) {
    const span = spans.takeCall(call.operation_id) ?? startCall(root, call.name, Date.parse(call.started_at));
    describeToolCall(span, call, thread);
    if (filter && call.content) span.setAttributes(toolContent(call.content, filter));
    finish(span, failureOf(call), Date.parse(call.finished_at));
  }
  spans.endCalls(ended);
  finish(root.span, problem, ended);
}

function finish(span: Span, problem: string | null, ended: number): void {
  if (problem !== null) {
    span.setAttribute("error.type", problem);
    span.setStatus({ code: SpanStatusCode.ERROR, message: problem });
  }
  span.end(ended);
}

function failureOf({ success, asked }: ToolCallFacts): string | null {
  if (success === true || asked) return null;
  return success === null ? "outcome_unknown" : "tool_failed";
}

// Sets attributes one by one to avoid an object per span, which the SDK would copy attribute by attribute anyway.
function describeTurn(span: Span, { agent, thread, version, turn, state, gate }: TurnFacts): void {
  span.setAttribute(GEN_AI.conversation, thread);
  if (agent) span.setAttribute(GEN_AI.agent, agent);
  if (version === null) return;
  span.setAttribute(PAWL.version, version);
  span.setAttribute(PAWL.turn, turn);
  span.setAttribute(PAWL.state, state);
  if (gate) span.setAttribute(PAWL.gate, gate);
}

function describeModelCall(
  span: Span,
  { model, purpose, response_model, usage }: ObservedModelCall,
  thread: string,
): void {
  span.setAttribute(GEN_AI.provider, "_OTHER");
  span.setAttribute(GEN_AI.requestModel, model);
  span.setAttribute(GEN_AI.conversation, thread);
  span.setAttribute(PAWL.purpose, purpose);
  if (response_model) span.setAttribute(GEN_AI.responseModel, response_model);
  if (!usage) return;
  span.setAttribute(GEN_AI.inputTokens, usage.input_tokens);
  span.setAttribute(GEN_AI.outputTokens, usage.output_tokens);
}

function describeToolCall(span: Span, { name, gate_id, receipt_id }: ToolCallFacts, thread: string): void {
  span.setAttribute(GEN_AI.conversation, thread);
  span.setAttribute(GEN_AI.toolName, name);
  span.setAttribute(GEN_AI.toolCall, gate_id ?? receipt_id);
  span.setAttribute(GEN_AI.toolType, "function");
  span.setAttribute(PAWL.receipt, receipt_id);
}

type Histograms = { readonly duration: Histogram; readonly tokens: Histogram };

/**
 * The histograms of each provider. They are cached because the SDK compares each new histogram with all existing ones.
 */
const created = new WeakMap<MeterProvider, Histograms>();

/** Returns null if no SDK for metrics is registered. */
function findHistograms(version: string): Histograms | null {
  const provider = metrics.getMeterProvider();
  const known = created.get(provider);
  if (known) return known;
  const meter = provider.getMeter("pawl", version);
  if (meter === createNoopMeter()) return null;
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

function recordMetrics({ model_calls }: TurnFacts, { duration, tokens }: Histograms): void {
  for (const { model, started, ended, usage, problem } of model_calls) {
    const labels = metricLabels(model);
    duration.record((ended - started) / 1000, problem ? { ...labels.call, "error.type": problem } : labels.call);
    if (!usage) continue;
    tokens.record(usage.input_tokens, labels.input);
    tokens.record(usage.output_tokens, labels.output);
  }
}

type MetricLabels = { readonly call: Attributes; readonly input: Attributes; readonly output: Attributes };

/** The labels of each model. The configuration names the models, so the map stays small. */
const labelsOfModel = new Map<string, MetricLabels>();

function metricLabels(model: string): MetricLabels {
  const known = labelsOfModel.get(model);
  if (known) return known;
  const call = { [GEN_AI.operation]: "chat", [GEN_AI.provider]: "_OTHER", [GEN_AI.requestModel]: model };
  const input = { ...call, [GEN_AI.tokenType]: "input" };
  const made = { call, input, output: { ...call, [GEN_AI.tokenType]: "output" } };
  labelsOfModel.set(model, made);
  return made;
}
