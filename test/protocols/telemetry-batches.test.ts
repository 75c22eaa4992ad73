// Tests turns that are reported in batches: later, but all of them, with their own times and parents.
import { diag, metrics, trace } from "@opentelemetry/api";
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
import { reportInBatches, type ScheduleReport, TURNS_MAX } from "../../src/protocols/telemetry/batches.ts";
import { withTelemetry } from "../../src/protocols/telemetry/telemetry.ts";
import type { TurnFacts } from "../../src/protocols/telemetry/turn-facts.ts";
import { createRedactor } from "../../src/tools/redaction/redact.ts";
import { DEFAULT_CONFIG, type ObservedTurn } from "../../src/turn/runtime.ts";
import { callTool } from "../support/decisions.ts";
import { createTestThread, unwrap } from "../support/runtime.ts";
import { SCRIPTS, startServer } from "./support.ts";

afterEach(() => {
  trace.disable();
  metrics.disable();
  diag.disable();
});

function registerSdk() {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  return exporter;
}

/** Creates a schedule that runs a function when the test says so. */
function manualSchedule() {
  const scheduled: (() => void)[] = [];
  const soon: (() => void)[] = [];
  const schedule: ScheduleReport = (flush, when) => void (when === "soon" ? soon : scheduled).push(flush);
  const runNext = (): void => scheduled.shift()?.();
  const runSoon = (): void => soon.shift()?.();
  return { scheduled, soon, schedule, runNext, runSoon };
}

const CALL = { model: "m", response_model: "m", purpose: "execute", usage: null, problem: null } as const;
const aTurn = (started: number): ObservedTurn => ({
  thread: `thr_${started}`,
  agent: "default",
  problem: null,
  started,
  ended: started + 1,
  records: [],
  model_calls: [{ ...CALL, started, ended: started + 1, content: null }],
});

test("turns are reported when the host says so, in their order and once", () => {
  const { scheduled, schedule, runNext } = manualSchedule();
  const reported: string[] = [];
  const batches = reportInBatches(
    { report: (turns) => void reported.push(...turns.map(({ thread }) => thread)), text: () => "" },
    schedule,
  );
  batches.observe(aTurn(1));
  batches.observe(aTurn(2));
  expect([reported, scheduled.length]).toEqual([[], 1]);
  runNext();
  expect(reported).toEqual(["thr_1", "thr_2"]);
  batches.observe(aTurn(3));
  expect(scheduled).toHaveLength(1);
  runNext();
  batches.flush?.();
  expect(reported).toEqual(["thr_1", "thr_2", "thr_3"]);
});

test("a full batch is reported soon but after the turn that filled it, and every turn once", () => {
  const { scheduled, soon, schedule, runNext, runSoon } = manualSchedule();
  const reported: string[] = [];
  const batches = reportInBatches(
    { report: (turns) => void reported.push(...turns.map(({ thread }) => thread)), text: () => "" },
    schedule,
  );
  const all = Array.from({ length: 2 * TURNS_MAX + 2 }, (_, i) => aTurn(i));
  for (const turn of all.slice(0, TURNS_MAX + 1)) batches.observe(turn);
  expect([reported.length, soon.length, scheduled.length]).toEqual([0, 1, 1]);
  runSoon();
  expect(reported).toHaveLength(TURNS_MAX + 1);
  for (const turn of all.slice(TURNS_MAX + 1)) batches.observe(turn);
  expect([reported.length, soon.length, scheduled.length]).toEqual([TURNS_MAX + 1, 1, 1]);
  runNext();
  expect(reported).toEqual(all.map(({ thread }) => thread));
  runSoon();
  expect(reported).toHaveLength(all.length);
});

test("GET /metrics counts the turns that wait", async () => {
  const metrics = reportInBatches(withTelemetry(createMetrics(), "1.0.0"), () => undefined);
  const server = startServer(SCRIPTS.answer, { metrics });
  const thread = await createTestThread(server.rt, { goal: "Hello", mode: "direct" });
  unwrap(await thread.turn());
  const text = await (await server.fetch("http://pawl/metrics")).text();
  expect(text).toContain('pawl_turns_total{agent="default",result="ok"} 1');
});

test("spans that are created later have the times of their turn", () => {
  const exporter = registerSdk();
  const batches = reportInBatches(withTelemetry(createMetrics(), "1.0.0"), () => undefined);
  const started = Date.parse("2026-03-02T08:00:00.250Z");
  batches.observe(aTurn(started));
  expect(exporter.getFinishedSpans()).toEqual([]);
  batches.flush?.();
  const times = exporter.getFinishedSpans().map(({ name, startTime, endTime }) => [name, startTime, endTime]);
  const [start, end] = [250, 251].map((ms) => [Math.trunc(started / 1000), ms * 1e6]);
  expect(times).toEqual([
    ["chat m", start, end],
    ["invoke_agent default", start, end],
  ]);
});

test("prompts, replies, arguments and results do not wait", async () => {
  const reported: TurnFacts[] = [];
  const withContent = withTelemetry(createMetrics(), "1.0.0", createRedactor());
  const report = (turns: readonly TurnFacts[]): void => void reported.push(...turns);
  const metrics = reportInBatches({ ...withContent, report }, () => undefined);
  const server = startServer([callTool("look", { at: "canary-place" })], { metrics });
  const thread = await createTestThread(server.rt, { goal: "canary-goal", mode: "direct" });
  unwrap(await thread.turn());
  metrics.flush?.();
  expect(reported).toMatchObject([{ model_calls: [{ model: "scripted" }], tool_calls: [{ name: "look" }] }]);
  expect(JSON.stringify(reported)).not.toContain("canary");
});

test.each([false, true])("with content: %s, a host that may report later does so only without", async (content) => {
  const exporter = registerSdk();
  const { schedule, runNext } = manualSchedule();
  const config = { ...DEFAULT_CONFIG, telemetry: { content } };
  const { store, settings, pickModel } = startServer(SCRIPTS.answer).rt;
  const { rt } = unwrap(createHost({ config, store, settings, pickModel, toolkits: [], scheduleReport: schedule }));
  const thread = await createTestThread(rt, { goal: "Hello", mode: "direct" });
  unwrap(await thread.turn());
  expect(exporter.getFinishedSpans().length > 0).toBe(content);
  runNext();
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toContain("invoke_agent default");
});

test("an SDK that throws fails no turn and loses no other", async () => {
  const errors: unknown[] = [];
  const error = (...all: unknown[]): void => void errors.push(all);
  const none = (): void => undefined;
  diag.setLogger({ error, warn: none, info: none, debug: none, verbose: none });
  const ended: string[] = [];
  const processor = {
    onStart: none,
    onEnd({ name }: { name: string }) {
      ended.push(name);
      if (ended.length === 1) throw new Error("the processor is broken");
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }));
  const metrics = withTelemetry(createMetrics(), "1.0.0");
  const batches = reportInBatches(metrics, () => undefined);
  batches.observe(aTurn(1));
  batches.observe(aTurn(2));
  batches.flush?.();
  expect(ended).toEqual(["chat m", "chat m", "invoke_agent default"]);
  expect(errors).toMatchObject([["pawl: a turn was not reported", { message: "the processor is broken" }]]);
});

test("measurements are recorded although the spans of their turn were not", async () => {
  const none = (): void => undefined;
  const onEnd = (): void => {
    throw new Error("the processor is broken");
  };
  const processor = { onStart: none, onEnd, forceFlush: async () => undefined, shutdown: async () => undefined };
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }));
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const batches = reportInBatches(withTelemetry(createMetrics(), "1.0.0"), () => undefined);
  batches.observe(aTurn(1));
  batches.flush?.();
  await reader.forceFlush();
  const names = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics[0]?.metrics ?? []);
  expect(names.map(({ descriptor }) => descriptor.name)).toContain("gen_ai.client.operation.duration");
  await reader.shutdown();
});
