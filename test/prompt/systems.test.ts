import { describe, expect, test } from "vitest";
import { z } from "zod";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { buildSystemPrompt } from "../../src/prompt/system-prompt.ts";
import { createSystemPromptCache } from "../../src/prompt/system-prompt-cache.ts";
import { createCatalog } from "../../src/tools/catalog.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const toolNamed = (name: string, description: string) =>
  defineTool({ name, description, input: z.object({}), output: z.string() }, () => "").manifest;
const look = toolNamed("look", "Looks.");
const note = toolNamed("note", "Notes.");

describe("the cache of message [0]", () => {
  const both = [look, note];
  test.each([
    ["the tools are the same", both, "direct", "Be kind."],
    ["a tool was switched off", [look], "direct", "Be kind."],
    ["a tool was replaced by one of the same name", [look, toolNamed("note", "Notes anew.")], "direct", "Be kind."],
    ["the mode is another", both, "plan", "Be kind."],
    ["the agent is told something else", both, "direct", "Be quick."],
    ["the agent is told nothing", both, "direct", null],
    ["there are no tools", [], "direct", "Be kind."],
  ] as const)("returns the same as a new build when %s", (_when, tools, mode, instructions) => {
    const systems = createSystemPromptCache();
    systems.build(nodeHash, both, "direct", "Be kind.");
    for (let round = 0; round < 3; round += 1) {
      const anew = buildSystemPrompt(tools, mode, instructions);
      expect(systems.build(nodeHash, tools, mode, instructions)).toEqual({
        ...anew,
        hash: nodeHash.sha256(anew.text),
      });
      expect(systems.build(nodeHash, both, "direct", "Be kind.").text).toBe(
        buildSystemPrompt(both, "direct", "Be kind.").text,
      );
    }
  });

  test("returns the same object while nothing changes, and keeps the most recently used ones", () => {
    const systems = createSystemPromptCache(2);
    const first = systems.build(nodeHash, [look, note], "direct", null);
    expect(systems.build(nodeHash, [look, note], "direct", null)).toBe(first);
    systems.build(nodeHash, [look], "direct", null);
    expect(systems.build(nodeHash, [look, note], "direct", null)).toBe(first);
    systems.build(nodeHash, [note], "direct", null);
    systems.build(nodeHash, [look], "direct", null);
    expect(systems.build(nodeHash, [look, note], "direct", null)).not.toBe(first);
  });

  test("relies on manifests that are frozen on registration", () => {
    const catalog = createCatalog([look]);
    const held = catalog.get("look");
    expect(() => Object.assign(held ?? {}, { description: "Something else." })).toThrow(TypeError);
    expect(() => Object.assign(held?.input ?? {}, { properties: {} })).toThrow(TypeError);
  });
});
