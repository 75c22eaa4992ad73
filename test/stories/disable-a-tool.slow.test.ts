// An administrator disables a tool between two turns: the next turn cannot call it and its prompt does not mention it.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Projection } from "../../src/tools/resolve.ts";
import { unwrap } from "../support/runtime.ts";
import { aKeyRow, apiKeyFor, startTestServer } from "../support/server.ts";
import { callTool, type Story, startStory } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory({
    script: [
      callTool("time", {}),
      callTool("time", { zone: "UTC" }),
      { reply: { action: "abort", abort: { user_message: "I have no clock." } }, expect: { contains: "switched off" } },
    ],
  });
});
afterAll(() => story.end());

test("a disabled tool disappears from the list and the prompt, with a reason", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "What time is it?", mode: "direct" }));
  unwrap(await client.advance(thread.id));
  const tools = async () => unwrap(await client.call<Projection>("GET", `/v1/threads/${thread.id}/tools`));
  expect((await tools()).toolNames).toContain("time");

  const switched = unwrap(await client.call<{ version: number }>("PATCH", "/v1/tools/time", { enabled: false }));
  expect(switched).toMatchObject({ name: "time", agent: null, enabled: false, version: 1 });
  expect(unwrap(await client.call("PATCH", "/v1/tools/time", { enabled: false }, { if_match: 1 }))).toMatchObject({
    version: 1,
  });
  expect(await client.call("PATCH", "/v1/tools/time", { enabled: true }, { if_match: 7 })).toMatchObject({
    ok: false,
    problem: { code: "version_mismatch", status: 412 },
  });

  const after = await tools();
  expect(after.toolNames).not.toContain("time");
  expect(after.disabledReasons).toMatchObject({ time: "global_off" });
  const refused = unwrap(await client.advance(thread.id));
  expect(refused.turn?.corrections).toMatchObject([{ code: "decision_refused" }]);
  const prompt = async (turn: number): Promise<string> => {
    const shown = unwrap(
      await client.call<{ messages: { content: string }[] }>("GET", `/v1/threads/${thread.id}/turns/${turn}/prompt`),
    );
    return shown.messages[0]?.content ?? "";
  };
  expect(await prompt(1)).toMatch(/^## time: reads$/m);
  expect(await prompt(2)).not.toMatch(/^## time: reads$/m);
  expect(await prompt(2)).not.toContain("count with dates");
});

test("a tool can be disabled for one agent; unknown tools, unknown agents and core tools are refused", async () => {
  const { client } = story;
  unwrap(await client.call("PATCH", "/v1/agents/default/tools/todo", { enabled: false }));
  expect(unwrap(await client.call<Projection>("GET", "/v1/tools")).disabledReasons).toMatchObject({
    todo: "agent_off",
  });
  unwrap(await client.call("PATCH", "/v1/agents/default/tools/todo", { enabled: true }));
  expect(unwrap(await client.call<Projection>("GET", "/v1/tools")).toolNames).toContain("todo");
  const codeOf = async (path: string, body: unknown): Promise<string> => {
    const answer = await client.call("PATCH", path, body);
    return answer.ok ? "ok" : answer.problem.code;
  };
  expect(await codeOf("/v1/tools/nothing", { enabled: false })).toBe("tool_unknown");
  expect(await codeOf("/v1/agents/nobody/tools/todo", { enabled: false })).toBe("agent_not_found");
  expect(await codeOf("/v1/tools/recall", { enabled: false })).toBe("tool_core");
  expect(await codeOf("/v1/tools/todo", { enabled: "no" })).toBe("request_invalid");
});

test("every tool of the catalog is offered or has one reason; other channels and children have their own list", async () => {
  const { client } = story;
  const { toolNames, disabledReasons, toolManifest, toolRuntimeRoutes } = unwrap(
    await client.call<Projection>("GET", "/v1/tools"),
  );
  const all = [...toolNames, ...Object.keys(disabledReasons)];
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(
    expect.arrayContaining(["read_file", "write_file", "list_dir", "find_files", "grep", "edit", "patch"]),
  );
  expect(all).toEqual(
    expect.arrayContaining(["todo", "clarify", "ask_user_question", "escalate", "fetch_url", "recall", "time"]),
  );
  expect(disabledReasons).toMatchObject({ ask_user_question: "on_request" });
  // Without a workspace there are no processes, so the whole toolkit is absent.
  expect(all).not.toContain("bash");
  expect(toolManifest.find((tool) => tool.name === "read_file")).toMatchObject({ toolset: "base", permission: "READ" });
  expect(Object.keys(toolRuntimeRoutes).sort()).toEqual([...toolNames].sort());
  const child = unwrap(await client.call<Projection>("GET", "/v1/tools?child=true"));
  expect(child.disabledReasons).toMatchObject({ clarify: "child_not_allowed" });
  expect(await client.call("GET", "/v1/tools?child=perhaps")).toMatchObject({
    ok: false,
    problem: { code: "request_invalid" },
  });
});

test("disabling a tool requires the admin scope", async () => {
  const keys = () => [aKeyRow("user", "acme", ["read", "advance"]), aKeyRow("boss", "acme", ["read", "admin"])];
  const server = await startTestServer({ keys });
  try {
    const asked = await server.client(apiKeyFor("user")).call("PATCH", "/v1/tools/time", { enabled: false });
    expect(asked).toMatchObject({ ok: false, problem: { code: "forbidden", status: 403 } });
    const boss = await server.client(apiKeyFor("boss")).call("PATCH", "/v1/tools/time", { enabled: false });
    expect(boss).toMatchObject({ ok: false, problem: { code: "tool_unknown" } });
  } finally {
    await server.stop();
  }
});
