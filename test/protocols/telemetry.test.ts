// Tests the spans and metrics of turns as OpenTelemetry's own SDK receives them.
import { metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, expect, test } from "vitest";
import { createHost } from "../../src/hosts/shared/create-host.ts";
import { createMetrics } from "../../src/protocols/metrics/metrics.ts";
import { modelContent } from "../../src/protocols/telemetry/content.ts";
import { withTelemetry } from "../../src/protocols/telemetry/telemetry.ts";
import { createRedactor } from "../../src/tools/redaction/redact.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { callTool } from "../support/decisions.ts";
import { createTestThread, unwrap } from "../support/runtime.ts";
import { SCRIPTS, startServer } from "./support.ts";

afterEach(() => {
  trace.disable();
  metrics.disable();
});

const telemetry = () => ({ metrics: withTelemetry(createMetrics(), "1.0.0") });

test("a turn is a span above its model call and its tool call, without content", async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  const server = startServer([callTool("look", { at: "secret-place" })], telemetry());
  const thread = await createTestThread(server.rt, { goal: "secret-goal", mode: "direct" });
  unwrap(await thread.turn());
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(["chat scripted", "execute_tool look", "invoke_agent default"]);
  const [chat, tool, turn] = spans;
  expect([chat, tool].map((span) => span?.parentSpanContext?.spanId)).toEqual([
    turn?.spanContext().spanId,
    turn?.spanContext().spanId,
  ]);
  expect(turn?.attributes).toMatchObject({ "gen_ai.conversation.id": thread.at.thread, "pawl.turn": 1 });
  expect(chat?.attributes["gen_ai.usage.input_tokens"]).toBeGreaterThan(0);
  expect(JSON.stringify(spans.map(({ name, attributes, status }) => ({ name, attributes, status })))).not.toContain(
    "secret",
  );
});

test.each([false, true])(
  "with content: %s, the texts of a turn are in its spans only if asked for",
  async (content) => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    const filter = content ? createRedactor(["canary-secret"]) : null;
    const metrics = withTelemetry(createMetrics(), "1.0.0", filter);
    const server = startServer([callTool("look", { at: "canary-place canary-secret" })], { metrics });
    const thread = await createTestThread(server.rt, { goal: "canary-goal", mode: "direct" });
    unwrap(await thread.turn());
    const [chat, tool] = exporter.getFinishedSpans();
    const has = (text: string): boolean => JSON.stringify([chat?.attributes, tool?.attributes]).includes(text);
    expect(["canary-goal", "canary-place"].map(has)).toEqual([content, content]);
    expect(has("canary-secret")).toBe(false);
    if (!content) return;
    expect(chat?.attributes["gen_ai.input.messages"]).toContain("canary-goal");
    expect(chat?.attributes["gen_ai.output.messages"]).toContain("canary-place [redacted]");
    expect(tool?.attributes["gen_ai.tool.call.arguments"]).toContain("canary-place [redacted]");
  },
);

test("the system message is redacted once as long as it stays the same", () => {
  const redacted: string[] = [];
  const filter = {
    text(text: string): string {
      redacted.push(text);
      return text.replace("canary-secret", "[redacted]");
    },
  };
  const system = (content: string, kept = filter) => {
    const messages = [{ role: "system", content }] as const;
    return modelContent({ messages, text: null }, kept)["gen_ai.system_instructions"];
  };
  const first = system("rules canary-secret");
  expect([first, system("rules canary-secret")]).toEqual([first, '[{"type":"text","content":"rules [redacted]"}]']);
  expect(system("other rules")).toContain("other rules");
  expect(system("rules canary-secret", { text: () => "none" })).toContain("none");
  expect(redacted).toEqual(["rules canary-secret", "other rules"]);
});

test.each([{}, { telemetry: { content: true } }])("the configuration %j decides about content", async (given) => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  const config = { ...DEFAULT_CONFIG, ...given };
  const { store, settings, pickModel } = startServer(SCRIPTS.answer).rt;
  const { rt } = unwrap(createHost({ config, store, settings, pickModel, toolkits: [] }));
  const thread = await createTestThread(rt, { goal: "canary-goal", mode: "direct" });
  unwrap(await thread.turn());
  const text = JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes));
  expect(text.includes("canary-goal")).toBe("telemetry" in given);
});

test("a refused turn has the code of its problem", async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  const server = startServer(SCRIPTS.write, telemetry());
  const thread = await createTestThread(server.rt, { goal: "Write", mode: "direct" });
  unwrap(await thread.turn());
  await thread.turn();
  const refused = exporter.getFinishedSpans().at(-1);
  expect(refused?.attributes["error.type"]).toBe("gate_open");
});

test("model calls are counted in time and tokens", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  const server = startServer(SCRIPTS.tool, telemetry());
  const thread = await createTestThread(server.rt, { goal: "Look", mode: "direct" });
  unwrap(await thread.turn());
  await provider.forceFlush();
  const found = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(found.map(({ descriptor }) => descriptor.name).sort()).toEqual([
    "gen_ai.client.operation.duration",
    "gen_ai.client.token.usage",
  ]);
  await provider.shutdown();
});

test("an SDK that is registered after the first turn gets the next one", async () => {
  const server = startServer([...SCRIPTS.tool, ...SCRIPTS.tool], telemetry());
  const thread = await createTestThread(server.rt, { goal: "Look", mode: "direct" });
  unwrap(await thread.turn());
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }));
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  unwrap(await thread.turn());
  expect(spans.getFinishedSpans().filter(({ name }) => name === "invoke_agent default")).toHaveLength(1);
  await reader.forceFlush();
  const [first] = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(first?.dataPoints).toMatchObject([{ value: { count: 1 } }]);
  await reader.shutdown();
});

test("without an SDK nothing is recorded, and turns work", async () => {
  const server = startServer(SCRIPTS.tool, telemetry());
  const thread = await createTestThread(server.rt, { goal: "Look", mode: "direct" });
  unwrap(await thread.turn());
  expect(await (await server.fetch("http://pawl/metrics")).text()).toContain("pawl_turns_total");
});
