// Tests the MCP server with the official client: the revision of 2026, with and without elicitation, and a client of
// 2025.
import {
  Client,
  StreamableHTTPClientTransport,
  specTypeSchemas,
  withInputRequired,
} from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { ProtocolsConfig } from "../../src/schema/protocols/protocols-config.ts";
import type { ApiScope } from "../../src/tools/route.ts";
import { loadThread } from "../../src/turn/load.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { callTool, done, plan } from "../support/decisions.ts";
import { createTestThread, unwrap } from "../support/runtime.ts";
import {
  CLIENT_CALL,
  cell,
  ONE_TURN,
  PICK_COLOR,
  type ProtocolServer,
  SCRIPTS,
  startDyingServer,
  startServer,
  storedThreads,
} from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: results of several tools
type Any = any;
type Mode = "modern" | "legacy";

async function connect(server: ProtocolServer, mode: Mode = "modern", scopes?: readonly ApiScope[], elicits = true) {
  const negotiation = mode === "modern" ? { versionNegotiation: { mode: "auto" } } : {};
  const capabilities = elicits ? { elicitation: { form: {} } } : {};
  const options: Any = { capabilities, inputRequired: { autoFulfill: false }, ...negotiation };
  const client = new Client({ name: "test", version: "1" }, options);
  const fetcher = scopes ? server.fetchAs(scopes) : server.fetch;
  await client.connect(new StreamableHTTPClientTransport(new URL("http://pawl/mcp"), { fetch: fetcher }));
  const call = (name: string, args: object = {}, more: object = {}): Promise<Any> =>
    client.request(
      { method: "tools/call", params: { name, arguments: args, ...more } } as Any,
      withInputRequired(specTypeSchemas.CallToolResult) as Any,
      { allowInputRequired: true } as Any,
    ) as Promise<Any>;
  return { client, call };
}

const textOf = (result: Any): string => result.content[0].text;
const APPROVING = {
  config: { ...DEFAULT_CONFIG, protocols: ProtocolsConfig.parse({ mcp: { mode: "direct", approve: true } }) },
};

/** Repeats the call with the answers that the server requested. */
const answered = (asked: Any, content: object | null) => ({
  requestState: asked.requestState,
  inputResponses: Object.fromEntries(
    Object.keys(asked.inputRequests).map((id) => [id, content ? { action: "accept", content } : { action: "decline" }]),
  ),
});

describe("@modelcontextprotocol/client 2.4.0", () => {
  cell("answer", "pawl_run returns the text and the state of the thread", async () => {
    const { client, call } = await connect(startServer(SCRIPTS.answer));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "pawl_run",
      "pawl_show",
      "pawl_gates",
      "pawl_answer",
    ]);
    const result = await call("pawl_run", { goal: "How is the weather?" });
    expect(textOf(result)).toContain("It is sunny.");
    expect(result.structuredContent).toMatchObject({
      state: "rest",
      outcome: "completed",
      evidence_kind: "none",
      next: "none",
    });
  });

  cell("tool", "a result lists the calls of the run with their arguments and results", async () => {
    const { call } = await connect(startServer(SCRIPTS.tool));
    const { structuredContent } = await call("pawl_run", { goal: "Look" });
    const seen = { name: "look", arguments: { at: "the sky" }, status: "ok", text: "seen the sky" };
    expect(structuredContent.calls).toMatchObject([seen]);
  });

  test("a call without a message shows what the thread waits for or said last, and creates none", async () => {
    const server = startServer([...SCRIPTS.write, ...SCRIPTS.answer]);
    const { call } = await connect(server, "modern", undefined, false);
    expect(textOf(await call("pawl_run", { thread: "mine" }))).toContain("a message or a goal is missing");
    expect(await storedThreads(server)).toEqual([]);
    const waiting = await call("pawl_run", { thread: "mine", message: "Write" });
    const again = await call("pawl_run", { thread: "mine" });
    expect([again.structuredContent.gate, again.isError]).toEqual([waiting.structuredContent.gate, undefined]);
    const other = await call("pawl_run", { goal: "How is the weather?" });
    expect(other.isError).toBe(undefined);
  });

  test("a thread continues with a message, and is a resource", async () => {
    const { client, call } = await connect(startServer([...SCRIPTS.tool, ...SCRIPTS.answer]));
    const { structuredContent } = await call("pawl_run", { thread: "mine", message: "Look" });
    await call("pawl_run", { thread: "mine", message: "Again" });
    const shown = await call("pawl_show", { thread: structuredContent.thread });
    expect(shown.structuredContent).toMatchObject({ goal: "Again" });
    const { contents } = await client.readResource({ uri: `pawl://threads/${structuredContent.thread}` });
    expect(JSON.parse((contents[0] as Any).text)).toMatchObject({ goal: "Again" });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: `pawl://threads/${structuredContent.thread}`, name: "Again" }]);
    await expect(client.readResource({ uri: "pawl://threads/thr_00000000000000000000000000" })).rejects.toThrow(
      "not found",
    );
  });

  cell("approve", "an elicitation approves only if the configuration and the key allow it", async () => {
    const server = startServer(SCRIPTS.write, APPROVING);
    const { call } = await connect(server);
    const input = { goal: "Write" };
    const asked = await call("pawl_run", input);
    expect(asked.resultType).toBe("input_required");
    const [request] = Object.values<Any>(asked.inputRequests);
    expect(request.params.message).toMatch(/write \{\s+"line": "a"/);
    const result = await call("pawl_run", input, answered(asked, { approved: true }));
    expect(server.ledger()).toEqual(["a"]);
    expect(textOf(result)).toContain("Written.");
    expect(await storedThreads(server)).toHaveLength(1);
  });

  test("a form shows first what would run and why it is asked, then what the model says of it", async () => {
    const call = { ...callTool("write", { line: "a" }), speak: "I only look." };
    const { call: send } = await connect(startServer([call], APPROVING));
    const asked = await send("pawl_run", { goal: "Write" });
    const [request] = Object.values<Any>(asked.inputRequests);
    expect(request.params.message).toMatch(/^write \{\s+"line": "a"\s+\}\n\nwrite always .*\n\nI only look\.$/);
    const [gate] = (await send("pawl_gates")).structuredContent.gates;
    expect(gate).toMatchObject({ tool: "write", arguments: '{\n  "line": "a"\n}', reasons: [expect.any(String)] });
  });

  test("a form for a plan shows its steps, whatever the model says of it", async () => {
    const config = {
      ...DEFAULT_CONFIG,
      protocols: ProtocolsConfig.parse({ mcp: { approve: true, plan_approval: "ask" } }),
    };
    const { call } = await connect(startServer([{ ...plan("Erase the disk"), speak: "I only look." }], { config }));
    const asked = await call("pawl_run", { goal: "Look" });
    const [request] = Object.values<Any>(asked.inputRequests);
    expect(request.params.message).toBe("1. Erase the disk\n\nI only look.");
    expect((await call("pawl_gates")).structuredContent.gates).toMatchObject([
      { steps: [{ content: "Erase the disk" }] },
    ]);
  });

  test("an answered form does not approve once the configuration or the key no longer allows it", async () => {
    for (const [config, scopes] of [
      [{ mode: "direct" }, ["read", "advance", "confirm"]],
      [{ mode: "direct", approve: true }, ["read", "advance"]],
    ] as const) {
      const store = createMemoryStore();
      const { call: first } = await connect(startServer(SCRIPTS.write, { ...APPROVING, store }));
      const input = { goal: "Write", thread: "mine" };
      const asked = await first("pawl_run", input);
      const protocols = ProtocolsConfig.parse({ mcp: config });
      const server = startServer([], { store, config: { ...DEFAULT_CONFIG, protocols } });
      const { call } = await connect(server, "modern", scopes);
      const result = await call("pawl_run", input, answered(asked, { approved: true }));
      expect(result).toMatchObject({ isError: true, structuredContent: { problem: { code: "forbidden" } } });
      expect(server.ledger()).toEqual([]);
    }
  });

  test("a thread has the plan approval that the configuration of the protocol names", async () => {
    for (const plan_approval of ["ask", "auto"] as const) {
      const protocols = ProtocolsConfig.parse({ mcp: { plan_approval } });
      const server = startServer([plan("Look")], { config: { ...DEFAULT_CONFIG, protocols } });
      const { call } = await connect(server, "modern", undefined, false);
      const { structuredContent } = await call("pawl_run", { goal: "Look" });
      const at = { tenant: LOCAL_TENANT, thread: structuredContent.thread };
      expect(unwrap(await loadThread(server.rt, at)).state.plan_approval).toBe(plan_approval);
    }
  });

  test.each<readonly [string, object, readonly ApiScope[]]>([
    ["the configuration does not allow it", {}, ["read", "advance", "confirm"]],
    ["the key lacks the scope", APPROVING, ["read", "advance"]],
  ])("a client cannot approve if %s: it gets the address of the console", async (_why, config, scopes) => {
    const server = startServer(SCRIPTS.write, config);
    const { call } = await connect(server, "modern", scopes);
    const result = await call("pawl_run", { goal: "Write" });
    expect(textOf(result)).toMatch(/A person must decide: http:\/\/pawl\/#\/threads\/thr_\w+$/);
    const { thread, gate } = result.structuredContent;
    const refused = await call("pawl_answer", { thread, gate_id: gate.id, approved: true });
    expect(refused).toMatchObject({ isError: true, structuredContent: { problem: { code: "forbidden" } } });
    expect(server.ledger()).toEqual([]);
  });

  test.each([{ approved: true }, null])(
    "an answer to another gate (%j) does not decide about the open one",
    async (answer) => {
      const server = startServer(
        [...SCRIPTS.write.slice(0, 1), callTool("write", { line: "b" }), done, "Done."],
        APPROVING,
      );
      const { call } = await connect(server);
      const asked = await call("pawl_run", { goal: "Write" });
      const { thread, gates } = { ...JSON.parse(asked.requestState), ...(await call("pawl_gates")).structuredContent };
      await call("pawl_answer", { thread, gate_id: gates[0].id, approved: false });
      const late = await call("pawl_run", { goal: "Write" }, answered(asked, answer));
      expect(late).toMatchObject({ isError: true, structuredContent: { problem: { code: "gate_closed" } } });
      expect((await call("pawl_gates")).structuredContent.gates).toHaveLength(1);
      expect(server.ledger()).toEqual([]);
    },
  );

  cell("reject", "a declined elicitation rejects the call", async () => {
    const server = startServer(SCRIPTS.rejected, APPROVING);
    const { call } = await connect(server);
    const asked = await call("pawl_run", { goal: "Write" });
    await call("pawl_run", { goal: "Write" }, answered(asked, null));
    expect(server.ledger()).toEqual([]);
  });

  test.each([
    ["call", SCRIPTS.write],
    ["question", SCRIPTS.question],
    ["doubt", SCRIPTS.doubt],
  ])(
    "a form that is closed without an answer decides nothing about a %s, which can be answered later",
    async (_what, script) => {
      const server = startServer(script, APPROVING);
      const { call } = await connect(server);
      const asked = await call("pawl_run", { goal: "Go" });
      const [id = ""] = Object.keys(asked.inputRequests);
      const closed = { requestState: asked.requestState, inputResponses: { [id]: { action: "cancel" } } };
      const result = await call("pawl_run", { goal: "Go" }, closed);
      expect(result).toMatchObject({ structuredContent: { gate: { id }, outcome: null } });
      expect([textOf(result), result.isError]).toEqual([expect.stringMatching(/^Not answered yet: /), undefined]);
      const answer = { thread: result.structuredContent.thread, gate_id: id };
      const later = { ...answer, approved: true, text: "Monday, please", outcome: "happened" };
      expect((await call("pawl_answer", later)).structuredContent).toMatchObject({ outcome: "completed" });
    },
  );

  cell("question", "an elicitation answers it, in another process if need be", async () => {
    const server = startServer(SCRIPTS.question);
    const first = await connect(server);
    const asked = await first.call("pawl_run", { goal: "Plan my week" });
    const second = await connect(server);
    const result = await second.call("pawl_run", { goal: "Plan my week" }, answered(asked, { text: "Monday, please" }));
    expect(textOf(result)).toContain("Monday it is.");
  });

  cell("question", "several questions are the fields of one form", async () => {
    const { call } = await connect(startServer(SCRIPTS.questions));
    const asked = await call("pawl_run", { goal: "Plan my week" });
    const content = { answer_1: ["Monday", "Friday"], answer_2: "a talk" };
    const result = await call("pawl_run", { goal: "Plan my week" }, answered(asked, content));
    expect(textOf(result)).toContain("Two days it is.");
  });

  cell("doubt", "a person says whether it happened", async () => {
    const { call } = await connect(startServer(SCRIPTS.doubt, APPROVING));
    const asked = await call("pawl_run", { goal: "Send" });
    const [request] = Object.values<Any>(asked.inputRequests);
    expect(request.params.requestedSchema.properties.outcome.enum).toContain("not_happened");
    const result = await call("pawl_run", { goal: "Send" }, answered(asked, { outcome: "happened" }));
    expect(textOf(result)).toContain("Done.");
  });

  cell("resume", "after the server died, the thread goes on without a message", async () => {
    const { first, restart } = startDyingServer(SCRIPTS.tool, "commit.after", 2);
    const dead = await connect(first);
    void dead.call("pawl_run", { thread: "mine", message: "Look" }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = restart([done, "It is sunny."]);
    const { call } = await connect(second);
    const result = await call("pawl_run", { thread: "mine" });
    expect(textOf(result)).toContain("It is sunny.");
    expect(result.structuredContent).toMatchObject({ goal: "Look", calls: [] });
    const { thread } = result.structuredContent;
    const { entries } = unwrap(await loadThread(second.rt, { tenant: LOCAL_TENANT, thread }));
    expect(entries.flatMap(({ entry }) => entry.input ?? [])).toEqual([{ type: "message", text: "Look" }]);
  });

  cell("error", "a problem is a result with isError, and stores nothing", async () => {
    const server = startServer([]);
    const { call } = await connect(server);
    const unknown = await call("pawl_show", { thread: "thr_00000000000000000000000000" });
    expect(unknown).toMatchObject({ isError: true, structuredContent: { problem: { code: "thread_not_found" } } });
    const empty = await call("pawl_run", {});
    const wrong = await call("pawl_run", { goal: 5 });
    const problem = { code: "request_invalid", hint: expect.any(String) };
    for (const refused of [empty, wrong])
      expect(refused).toMatchObject({ isError: true, structuredContent: { problem } });
    expect(await storedThreads(server)).toEqual([]);
  });

  cell("budget", "an exhausted budget is an error with its code", async () => {
    const { call } = await connect(startServer(SCRIPTS.tool, ONE_TURN));
    const result = await call("pawl_run", { goal: "Look" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("budget_exhausted");
  });

  test("pawl_gates lists what waits, and pawl_answer answers a question", async () => {
    const { call } = await connect(startServer(SCRIPTS.question), "modern", undefined, false);
    const asked = await call("pawl_run", { goal: "Plan my week" });
    const { gates } = (await call("pawl_gates")).structuredContent;
    expect(gates).toMatchObject([{ kind: "question", text: "Which day?" }]);
    const { thread } = asked.structuredContent;
    expect(textOf(await call("pawl_answer", { thread, gate_id: gates[0].id, text: "Monday, please" }))).toContain(
      "Monday it is.",
    );
  });

  test("the result of a client's own tool is sent with pawl_answer, once, by a key that may confirm", async () => {
    const server = startServer(CLIENT_CALL, APPROVING);
    const thread = await createTestThread(server.rt, { goal: "Paint", mode: "direct", client_tools: [PICK_COLOR] });
    const { call } = await connect(server);
    const asked = await call("pawl_run", { thread: thread.at.thread });
    expect(textOf(asked)).not.toContain("A person must decide");
    const { gate } = asked.structuredContent;
    expect(gate).toMatchObject({ kind: "external", tool: "pickColor", arguments: { title: "Wall" } });
    const answer = { thread: thread.at.thread, gate_id: gate.id, digest: gate.digest };
    const low = await connect(server, "modern", ["read", "advance"]);
    const codeOf = ({ structuredContent }: Any) => structuredContent.problem.code;
    expect(codeOf(await low.call("pawl_answer", { ...answer, output: "blue" }))).toBe("forbidden");
    expect(codeOf(await call("pawl_answer", { ...answer, approved: true }))).toBe("request_invalid");
    expect(codeOf(await call("pawl_answer", { ...answer, digest: "0", output: "blue" }))).toBe("digest_mismatch");
    expect(textOf(await call("pawl_answer", { ...answer, output: { color: "blue" } }))).toContain("Blue.");
    expect(codeOf(await call("pawl_answer", { ...answer, output: "red" }))).toBe("gate_closed");
  });

  test("a client of 2025 gets ordinary results", async () => {
    const { call } = await connect(
      startServer([...SCRIPTS.tool.slice(0, 1), callTool("write", { line: "a" })]),
      "legacy",
    );
    const result = await call("pawl_run", { goal: "Write" });
    expect(textOf(result)).toContain("A person must decide");
  });
});

test.each(["modern", "legacy"] as const)("a %s client that asks for progress gets every turn", async (mode) => {
  const { client } = await connect(startServer(SCRIPTS.tool), mode);
  const seen: Any[] = [];
  const onprogress = (progress: Any) => void seen.push(progress);
  await client.callTool({ name: "pawl_run", arguments: { goal: "Look" } }, { onprogress });
  expect(seen).toEqual([
    { progress: 1, message: "Using look." },
    { progress: 2, message: "It is sunny." },
  ]);
});

test("a requestState that was not returned here is refused, and begins no run", async () => {
  const server = startServer([]);
  const { call } = await connect(server);
  const more = { requestState: "mine", inputResponses: { gat_x: { action: "accept", content: { approved: true } } } };
  const result = await call("pawl_run", { goal: "Write" }, more);
  expect(result).toMatchObject({ isError: true, structuredContent: { problem: { code: "request_invalid" } } });
  expect(await storedThreads(server)).toEqual([]);
});

test("a key that may only read lists and shows threads, and runs none", async () => {
  const server = startServer(SCRIPTS.answer);
  const { structuredContent } = await (await connect(server)).call("pawl_run", { goal: "How is the weather?" });
  const { client, call } = await connect(server, "modern", ["read"]);
  expect((await call("pawl_show", { thread: structuredContent.thread })).structuredContent).toEqual({
    ...structuredContent,
    calls: undefined,
  });
  expect((await client.listResources()).resources).toHaveLength(1);
  const refused = { isError: true, structuredContent: { problem: { code: "forbidden" } } };
  expect(await call("pawl_run", { goal: "Again" })).toMatchObject(refused);
  expect(await call("pawl_run", { thread: structuredContent.thread, message: "Again" })).toMatchObject(refused);
  expect(await storedThreads(server)).toHaveLength(1);
});

test("lists are not announced to change, because nothing announces it", async () => {
  const { client } = await connect(startServer([]));
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false }, resources: { listChanged: false } });
});
