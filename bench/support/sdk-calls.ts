// Makes only the calls to OpenTelemetry that telemetry makes for a turn of the benchmark: three spans with their
// attributes and three measurements. The values are constants, so that only the SDK is measured.
import { metrics, ROOT_CONTEXT, type Span, SpanKind, trace } from "@opentelemetry/api";
import { GEN_AI, OPERATIONS, PAWL } from "../../src/protocols/telemetry/names.ts";
import type { TurnMetrics } from "../../src/turn/runtime.ts";

const ID = "rcp_00000000000000000000000000";
const CALL = { [GEN_AI.operation]: "chat", [GEN_AI.provider]: "_OTHER", [GEN_AI.requestModel]: "endless" };
const INPUT = { ...CALL, [GEN_AI.tokenType]: "input" };
const OUTPUT = { ...CALL, [GEN_AI.tokenType]: "output" };
const ROOT_ATTRIBUTES = [
  [GEN_AI.agent, "default"],
  [PAWL.version, 1],
  [PAWL.turn, 1],
  [PAWL.state, "execute"],
] as const;
const CHAT_ATTRIBUTES = [
  [GEN_AI.provider, "_OTHER"],
  [GEN_AI.requestModel, "endless"],
  [PAWL.purpose, "execute"],
  [GEN_AI.responseModel, "endless"],
  [GEN_AI.inputTokens, 2000],
  [GEN_AI.outputTokens, 30],
] as const;
const TOOL_ATTRIBUTES = [
  [GEN_AI.toolName, "look"],
  [GEN_AI.toolCall, ID],
  [GEN_AI.toolType, "function"],
  [PAWL.receipt, ID],
] as const;

type Reported = { readonly thread: string; readonly started: number; readonly ended: number };

/** Makes the calls for as many turns at once as given. */
export function sdkCallsAlone(turnsPerReport: number): TurnMetrics {
  let waiting = 0;
  let histograms: ReturnType<typeof createHistograms> | null = null;
  const report = ({ thread, started: startTime, ended }: Reported): void => {
    const tracer = trace.getTracer("sdk-calls", "1");
    const startSpan = (name: keyof typeof OPERATIONS, kind: SpanKind, inside = ROOT_CONTEXT) =>
      tracer.startSpan(name, { kind, startTime, attributes: OPERATIONS[name] }, inside);
    const describe = (span: Span, attributes: readonly (readonly [string, string | number])[]): Span => {
      span.setAttribute(GEN_AI.conversation, thread);
      for (const [key, value] of attributes) span.setAttribute(key, value);
      return span;
    };
    const root = describe(startSpan("invoke_agent", SpanKind.INTERNAL), ROOT_ATTRIBUTES);
    const inside = trace.setSpan(ROOT_CONTEXT, root);
    describe(startSpan("chat", SpanKind.CLIENT, inside), CHAT_ATTRIBUTES).end(ended);
    describe(startSpan("execute_tool", SpanKind.INTERNAL, inside), TOOL_ATTRIBUTES).end(ended);
    root.end(ended);
    histograms ??= createHistograms();
    histograms.duration.record(0.001, CALL);
    histograms.tokens.record(2000, INPUT);
    histograms.tokens.record(30, OUTPUT);
  };
  const observe = (turn: Reported): void => {
    waiting += 1;
    if (waiting < turnsPerReport) return;
    for (; waiting > 0; waiting -= 1) report(turn);
  };
  return { observe, text: () => "" };
}

function createHistograms() {
  const meter = metrics.getMeter("sdk-calls", "1");
  // The histograms have as many buckets as Pawl's.
  const explicitBucketBoundaries = Array.from({ length: 12 }, (_, i) => 4 ** i);
  const histogram = (name: string) => meter.createHistogram(name, { advice: { explicitBucketBoundaries } });
  return { duration: histogram("duration"), tokens: histogram("tokens") };
}
