import { describe, expect, test } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { fail } from "../../src/schema/problem.ts";
import { NO_SETTINGS } from "../../src/schema/settings.ts";
import { builtinTools, toolkitManifests } from "../../src/toolkits/all.ts";
import { activationOf, createCatalog } from "../../src/tools/catalog.ts";
import { resolveTools } from "../../src/tools/resolve.ts";
import { virtualOperations } from "../support/run-builtin.ts";

const manifests = toolkitManifests().filter(({ toolkit }) =>
  ["basics", "files", "shell", "web"].includes(toolkit ?? ""),
);
const catalog = createCatalog(manifests);
const offered = (parts: readonly string[]) =>
  resolveTools({ manifests, settings: NO_SETTINGS, agent: "default", agent_tools: null, overrides: {}, parts });

describe("the built-in tools", () => {
  test.each([
    ["base", ["read_file", "write_file", "list_dir", "patch", "bash"]],
    ["files", ["find_files", "grep", "edit"]],
    ["planning", ["todo"]],
    ["interaction", ["clarify", "escalate"]],
    ["context", ["recall", "time"]],
    ["web", ["fetch_url", "search"]],
    ["aliases", ["ask_user_question", "time_reasoning"]],
    ["memory", []],
  ])("the toolset %s is %j", (toolset, names) => {
    expect(manifests.filter((manifest) => manifest.toolset === toolset).map(({ name }) => name)).toEqual(names);
  });

  test("without options a thread is offered the default toolsets and nothing else", () => {
    const names = offered(["files", "process", "fetch"]).tools.map((tool) => tool.name);
    const byDefault = manifests.filter(({ toolset }) => activationOf(toolset) === "default");
    expect(names).toEqual(byDefault.map(({ name }) => name).sort());
    expect(offered(["files", "process", "fetch"]).disabled).toEqual({
      ask_user_question: "on_request",
      time_reasoning: "on_request",
    });
  });

  test("what a host cannot do is not offered, and says so", () => {
    expect(offered([]).disabled).toMatchObject({
      bash: "not_configured",
      read_file: "not_configured",
      fetch_url: "not_configured",
    });
    expect(offered([]).tools.map((tool) => tool.name)).toEqual(["clarify", "escalate", "recall", "time", "todo"]);
  });

  test.each(manifests.map((manifest) => [manifest.name, manifest] as const))(
    "%s states what governance goes by",
    (_name, manifest) => {
      expect(Manifest.safeParse(manifest).success).toBe(true);
      expect(manifest.origin).toBe("builtin");
      expect(manifest.prompt_hint?.length).toBeGreaterThan(10);
      expect(manifest.examples.length).toBeGreaterThan(0);
      expect(manifest.input).toMatchObject({ type: "object" });
      expect(manifest.output).not.toBeNull();
    },
  );

  test.each([
    ["read_file", "READ", "NONE", "pure", false, "untrusted", false],
    ["list_dir", "READ", "NONE", "pure", false, "untrusted", false],
    ["find_files", "READ", "NONE", "pure", false, "untrusted", false],
    ["grep", "READ", "NONE", "pure", false, "untrusted", false],
    ["write_file", "WRITE", "LOCAL_STATE", "unkeyed", true, "trusted", false],
    ["edit", "WRITE", "LOCAL_STATE", "unkeyed", true, "trusted", false],
    ["patch", "WRITE", "LOCAL_STATE", "unkeyed", true, "untrusted", false],
    ["bash", "EXTERNAL", "NETWORK", "unkeyed", false, "untrusted", true],
    ["fetch_url", "EXTERNAL", "NETWORK", "pure", false, "untrusted", true],
    ["todo", "WRITE", "LOCAL_STATE", "pure", false, "trusted", false],
    ["clarify", "READ", "NONE", "pure", false, "trusted", false],
    ["escalate", "READ", "NONE", "pure", false, "trusted", false],
    ["recall", "READ", "NONE", "pure", false, "trusted", false],
    ["time", "READ", "NONE", "pure", false, "trusted", false],
  ] as const)("%s is %s %s %s", (name, permission, scope, effect, requires_confirmation, output_trust, outward) => {
    const facts = { permission, scope, effect, requires_confirmation, output_trust, outward };
    expect(catalog.get(name)).toMatchObject(facts);
  });

  test("every example is a call that the tool would take", () => {
    const fetcher = { fetch: async () => fail("fetch_failed", "offline") };
    for (const tool of builtinTools({ operations: virtualOperations, fetcher })) {
      for (const example of tool.manifest.examples) {
        expect(tool.input.safeParse(example.arguments), tool.manifest.name).toMatchObject({ success: true });
      }
    }
  });

  test("a tool file that nobody registered cannot be called", () => {
    expect(createCatalog().get("read_file")).toBeNull();
  });
});
