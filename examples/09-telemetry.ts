// Prints turns as OpenTelemetry spans without a collector. Nothing is recorded unless a program registers an SDK.
import { trace } from "@opentelemetry/api";
import { ConsoleSpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { createClient, createFetch, createRuntime, createScriptedModel } from "../src/index.ts";

const processor = new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() });
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }));

const model = createScriptedModel([{ action: "done", goal_check: "Nothing to do." }, "Hello."]);
const pawl = createClient("http://embedded", null, createFetch(createRuntime({ model })));
const created = await pawl.create({ goal: "Say hello", mode: "direct" });
if (!created.ok) throw new Error(created.problem.message);
await pawl.advanceUntilPause(created.value.thread.id);
