import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { showPrompt } from "../../src/threads/show-prompt.ts";
import { switchTool, type ToolSwitch } from "../../src/threads/switch-tool.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { resolveFor } from "../../src/turn/resolve-for.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { aRuntime, aThreadOn, codeOf, must } from "../support/runtime.ts";
import { aWriter, look } from "../support/tools.ts";

const core = defineTool(
  { name: "anchor", description: "Always there.", core: true, input: z.object({}) },
  () => "here",
);
const wish = (over: Partial<ToolSwitch> = {}): ToolSwitch => ({
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
const state = { agent: "default", tools: {} };

describe("switching a tool", () => {
  test("between two turns takes effect on the next, and its prompt no longer names the tool", async () => {
    const rt = aRuntime(
      [calling("look", { at: "desk" }), { action: "abort", abort: { user_message: "No way." } }],
      [look, aWriter([])],
    );
    const thread = await aThreadOn(rt, { goal: "Look", mode: "direct" });
    must(await thread.turn());
    must(await switchTool(rt, LOCAL_TENANT, wish()));
    must(await thread.turn());
    const prompts = await Promise.all([1, 2].map((turn) => showPrompt(rt, thread.at, turn)));
    const [before = "", after = ""] = prompts.map((prompt) => must(prompt).messages[0]?.content ?? "");
    expect(before).toMatch(/\blook\b: reads/);
    expect(after).not.toMatch(/\blook\b: reads/);
    expect(must(await resolveFor(rt, LOCAL_TENANT, state)).disabled).toEqual({ look: "global_off" });
  });

  test("for one agent leaves the others alone", async () => {
    const agents = { default: { instructions: "", tools: null }, clerk: { instructions: "", tools: null } };
    const rt = aRuntime([], [look], { config: { ...DEFAULT_CONFIG, agents } });
    must(await switchTool(rt, LOCAL_TENANT, wish({ agent: "clerk" })));
    expect(must(await resolveFor(rt, LOCAL_TENANT, { agent: "clerk", tools: {} })).disabled).toEqual({
      look: "agent_off",
    });
    expect(must(await resolveFor(rt, LOCAL_TENANT, state)).disabled).toEqual({});
    must(await switchTool(rt, LOCAL_TENANT, wish({ agent: "clerk", enabled: true })));
    expect(must(await resolveFor(rt, LOCAL_TENANT, { agent: "clerk", tools: {} })).disabled).toEqual({});
  });

  test.each([
    [{ name: "nobody" }, "tool_unknown"],
    [{ agent: "nobody" }, "agent_not_found"],
    [{ name: "anchor" }, "tool_core"],
    [{ if_match: 7 }, "version_mismatch"],
    [{ name: "anchor", enabled: true }, "ok"],
  ])("%j is answered with %s", async (over, code) => {
    const rt = aRuntime([], [look, core]);
    expect(codeOf(await switchTool(rt, LOCAL_TENANT, wish(over)))).toBe(code);
  });

  test("many at once all land: nobody's switch is undone", async () => {
    const names = ["a_tool", "b_tool", "c_tool", "d_tool"];
    const tools = names.map((name) => defineTool({ name, description: "x", input: z.object({}) }, () => ""));
    const rt = aRuntime([], tools);
    await Promise.all(names.map(async (name) => must(await switchTool(rt, LOCAL_TENANT, wish({ name })))));
    const { version, settings } = must(await rt.settings.load(LOCAL_TENANT));
    expect(settings.tools).toEqual(Object.fromEntries(names.map((name) => [name, false])));
    expect(version).toBe(4);
    must(await switchTool(rt, LOCAL_TENANT, wish({ name: "a_tool" })));
    expect(must(await rt.settings.load(LOCAL_TENANT)).version).toBe(4);
  });

  test("survives a tool that is registered again, and a new tool appears by itself", async () => {
    const rt = aRuntime([], [look]);
    must(await switchTool(rt, LOCAL_TENANT, wish()));
    rt.toolbox.register(look, core);
    rt.toolbox.register(look, core);
    const resolved = must(await resolveFor(rt, LOCAL_TENANT, state));
    expect(resolved.disabled).toEqual({ look: "global_off" });
    expect(resolved.tools.map((tool) => tool.name)).toEqual(["anchor"]);
  });
});

test("a tool registered between two turns can be used in the second; what the first turn was told stays as it was", async () => {
  const rt = aRuntime([calling("look", { at: "desk" }), calling("anchor", {})], [look]);
  const thread = await aThreadOn(rt, { goal: "Look", mode: "direct" });
  must(await thread.turn());
  rt.toolbox.register(core);
  const second = must(await thread.turn());
  expect(second.outcome.turn?.receipts).toMatchObject([{ name: "anchor", success: true }]);
  expect(must(await showPrompt(rt, thread.at, 1)).messages[0]?.content).not.toContain("anchor");
  expect(must(await showPrompt(rt, thread.at, 2)).messages[0]?.content).toContain("anchor");
});
