// Tests traces across systems: the spans of a turn are below the span of its caller, and the spans of another system
// are below those of the call.
import { AsyncLocalStorage } from "node:async_hooks";
import * as sdk from "@modelcontextprotocol/client";
import { type Context, context, propagation, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, expect, test } from "vitest";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createMcpServer } from "../../src/adapters/mcp-client/mcp-client.ts";
import { createApp } from "../../src/http/app.ts";
import { runSlice } from "../../src/jobs/run-slice.ts";
import type { FetchRequest } from "../../src/ports/fetcher.ts";
import { createMetrics } from "../../src/protocols/metrics/metrics.ts";
import { reportInBatches } from "../../src/protocols/telemetry/batches.ts";
import { withTelemetry } from "../../src/protocols/telemetry/telemetry.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import { mcpToolkit } from "../../src/toolkits/index.ts";
import { definitionsDigest } from "../../src/toolkits/mcp/definition.ts";
import { loadThread } from "../../src/turn/load.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { callTool, done } from "../support/decisions.ts";
import { driveOptions } from "../support/drive-options.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { testSettings } from "../support/server.ts";
import { SCRIPTS, startServer } from "./support.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const PARENT = { traceparent: `00-${TRACE}-${SPAN}-01` };

afterEach(() => {
  trace.disable();
  propagation.disable();
  context.disable();
});

function registerSdk() {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return exporter;
}

/** Registers a context manager as the SDK for Node does. */
function registerContextManager(): void {
  const storage = new AsyncLocalStorage<Context>();
  const manager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (inside: Context, run: (...args: never[]) => unknown, self?: unknown, ...args: never[]) =>
      storage.run(inside, () => run.apply(self, args)),
    bind: (_: Context, target: unknown) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager as never);
}

const traced = () => ({ metrics: withTelemetry(createMetrics(), "1.0.0") });
/** Reports turns as a server does, after they have ended. */
const tracedLater = () => ({ metrics: reportInBatches(traced().metrics, () => undefined) });

const parentsOf = (exporter: InMemorySpanExporter, name: string) =>
  exporter
    .getFinishedSpans()
    .filter((span) => span.name === name)
    .map(({ parentSpanContext }) => [parentSpanContext?.traceId, parentSpanContext?.spanId]);

async function postTurn(
  headers: Record<string, string>,
  metrics: Pick<Runtime, "metrics"> = traced(),
): Promise<Runtime> {
  const server = startServer(SCRIPTS.answer, metrics);
  const { at } = await createTestThread(server.rt, { goal: "Hello", mode: "direct" });
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: "{}" };
  const response = await server.fetch(`http://pawl/v1/threads/${at.thread}/turns`, init);
  expect(response.status).toBe(200);
  return server.rt;
}

test("the header traceparent names the parent of a turn", async () => {
  const exporter = registerSdk();
  await postTurn(PARENT);
  await postTurn({});
  await postTurn({ traceparent: "00-not-a-parent" });
  const none = [undefined, undefined];
  expect(parentsOf(exporter, "invoke_agent default")).toEqual([[TRACE, SPAN], none, none]);
});

test("the span of an instrumentation of HTTP is closer than the header that it read", async () => {
  registerContextManager();
  const exporter = registerSdk();
  const span = trace.getTracer("http").startSpan("POST");
  await context.with(trace.setSpan(context.active(), span), () => postTurn(PARENT));
  const { traceId, spanId } = span.spanContext();
  expect(parentsOf(exporter, "invoke_agent default")).toEqual([[traceId, spanId]]);
});

test("a turn that is reported later has the parent that it had when it ran", async () => {
  registerContextManager();
  const exporter = registerSdk();
  const fromHeader = await postTurn(PARENT, tracedLater());
  const span = trace.getTracer("http").startSpan("POST");
  const inside = await context.with(trace.setSpan(context.active(), span), () => postTurn(PARENT, tracedLater()));
  for (const { metrics } of [fromHeader, inside]) metrics?.flush?.();
  const { traceId, spanId } = span.spanContext();
  expect(parentsOf(exporter, "invoke_agent default")).toEqual([
    [TRACE, SPAN],
    [traceId, spanId],
  ]);
});

const other = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;

/** Starts a background run whose turns are taken by workers, then sends a message that waits for them. */
async function runInBackground(create: object, message: object) {
  const rt = createTestRuntime([...SCRIPTS.answer, ...SCRIPTS.answer], [], traced());
  const app = createApp(testSettings(rt));
  const post = async (path: string, headers: object, body: object) => {
    const all = { host: "localhost", "content-type": "application/json", ...headers };
    const response = await app.request(path, { method: "POST", headers: all, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
    return (await response.json()).thread;
  };
  const work = async () => {
    const [due] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 1));
    if (due) await runSlice(rt, due, driveOptions());
  };
  const { id } = await post("/v1/threads", create, { goal: "Hello", mode: "direct", run: "background" });
  await work();
  await post(`/v1/threads/${id}/turns`, message, { input: { type: "message", text: "And now?" } });
  await work();
  const { state } = unwrap(await loadThread(rt, { tenant: LOCAL_TENANT, thread: id }));
  expect(state.machine.outcome).toBe("completed");
  return state;
}

test("turns of workers have traces of their own, with a link to the request that sent them work", async () => {
  const exporter = registerSdk();
  const state = await runInBackground(PARENT, { traceparent: other("2") });
  const turns = exporter.getFinishedSpans().filter(({ name }) => name === "invoke_agent default");
  const shown = turns.map((span) => [
    span.parentSpanContext?.traceId,
    ...span.links.map((link) => [link.context.traceId, link.context.spanId]),
  ]);
  const queued = [undefined, [TRACE, SPAN]];
  const sent = [["2".repeat(32)], [undefined, ["2".repeat(32), "2".repeat(16)]]];
  expect(shown).toEqual([queued, queued, ...sent]);
  expect(new Set(turns.map((span) => span.spanContext().traceId)).size).toBe(4);
  expect(state.trace_parent).toBe(other("2"));
});

test.each(["00-x", other("0"), `${other("2")}-more`, "x".repeat(4_000)])(
  "no other text than a traceparent is stored: %s",
  async (traceparent) => {
    const exporter = registerSdk();
    expect(await runInBackground({ traceparent }, {})).not.toHaveProperty("trace_parent");
    expect(exporter.getFinishedSpans().flatMap(({ links }) => links)).toEqual([]);
  },
);

/** Calls `pawl_run` of a server, with trace context in a header and in `_meta`. */
async function runOverMcp(mode: "modern" | "legacy", meta: object): Promise<void> {
  const server = startServer(SCRIPTS.answer, traced());
  const negotiation = mode === "modern" ? { versionNegotiation: { mode: "auto" as const } } : {};
  const client = new sdk.Client({ name: "test", version: "1" }, negotiation);
  const fetchWithHeader: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("traceparent", `00-${TRACE}-${"1".repeat(16)}-01`);
    return server.fetch(input, { ...init, headers });
  };
  const transport = new sdk.StreamableHTTPClientTransport(new URL("http://pawl/mcp"), { fetch: fetchWithHeader });
  await client.connect(transport);
  const result = await client.callTool({ name: "pawl_run", arguments: { goal: "Hello" }, _meta: { ...meta } });
  expect(result.isError).toBeUndefined();
  await client.close();
}

test.each(["modern", "legacy"] as const)("a %s client of MCP names the parent of a run in _meta", async (mode) => {
  registerContextManager();
  const exporter = registerSdk();
  const http = trace.getTracer("http").startSpan("POST");
  await context.with(trace.setSpan(context.active(), http), () => runOverMcp(mode, PARENT));
  expect(parentsOf(exporter, "invoke_agent default")).toEqual([[TRACE, SPAN]]);
});

test("without a parent in _meta, the header of the HTTP request names it", async () => {
  const exporter = registerSdk();
  await runOverMcp("modern", { traceparent: 7 });
  expect(parentsOf(exporter, "invoke_agent default")).toEqual([[TRACE, "1".repeat(16)]]);
});

/** Creates a runtime whose agent calls `pawl_run` of another server. Returns the `_meta` of its requests. */
async function runAcross() {
  const server = startServer(SCRIPTS.answer, traced());
  const sent: unknown[] = [];
  const fetcher = {
    fetch: async ({ url, method = "GET", headers = {}, body }: FetchRequest) => {
      const text = new TextDecoder().decode(body);
      const { method: called, params } = JSON.parse(text || "{}");
      if (called === "tools/call") sent.push(params._meta);
      const response = await server.fetch(url, { method, headers: { ...headers }, ...(body && { body: text }) });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const { status } = response;
      const answered = Object.fromEntries(response.headers);
      return ok({ url, redirects: [], status, headers: answered, content_type: null, body: bytes, truncated: false });
    },
  };
  const common = { sdk: async () => sdk, name: "pawl", version: "1", timeout_ms: 10_000 };
  const client = createMcpServer({ ...common, url: "http://pawl/mcp", headers: {}, fetcher });
  const reviewed = definitionsDigest(nodeHash, unwrap(await client.list()));
  const options = { name: "pawl", server: client, hash: nodeHash, read_only: true, reviewed, timeout_ms: 10_000 };
  const toolkit = mcpToolkit(options);
  const tools = unwrap(await toolkit.refresh());
  const rt = createTestRuntime([callTool("mcp_pawl_pawl_run", { goal: "Hello" }), done], tools, traced());
  const thread = await createTestThread(rt, { goal: "Ask the other server", mode: "direct" });
  const { records } = unwrap(await thread.turn());
  await client.close();
  return { sent, receipts: records.flatMap(({ entry }) => entry.receipts) };
}

test("a call of an MCP server sends its span, and the run on that server is below it", async () => {
  const exporter = registerSdk();
  const { receipts } = await runAcross();
  expect(receipts).toMatchObject([{ name: "mcp_pawl_pawl_run", success: true }]);
  const spans = exporter.getFinishedSpans();
  const [call] = spans.filter(({ name }) => name === "execute_tool mcp_pawl_pawl_run");
  const [inner, outer] = spans.filter(({ name }) => name === "invoke_agent default");
  expect(inner?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  expect(call?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  expect(call?.attributes).toMatchObject({ "pawl.receipt.id": receipts[0]?.id });
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  expect(spans.filter(({ name }) => !name.startsWith("chat "))).toHaveLength(3);
});

test("without an SDK, a call sends no names of a trace", async () => {
  const { sent } = await runAcross();
  expect(sent).toHaveLength(1);
  expect(Object.keys(sent[0] ?? {}).filter((name) => /^(?:trace|baggage)/.test(name))).toEqual([]);
});
