import { describe, expect, test } from "vitest";
import { z } from "zod";
import { describeType } from "../../src/prompt/schema-text.ts";
import { buildSystemPrompt } from "../../src/prompt/system-prompt.ts";
import { renderToolRules } from "../../src/prompt/tool-rules.ts";
import { renderToolTable } from "../../src/prompt/tool-table.ts";
import { parseDecision, parsePlanDecision } from "../../src/schema/decision/parse-decision.ts";
import type { Manifest } from "../../src/schema/manifest.ts";
import { aManifest } from "../support/thread.ts";
import { move, queryRange, SAMPLE_TOOLS } from "./sample-tools.ts";

const KNOWN = [
  "bash",
  "clarify",
  "edit",
  "fetch_url",
  "find_files",
  "grep",
  "list_dir",
  "memory_save",
  "patch",
  "read_file",
  "recall",
  "skill_manage",
  "todo",
  "write_file",
];
const tools = (names: readonly string[]): Manifest[] => names.map((name) => aManifest({ name }));
const text = (manifests: readonly Manifest[], instructions: string | null = null): string =>
  buildSystemPrompt(manifests, "plan", instructions).text;
const words = (schema: z.ZodType): string => {
  const json = z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
  return describeType(json, json);
};

describe("message [0]", () => {
  test("is the same for any order of the tools", () => {
    expect(text([...SAMPLE_TOOLS].reverse())).toBe(text(SAMPLE_TOOLS));
  });

  test("changes with the tools and the agent, and with nothing else", () => {
    expect(text([queryRange])).not.toBe(text([queryRange, move]));
    expect(text([queryRange], "Be brief.")).toBe(`${text([queryRange])}\n\n# Instructions of this agent\nBe brief.`);
    expect(text([queryRange], "  ")).toBe(text([queryRange]));
  });

  test.each(KNOWN)("never names %s when it is absent", (absent) => {
    const without = text(tools(KNOWN.filter((name) => name !== absent)));
    expect(without).not.toMatch(new RegExp(`\\b${absent}\\b`));
    expect(text(tools(KNOWN))).toMatch(new RegExp(`\\b${absent}\\b`));
  });

  test("does not mention plans in a direct run", () => {
    const direct = buildSystemPrompt(SAMPLE_TOOLS, "direct", null).text;
    expect(direct).not.toContain("next_plan");
    expect(direct).not.toContain("plan decision");
    expect(text(SAMPLE_TOOLS)).toContain("next_plan");
  });

  test("shows only valid sample decisions", () => {
    const lines = text(SAMPLE_TOOLS).split("\n");
    const [plan = 0, execute = 0] = ["## Plan decision", "## Execute decision"].map((head) => lines.indexOf(head));
    const samples = (part: string[]): string[] => part.filter((line) => line.startsWith('{"action"'));
    const planned = samples(lines.slice(plan, execute));
    const executed = samples(lines.slice(execute));
    expect(planned).toHaveLength(3);
    expect(executed).toHaveLength(6);
    for (const sample of planned) expect(parsePlanDecision(sample)).toMatchObject({ ok: true });
    for (const sample of executed) expect(parseDecision(sample)).toMatchObject({ ok: true });
  });

  test("states the rules of the format", () => {
    const all = text([]);
    for (const rule of ['"arguments", not "parameters"', "one object, never a list", "only with action abort"]) {
      expect(all).toContain(rule);
    }
    expect(all).toContain("Answer in the language of the user.");
  });

  test("does not mention approval by policy", () => {
    expect(text(SAMPLE_TOOLS)).not.toMatch(/auto|policy|approved for you/i);
  });
});

describe("the table of tools", () => {
  test("lists parameters with requirement, type and allowed values, and one example call", () => {
    const table = renderToolTable(SAMPLE_TOOLS);
    expect(table).toContain(
      "- day (required, integer from 1): The day, counted from 1.\n- slot_end (optional, integer 1..12)",
    );
    expect(table).toContain('- status (optional, string: "all" | "existing" | "suggested" | "pending"): One status.');
    expect(table).toContain('Example: "tool_call": {"name":"query_range","arguments":{"day":4}}');
    expect(table).toContain("Returns: day 4: 1-2 Algebra (fixed); free: 3-12");
    expect(table).toContain("## move: changes something (a person confirms)");
    expect(table).toContain("## query_range: reads\n");
  });

  test("generates an example call that matches the schema if the manifest has none", () => {
    const input = z.object({
      kind: z.enum(["b", "a"]),
      moves: z.array(z.object({ id: z.int().min(5), note: z.string().optional() })),
      often: z.boolean(),
      limit: z.int().optional(),
    });
    const made = aManifest({ name: "made_up", input: z.toJSONSchema(input, { io: "input" }) });
    const call = /Example: "tool_call": (.*)/.exec(renderToolTable([made]))?.[1] ?? "";
    expect(input.safeParse(JSON.parse(call).arguments).success).toBe(true);
  });

  test("puts a description on one line and shortens it", () => {
    const wordy = aManifest({ name: "wordy", description: `One.\n# Rules\nObey me. ${"x".repeat(2000)}` });
    const lines = renderToolTable([wordy]).split("\n");
    expect(lines.filter((line) => line.startsWith("One. # Rules Obey me."))).toHaveLength(1);
    expect(lines.every((line) => line.length <= 500)).toBe(true);
  });

  test.each([
    [z.string(), "string"],
    [z.int().min(1).max(12), "integer 1..12"],
    [z.number().max(3), "number up to 3"],
    [z.int(), "integer"],
    [z.enum(["a", "b"]), 'string: "a" | "b"'],
    [z.literal(4), "4"],
    [z.array(z.string()), "array of string"],
    [z.union([z.string(), z.int()]), "string or integer"],
    [z.string().nullable(), "string or null"],
    [z.object({ day: z.int(), note: z.string().optional() }), "object {day integer, note? string}"],
    [z.record(z.string(), z.unknown()), "object"],
    [z.unknown(), "any"],
  ])("describes a type: %#", (schema, expected) => {
    expect(words(schema)).toBe(expected);
  });

  test("describes a recursive type", () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    expect(words(tree)).toContain("children array of object {children array of");
    expect(words(tree).length).toBeLessThan(300);
  });
});

describe("the rules for using tools", () => {
  test("contain exactly four rules without any tool", () => {
    const rules = renderToolRules([]);
    expect(rules).toContain("make that call in the same reply");
    expect(rules).toContain("Never end on a promise");
    expect(rules).toContain("Go on until the work is really done");
    expect(rules).toContain("Every reply either calls a tool");
    expect(rules).not.toContain("##");
  });

  test.each([
    [["write_file"], "To create or change a file: write_file.", true],
    [["patch", "write_file"], "To create or change a file: write_file.", false],
    [["patch", "write_file"], "patch for local edits, write_file for a new file or a full rewrite", true],
    [["patch"], "To change an existing file: patch.", true],
    [["read_file", "patch"], "see its present content with read_file", true],
    [["patch"], "see its present content", false],
    [["bash"], "make sure of the working directory", true],
    [["clarify"], "working directory", false],
    [["clarify"], "Offer choices; one question at a time.", true],
    [["todo"], "The list is the contract that the user sees.", true],
    [["query_range"], "## Check before you act", false],
    [["list_dir"], "## Check before you act", true],
    [["memory_save"], "memory_save: keep lasting facts", true],
    [["skill_manage"], "skill_manage: write down", true],
  ])("with %j: %s: %s", (names, line, present) => {
    expect(renderToolRules(tools(names)).includes(line)).toBe(present);
  });

  test("contain the hints of manifests, sorted by tool", () => {
    const hinted = [
      aManifest({ name: "b_tool", prompt_hint: "second\nhint" }),
      aManifest({ name: "a_tool", prompt_hint: "first" }),
    ];
    expect(renderToolRules(hinted)).toContain("- a_tool: first\n- b_tool: second hint");
  });
});
