// Tests a sub-agent that waits for a user. Its gate is answered in its own thread, and the run of its parent continues.
import { HttpAgent } from "@ag-ui/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createCrew } from "../../src/jobs/crew/create-crew.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { LOCAL_TENANT, type ThreadId } from "../../src/schema/ids.ts";
import { ProtocolsConfig } from "../../src/schema/protocols/protocols-config.ts";
import { crew } from "../../src/toolkits/crew/toolkit.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { call, DONE, stateOf } from "../support/crew.ts";
import { type TestRuntime, unwrap } from "../support/runtime.ts";
import { type ProtocolServer, startServer } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages of two libraries
type Any = any;

function reply({ messages, purpose }: ModelRequest): string | Record<string, unknown> {
  const [, dialogue = "", record = ""] = messages.map(({ content }) => content);
  const goal = /Goal of this run: (.*)/.exec(dialogue)?.[1] ?? "";
  if (purpose === "deliver") return `Delivered: ${goal}`;
  if (record.includes("<observation ")) return DONE;
  return goal === "Child" ? call("write", { line: "x" }) : call("delegate_task", { task: "Child" });
}

function startCrewServer(): ProtocolServer {
  const script = (function* (): Generator<ScriptEntry> {
    for (;;) yield { reply };
  })();
  const protocols = ProtocolsConfig.parse({ mcp: { mode: "direct", approve: true }, agui: { mode: "direct" } });
  const config = { ...DEFAULT_CONFIG, parts: ["crew"], protocols };
  const server = startServer(script, { worker: { running: false }, config });
  const tools = crew.tools({ clock: server.rt.clock, crew: createCrew(server.rt) } as never);
  unwrap(server.rt.toolbox.plug({ name: "crew", offered: "always", tools }));
  return server;
}

async function threadsOf({ rt }: ProtocolServer) {
  const rows = unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 }));
  const child = rows.find(({ parent }) => parent !== undefined)?.thread as ThreadId;
  const parent = rows.find((row) => row.parent === undefined)?.thread as ThreadId;
  return { parent, child, gate: (await stateOf(rt, child)).gate as Any };
}

/** Expects the parent to end. Its result differs from that of the child. */
const expectEnd = async (server: ProtocolServer, parent: ThreadId): Promise<void> => {
  expect(server.ledger()).toEqual(["x"]);
  expect((await stateOf(server.rt, parent)).machine).toMatchObject({ state: "rest", outcome: "completed" });
};

test("over MCP", async () => {
  const server = startCrewServer();
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL("http://pawl/mcp"), { fetch: server.fetch }));
  const use = (name: string, args: object): Promise<Any> => client.callTool({ name, arguments: args as Any });
  const { content, structuredContent } = await use("pawl_run", { goal: "Parent" });
  const { parent, child, gate } = await threadsOf(server);
  expect(structuredContent).toMatchObject({ thread: parent, problem: { code: "turn_running" } });
  expect(content[0].text).toContain(`They wait for a person: ${child}.`);
  expect(content[0].text).toContain(`Thread: ${parent}`);
  await use("pawl_answer", { thread: child, gate_id: gate.id, approved: true, digest: gate.digest });
  await use("pawl_run", { thread: parent });
  await expectEnd(server, parent);
});

/** Opens a page that sent the parent's goal and shows its run, which waits for the sub-agent. */
async function openPage(server: ProtocolServer) {
  const agent = (threadId: string) =>
    new HttpAgent({ url: "http://pawl/agui", threadId, fetch: server.fetch as never });
  const page = agent("page");
  page.addMessage({ id: "m1", role: "user", content: "Parent" });
  const ends: Any[] = [];
  const running = page.runAgent({ runId: "r1" }, { onRunFinishedEvent: ({ event }) => void ends.push(event) });
  const threads = await vi.waitFor(async () => {
    const found = await threadsOf(server);
    expect(found.gate).toBeTruthy();
    return found;
  });
  return { agent, page, running, ends, ...threads };
}

test("over AG-UI, where the open run continues", async () => {
  const server = startCrewServer();
  const { agent, running, ends, parent, child, gate } = await openPage(server);
  const payload = { approved: true, digest: gate.digest };
  const resume: Any = [{ interruptId: gate.id, status: "resolved", payload }];
  await agent(child).runAgent({ runId: "r2", resume });
  (server.rt as TestRuntime).clock.advance(2_000);
  await running;
  expect(ends).toMatchObject([{ type: "RUN_FINISHED", outcome: { type: "success" } }]);
  await expectEnd(server, parent);
});

test("a run that nobody reads any more does not wait for the sub-agent", async () => {
  const server = startCrewServer();
  const { page, running } = await openPage(server);
  const { clock } = server.rt as TestRuntime;
  const load = vi.spyOn(server.rt.store, "load");
  page.abortRun();
  void running.catch(() => undefined);
  const loadsOf = async (seconds: number): Promise<number> => {
    load.mockClear();
    for (let i = 0; i < seconds; i++) {
      clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return load.mock.calls.length;
  };
  await loadsOf(3);
  expect(await loadsOf(5)).toBe(0);
});
