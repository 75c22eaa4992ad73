// Makes only the calls to OpenTelemetry that telemetry makes for a turn of the benchmark: three spans with their
// attributes and three measurements. The values are constants, so that only the SDK is measured.
import { metrics, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { GEN_AI, OPERATIONS, PAWL } from "../../src/protocols/telemetry/names.ts";
import type { ObservedTurn, TurnMetrics } from "../../src/turn/runtime.ts";

const ID = "rcp_00000000000000000000000000";
const CALL = { [GEN_AI.operation]: "chat", [GEN_AI.provider]: "_OTHER", [GEN_AI.requestModel]: "endless" };
const INPUT = { ...CALL, [GEN_AI.tokenType]: "input" };
const OUTPUT = { ...CALL, [GEN_AI.tokenType]: "output" };
const ROOT_ATTRIBUTES = { [GEN_AI.agent]: "default", [PAWL.version]: 1, [PAWL.turn]: 1, [PAWL.state]: "execute" };
const CHAT_ATTRIBUTES = {
  [GEN_AI.provider]: "_OTHER",
  [GEN_AI.requestModel]: "endless",
  [PAWL.purpose]: "execute",
  [GEN_AI.responseModel]: "endless",
  [GEN_AI.inputTokens]: 2000,
  [GEN_AI.outputTokens]: 30,
};
const TOOL_ATTRIBUTES = {
  [GEN_AI.toolName]: "look",
  [GEN_AI.toolCall]: ID,
  [GEN_AI.toolType]: "function",
  [PAWL.receipt]: ID,
};

export function sdkCallsAlone(): TurnMetrics {
  let histograms: ReturnType<typeof createHistograms> | null = null;
  return {
    observe({ thread, started: startTime, ended }: ObservedTurn) {
      const tracer = trace.getTracer("sdk-calls", "1");
      const startSpan = (name: keyof typeof OPERATIONS, kind: SpanKind, inside = ROOT_CONTEXT) =>
        tracer.startSpan(name, { kind, startTime, attributes: OPERATIONS[name] }, inside);
      const root = startSpan("invoke_agent", SpanKind.INTERNAL);
      root.setAttribute(GEN_AI.conversation, thread).setAttributes(ROOT_ATTRIBUTES);
      const inside = trace.setSpan(ROOT_CONTEXT, root);
      const chat = startSpan("chat", SpanKind.CLIENT, inside);
      chat.setAttribute(GEN_AI.conversation, thread).setAttributes(CHAT_ATTRIBUTES).end(ended);
      const tool = startSpan("execute_tool", SpanKind.INTERNAL, inside);
      tool.setAttribute(GEN_AI.conversation, thread).setAttributes(TOOL_ATTRIBUTES).end(ended);
      root.end(ended);
      histograms ??= createHistograms();
      histograms.duration.record(0.001, CALL);
      histograms.tokens.record(2000, INPUT);
      histograms.tokens.record(30, OUTPUT);
    },
    text: () => "",
  };
}

function createHistograms() {
  const meter = metrics.getMeter("sdk-calls", "1");
  // The histograms have as many buckets as Pawl's.
  const explicitBucketBoundaries = Array.from({ length: 12 }, (_, i) => 4 ** i);
  const histogram = (name: string) => meter.createHistogram(name, { advice: { explicitBucketBoundaries } });
  return { duration: histogram("duration"), tokens: histogram("tokens") };
}
