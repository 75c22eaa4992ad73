import { describe, expect, test } from "vitest";
import { NO_SETTINGS, type Settings } from "../../src/schema/settings.ts";
import { type ChildLimits, projectTools, type ResolveQuery, resolveTools } from "../../src/tools/resolve.ts";
import { aManifest } from "../support/thread.ts";

const read = aManifest({ name: "read_file", toolset: "base", tags: ["workspace"], prompt_hint: "read, do not guess" });
const write = aManifest({
  name: "write_file",
  toolset: "base",
  permission: "WRITE",
  tags: ["workspace"],
  route: "main-process-proxy",
});
const bash = aManifest({
  name: "bash",
  toolset: "base",
  permission: "EXTERNAL",
  tags: ["shell"],
  needs_parts: ["process"],
});
const clarify = aManifest({ name: "clarify", toolset: "interaction", asks: true, subagent_allowed: false });
const remember = aManifest({ name: "delegate_task", toolset: "crew" });
const alias = aManifest({ name: "ask_user_question", toolset: "aliases" });
const recall = aManifest({ name: "recall", toolset: "context", core: true });
const apply = aManifest({ name: "apply", needs_tools: ["read_file"] });
const applyMore = aManifest({ name: "apply_more", needs_tools: ["apply"] });
const live = aManifest({ name: "show_live", channels: ["live"] });
const retired = aManifest({ name: "retired", route: "disabled" });
const ALL = [read, write, bash, clarify, remember, alias, recall, apply, applyMore, live, retired];

const resolve = (over: Partial<ResolveQuery> = {}) =>
  resolveTools({
    manifests: ALL,
    settings: NO_SETTINGS,
    agent: "default",
    agent_tools: null,
    overrides: {},
    parts: ["process"],
    channel: "http",
    ...over,
  });
const reasonFor = (name: string, over: Partial<ResolveQuery> = {}): string | undefined => resolve(over).disabled[name];
const settings = (over: Partial<Settings>): Settings => ({ ...NO_SETTINGS, ...over });

describe("governance", () => {
  test("core lock, global, agent and thread come in this order", () => {
    const off = settings({
      tools: { read_file: false, recall: false },
      agents: { default: { tools: { read_file: true } } },
    });
    expect(reasonFor("read_file", { settings: off })).toBe("global_off");
    expect(reasonFor("read_file", { settings: off, overrides: { read_file: true } })).toBe("global_off");
    expect(reasonFor("recall", { settings: off, overrides: { recall: false } })).toBeUndefined();
    const agent = settings({ agents: { default: { tools: { read_file: false } } } });
    expect(reasonFor("read_file", { settings: agent, overrides: { read_file: true } })).toBe("agent_off");
    expect(reasonFor("read_file", { settings: agent, agent: "other" })).toBeUndefined();
    expect(reasonFor("read_file", { agent_tools: ["write_file"] })).toBe("agent_list");
    expect(reasonFor("read_file", { overrides: { read_file: false } })).toBe("thread_off");
  });

  test("a conditional toolset comes with the part it needs and leaves with it", () => {
    expect(reasonFor("delegate_task")).toBe("not_configured");
    expect(reasonFor("delegate_task", { parts: ["process", "crew"] })).toBeUndefined();
  });

  test("without anything to run commands bash is absent, with a reason", () => {
    expect(reasonFor("bash", { parts: [] })).toBe("not_configured");
    expect(reasonFor("bash")).toBeUndefined();
  });

  test("an alias is there only for those who ask for it", () => {
    expect(reasonFor("ask_user_question")).toBe("on_request");
    expect(reasonFor("ask_user_question", { overrides: { ask_user_question: true } })).toBeUndefined();
    expect(
      reasonFor("ask_user_question", { settings: settings({ tools: { ask_user_question: true } }) }),
    ).toBeUndefined();
    expect(reasonFor("ask_user_question", { agent_tools: ["ask_user_question"] })).toBeUndefined();
  });

  test("a tool is removed with the tool it needs, and so are those that need it", () => {
    expect(resolve({ overrides: { read_file: false } }).disabled).toMatchObject({
      read_file: "thread_off",
      apply: "needs_tools",
      apply_more: "needs_tools",
    });
    expect(reasonFor("apply_more")).toBeUndefined();
  });

  test("two ways in list different tools for the same agent", () => {
    expect(reasonFor("show_live")).toBe("channel");
    expect(reasonFor("show_live", { channel: "live" })).toBeUndefined();
  });
});

describe("a child", () => {
  const limits: ChildLimits = { allowed: null, roots: ["docs"], shell: true, readonly: false, depth: 1 };
  const child = (over: Partial<ChildLimits> = {}) => ({ child: { ...limits, ...over } });

  test("sees a part of what its parent sees, and never a tool that asks a person", () => {
    const parent = projectTools(resolve()).toolNames;
    const own = projectTools(resolve(child())).toolNames;
    expect(own.length).toBeLessThan(parent.length);
    expect(parent).toEqual(expect.arrayContaining([...own]));
    expect(reasonFor("clarify", child())).toBe("child_not_allowed");
  });

  test("a tool that is on but not allowed in children is absent there with a reason", () => {
    const shy = aManifest({ name: "shy", subagent_allowed: false });
    expect(resolve({ manifests: [shy] }).disabled).toEqual({});
    expect(resolve({ manifests: [shy], ...child() }).disabled).toEqual({ shy: "child_not_allowed" });
  });

  test.each([
    ["write_file", { allowed: ["read_file", "bash"] }, "child_list"],
    ["read_file", { roots: [] }, "child_workspace"],
    ["bash", { shell: false }, "child_shell"],
    ["write_file", { readonly: true }, "child_readonly"],
    ["delegate_task", { depth: 2 }, "child_blocked"],
  ] as const)("%s with %j is removed as %s", (name, over, reason) => {
    const parts = ["process", "crew"];
    expect(reasonFor(name, { parts, ...child() })).toBeUndefined();
    expect(reasonFor(name, { parts, ...child(over) })).toBe(reason);
  });

  test("a tool of the parent that nothing here can run is absent with a reason", () => {
    const { tools, disabled } = resolve(child({ allowed: ["bash", "page_tool"] }));
    expect(tools.map(({ name }) => name)).toEqual(["bash"]);
    expect(disabled.page_tool).toBe("child_blocked");
  });

  test("a route of disabled removes it, and every tool that is left has one route", () => {
    const projection = projectTools(resolve(child()));
    expect(projection.disabledReasons.retired).toBe("route_disabled");
    expect(Object.keys(projection.toolRuntimeRoutes).sort()).toEqual([...projection.toolNames].sort());
    expect(projection.toolRuntimeRoutes).toMatchObject({ read_file: "worker-local", write_file: "main-process-proxy" });
  });
});

describe("the projection", () => {
  test("has five fields, each with the name of 0.1 as an alias", () => {
    const projected = projectTools(resolve());
    expect(Object.keys(projected)).toEqual([
      "tool_names",
      "prompt_hints",
      "manifests",
      "routes",
      "disabled_reasons",
      "toolNames",
      "toolPromptHints",
      "toolManifest",
      "toolRuntimeRoutes",
      "disabledReasons",
    ]);
    expect(projected.prompt_hints).toEqual({ read_file: "read, do not guess" });
    expect(projected.toolPromptHints).toBe(projected.prompt_hints);
  });

  test.each([
    {},
    { overrides: { read_file: false } },
    { settings: settings({ tools: { bash: false } }) },
    { agent_tools: ["bash"] },
    { parts: [] },
    { channel: "live" },
    { child: { allowed: ["bash"], roots: [], shell: false, readonly: true, depth: 1 } },
  ])("every tool of the catalog is either offered or has a reason: %j", (over) => {
    const { toolNames, disabledReasons } = projectTools(resolve(over));
    for (const { name } of ALL) expect(toolNames.includes(name)).not.toBe(Object.hasOwn(disabledReasons, name));
    expect(toolNames.length + Object.keys(disabledReasons).length).toBe(ALL.length);
  });

  test("only reading tools remain where only reading is allowed", () => {
    const readonly = { child: { allowed: null, roots: ["."], shell: true, readonly: true, depth: 1 } };
    expect(resolve(readonly).tools.every((tool) => tool.permission === "READ")).toBe(true);
  });
});
