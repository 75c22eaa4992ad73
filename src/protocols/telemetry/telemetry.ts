// Records turns as spans and metrics of OpenTelemetry, following its conventions for generative AI. Only the API is
// used, so nothing is recorded unless an SDK is registered in the process. Spans contain names, ids, codes, counts and
// times, and content only if the operator has enabled it.
import {
  type Attributes,
  diag,
  type Histogram,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
} from "@opentelemetry/api";
import type { SettledReceipt } from "../../schema/receipt.ts";
import type { ObservedModelCall, ObservedTurn, TurnMetrics } from "../../turn/runtime.ts";
import { type ContentFilter, modelContent, toolContent } from "./content.ts";
import { GEN_AI, OPERATIONS, PAWL } from "./names.ts";
import { startCall, TurnSpans } from "./turn-spans.ts";

/** The buckets that the conventions recommend for durations. */
const DURATION_S = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** The buckets that the conventions recommend for numbers of tokens. */
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576];

/**
 * Adds telemetry to the counters. The SDK is looked up at each turn, so it may be registered after the host was
 * created.
 */
export function withTelemetry(
  counters: TurnMetrics,
  version: string,
  content: ContentFilter | null = null,
): TurnMetrics {
  return {
    trace: (parent, started) => new TurnSpans(version, parent, started),
    observe(turn) {
      counters.observe(turn);
      try {
        recordSpans(turn, version, content);
        recordMetrics(turn, version);
      } catch (error) {
        // A processor of the SDK may throw. The turn itself is committed, and other turns may still have to be reported
        // after it.
        diag.error("pawl: a turn was not reported", error);
      }
    },
    text: counters.text,
  };
}

function recordSpans(turn: ObservedTurn, version: string, content: ContentFilter | null): void {
  const { agent, started, ended, records, model_calls, problem } = turn;
  const spans = turn.trace instanceof TurnSpans ? turn.trace : new TurnSpans(version, null, started);
  const plans = model_calls.some(({ purpose }) => purpose === "plan");
  const root = spans.root(plans ? "plan" : "invoke_agent", agent);
  if (!root.span.isRecording()) return;
  describeTurn(root.span, turn);
  for (const call of model_calls) {
    const options = { kind: SpanKind.CLIENT, startTime: call.started, attributes: OPERATIONS.chat };
    const span = root.tracer.startSpan(`chat ${call.model}`, options, root.inside);
    describeModelCall(span, call, turn.thread);
    if (content) span.setAttributes(modelContent(call, content));
    finish(span, call.problem, call.ended);
  }
  for (const { entry } of records) {
    for (const receipt of entry.receipts) {
      if (receipt.kind !== "settled" || receipt.source === "user_reply") continue;
      const known = spans.takeCall(entry.operation?.id);
      const span = known ?? startCall(root, receipt.name, Date.parse(receipt.started_at));
      describeToolCall(span, receipt, turn.thread);
      if (content) span.setAttributes(toolContent(entry, content));
      finish(span, failureOf(receipt), Date.parse(receipt.finished_at));
    }
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

function failureOf({ success, asked }: SettledReceipt): string | null {
  if (success === true || asked) return null;
  return success === null ? "outcome_unknown" : "tool_failed";
}

// Sets attributes one by one to avoid an object per span, which the SDK would copy attribute by attribute anyway.
function describeTurn(span: Span, { agent, thread, records }: ObservedTurn): void {
  span.setAttribute(GEN_AI.conversation, thread);
  if (agent) span.setAttribute(GEN_AI.agent, agent);
  const head = records.at(-1);
  if (!head) return;
  span.setAttribute(PAWL.version, head.version);
  span.setAttribute(PAWL.turn, head.entry.turn);
  span.setAttribute(PAWL.state, head.state.machine.state);
  if (head.state.gate?.version === head.version) span.setAttribute(PAWL.gate, head.state.gate.kind);
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

function describeToolCall(span: Span, receipt: SettledReceipt, thread: string): void {
  span.setAttribute(GEN_AI.conversation, thread);
  span.setAttribute(GEN_AI.toolName, receipt.name);
  span.setAttribute(GEN_AI.toolCall, receipt.gate_id ?? receipt.id);
  span.setAttribute(GEN_AI.toolType, "function");
  span.setAttribute(PAWL.receipt, receipt.id);
}

type Histograms = { readonly duration: Histogram; readonly tokens: Histogram };

/**
 * The histograms of each provider. They are cached because the SDK compares each new histogram with all existing ones.
 */
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
