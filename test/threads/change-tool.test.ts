import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { changeTool, type ToolChange } from "../../src/threads/change-tool.ts";
import { showPrompt } from "../../src/threads/show-prompt.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { resolveThreadTools } from "../../src/turn/resolve-thread-tools.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";
import { createWriteTool, look } from "../support/tools.ts";

const core = defineTool(
  { name: "anchor", description: "Always there.", core: true, input: z.object({}) },
  () => "here",
);
const aChange = (over: Partial<ToolChange> = {}): ToolChange => ({
  name: "look",
  agent: null,
  enabled: false,
  if_match: null,
  ...over,
});
const calling = (name: string, args: Record<string, unknown>) => ({
  action: "continue",
  speak: "On it.",
  tool_call: { name, arguments: args },
});
const state = { agent: "default", tools: {}, toolkits: [] };

describe("switching a tool", () => {
  test("off between two turns takes effect in the next one, and its prompt no longer names the tool", async () => {
    const rt = createTestRuntime(
      [calling("look", { at: "desk" }), { action: "abort", abort: { user_message: "No way." } }],
      [look, createWriteTool([])],
    );
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    unwrap(await changeTool(rt, LOCAL_TENANT, aChange()));
    unwrap(await thread.turn());
    const prompts = await Promise.all([1, 2].map((turn) => showPrompt(rt, thread.at, turn)));
    const [before = "", after = ""] = prompts.map((prompt) => unwrap(prompt).messages[0]?.content ?? "");
    expect(before).toMatch(/\blook\b: reads/);
    expect(after).not.toMatch(/\blook\b: reads/);
    expect(unwrap(await resolveThreadTools(rt, LOCAL_TENANT, state)).disabled).toEqual({ look: "global_off" });
  });

  test("for one agent does not affect the others", async () => {
    const agents = { default: { instructions: "", tools: null }, clerk: { instructions: "", tools: null } };
    const rt = createTestRuntime([], [look], { config: { ...DEFAULT_CONFIG, agents } });
    unwrap(await changeTool(rt, LOCAL_TENANT, aChange({ agent: "clerk" })));
    expect(
      unwrap(await resolveThreadTools(rt, LOCAL_TENANT, { agent: "clerk", tools: {}, toolkits: [] })).disabled,
    ).toEqual({
      look: "agent_off",
    });
    expect(unwrap(await resolveThreadTools(rt, LOCAL_TENANT, state)).disabled).toEqual({});
    unwrap(await changeTool(rt, LOCAL_TENANT, aChange({ agent: "clerk", enabled: true })));
    expect(
      unwrap(await resolveThreadTools(rt, LOCAL_TENANT, { agent: "clerk", tools: {}, toolkits: [] })).disabled,
    ).toEqual({});
  });

  test.each([
    [{ name: "nobody" }, "tool_unknown"],
    [{ agent: "nobody" }, "agent_not_found"],
    [{ name: "anchor" }, "tool_core"],
    [{ if_match: 7 }, "version_mismatch"],
    [{ name: "anchor", enabled: true }, "ok"],
  ])("with %j fails with %s", async (over, code) => {
    const rt = createTestRuntime([], [look, core]);
    expect(problemCode(await changeTool(rt, LOCAL_TENANT, aChange(over)))).toBe(code);
  });

  test("applies all of several concurrent changes", async () => {
    const names = ["a_tool", "b_tool", "c_tool", "d_tool"];
    const tools = names.map((name) => defineTool({ name, description: "x", input: z.object({}) }, () => ""));
    const rt = createTestRuntime([], tools);
    await Promise.all(names.map(async (name) => unwrap(await changeTool(rt, LOCAL_TENANT, aChange({ name })))));
    const { version, settings } = unwrap(await rt.settings.load(LOCAL_TENANT));
    expect(settings.tools).toEqual(Object.fromEntries(names.map((name) => [name, false])));
    expect(version).toBe(4);
    unwrap(await changeTool(rt, LOCAL_TENANT, aChange({ name: "a_tool" })));
    expect(unwrap(await rt.settings.load(LOCAL_TENANT)).version).toBe(4);
  });

  test("persists when the tool is registered again, and a new tool is enabled by default", async () => {
    const rt = createTestRuntime([], [look]);
    unwrap(await changeTool(rt, LOCAL_TENANT, aChange()));
    rt.toolbox.register(look, core);
    rt.toolbox.register(look, core);
    const resolved = unwrap(await resolveThreadTools(rt, LOCAL_TENANT, state));
    expect(resolved.disabled).toEqual({ look: "global_off" });
    expect(resolved.tools.map((tool) => tool.name)).toEqual(["anchor"]);
  });
});

test("a tool registered between two turns can be used in the second; the prompt of the first is unchanged", async () => {
  const rt = createTestRuntime([calling("look", { at: "desk" }), calling("anchor", {})], [look]);
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  unwrap(await thread.turn());
  rt.toolbox.register(core);
  const second = unwrap(await thread.turn());
  expect(second.outcome.turn?.receipts).toMatchObject([{ name: "anchor", success: true }]);
  expect(unwrap(await showPrompt(rt, thread.at, 1)).messages[0]?.content).not.toContain("anchor");
  expect(unwrap(await showPrompt(rt, thread.at, 2)).messages[0]?.content).toContain("anchor");
});
