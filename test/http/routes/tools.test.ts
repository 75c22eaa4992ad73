// Tests tools and agents over HTTP: field names, the settings of a tool, and what the model sees of them.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createApp } from "../../../src/http/app.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";
import { createWriteTool, look } from "../../support/tools.ts";

const hinted = defineTool(
  { name: "todo", description: "Keeps a list.", prompt_hint: "write the list first.", input: z.object({}) },
  () => "kept",
);

function start() {
  const agents = { default: { instructions: "secret", tools: null }, clerk: { instructions: "", tools: ["look"] } };
  const script = [callTool("look", { at: "a" }), callTool("look", { at: "b" }), callTool("look", { at: "c" })];
  const rt = createTestRuntime(script, [look, hinted, createWriteTool([])], { config: { ...DEFAULT_CONFIG, agents } });
  const app = createApp(testSettings(rt));
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await app.request(path, {
      method,
      headers: { host: "localhost", "content-type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
    return { status: response.status, etag: response.headers.get("etag"), body: (await response.json()) as any };
  };
  return { rt, send };
}

describe("GET /v1/tools", () => {
  test.each(["/v1/tools", "thread"])("%s has snake_case fields and the names of 0.1 as aliases", async (path) => {
    const { send } = start();
    const { body: created } = await send("POST", "/v1/threads", {});
    const { body } = await send("GET", path === "thread" ? `/v1/threads/${created.thread.id}/tools` : path);
    expect(body.tool_names).toEqual(["look", "todo", "write"]);
    expect(body.prompt_hints).toEqual({ todo: "write the list first." });
    expect(body.manifests.map(({ name }: { name: string }) => name)).toEqual(body.tool_names);
    expect(Object.keys(body.routes)).toEqual(body.tool_names);
    expect(body.disabled_reasons).toEqual({});
    const { tool_names, prompt_hints, manifests, routes, disabled_reasons } = body;
    expect(body).toMatchObject({
      toolNames: tool_names,
      toolPromptHints: prompt_hints,
      toolManifest: manifests,
      toolRuntimeRoutes: routes,
      disabledReasons: disabled_reasons,
    });
  });
});

describe("PATCH /v1/tools/{name}", () => {
  test("replaces the prompt hint from the next turn on, and null restores it", async () => {
    const { send } = start();
    const { body: created } = await send("POST", "/v1/threads", { goal: "Tidy up", mode: "direct" });
    const turns = `/v1/threads/${created.thread.id}/turns`;
    const systemPrompt = async (turn: number): Promise<string> => {
      await send("POST", turns, {});
      return (await send("GET", `${turns}/${turn}/prompt`)).body.messages[0].content;
    };
    const own = await systemPrompt(1);
    expect(own).toContain("Write the list first.");

    const { status, etag, body } = await send("PATCH", "/v1/tools/todo", { prompt_hint: "  only for groceries. " });
    expect([status, etag]).toEqual([200, '"1"']);
    expect(body).toEqual({ name: "todo", agent: null, enabled: true, prompt_hint: "only for groceries.", version: 1 });
    const replaced = await systemPrompt(2);
    expect(replaced).toContain("Only for groceries.");
    expect(replaced).not.toContain("Write the list first.");
    const listed = (await send("GET", "/v1/tools")).body;
    expect(listed.prompt_hints.todo).toBe("only for groceries.");
    expect(listed.manifests[1]).toMatchObject({ name: "todo", prompt_hint_source: "settings" });

    await send("PATCH", "/v1/tools/todo", { prompt_hint: null });
    expect(await systemPrompt(3)).toBe(own);
  });

  test("changes the switch and the hint together, over the version that the caller has seen", async () => {
    const { send, rt } = start();
    const change = { enabled: false, prompt_hint: "rarely." };
    expect((await send("PATCH", "/v1/tools/look", change, { "if-match": '"3"' })).body.code).toBe("version_mismatch");
    expect((await send("PATCH", "/v1/tools/look", change, { "if-match": '"0"' })).body).toMatchObject({
      enabled: false,
      prompt_hint: "rarely.",
      version: 1,
    });
    // Repeating the same change does not create a new version.
    expect((await send("PATCH", "/v1/tools/look", change)).body.version).toBe(1);
    expect((await send("PATCH", "/v1/tools/look", { prompt_hint: "now and then." })).body.enabled).toBe(false);
    const { settings } = unwrap(await rt.settings.load(LOCAL_TENANT));
    expect(settings).toMatchObject({ tools: { look: false }, prompt_hints: { look: "now and then." } });
  });

  test.each([
    [{}, "request_invalid"],
    [{ prompt_hint: "" }, "request_invalid"],
    [{ prompt_hint: "x".repeat(401) }, "request_invalid"],
    [{ enabled: true, hint: "x" }, "request_invalid"],
  ])("refuses %j", async (body, code) => {
    const { send } = start();
    expect((await send("PATCH", "/v1/tools/look", body)).body.code).toBe(code);
  });

  test("needs the scope admin; for one agent only the switch can be set", async () => {
    const { rt, send } = start();
    const app = createApp(testSettings(rt, { keys: () => [aKeyRow("user", "acme", ["read", "advance", "confirm"])] }));
    const headers = { authorization: `Bearer ${apiKeyFor("user")}`, "content-type": "application/json" };
    const refused = await app.request("/v1/tools/look", { method: "PATCH", headers, body: '{"enabled":false}' });
    expect(refused.status).toBe(403);
    expect((await send("PATCH", "/v1/agents/clerk/tools/look", { prompt_hint: "x" })).body.code).toBe(
      "request_invalid",
    );
    expect((await send("PATCH", "/v1/agents/clerk/tools/look", { enabled: false })).body).toMatchObject({
      agent: "clerk",
      enabled: false,
    });
  });
});

test("GET /v1/agents lists the agents without their instructions", async () => {
  const { send } = start();
  const { body } = await send("GET", "/v1/agents");
  expect(body).toEqual({
    agents: [
      { name: "clerk", default: false, model: "scripted", tools: ["look"] },
      { name: "default", default: true, model: "scripted", tools: null },
    ],
  });
});
