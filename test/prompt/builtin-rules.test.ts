// Tests message [0] with the built-in tools: it names only tools that are present, and the code of prompts names none.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildSystemPrompt } from "../../src/prompt/system-prompt.ts";
import { byteLength } from "../../src/schema/byte-length.ts";
import type { Manifest } from "../../src/schema/manifest.ts";
import type { Mode } from "../../src/schema/thread.ts";
import { toolkitManifests } from "../../src/toolkits/all.ts";

const ALL = toolkitManifests();
const without = (name: string): readonly Manifest[] => ALL.filter((manifest) => manifest.name !== name);
/**
 * Returns the manifests without a toolkit. A toolkit is offered as a whole, so its descriptions may name its own tools
 * but not those of another toolkit.
 */
const withoutToolkitOf = (name: string): readonly Manifest[] => {
  const own = ALL.find((manifest) => manifest.name === name)?.toolkit;
  return ALL.filter(({ toolkit }) => toolkit !== own);
};
const textOf = (tools: readonly Manifest[], mode: Mode = "direct"): string => buildSystemPrompt(tools, mode, null).text;
const headingOf = (name: string): string => `\n## ${name}: `;
/** Tool names that are also ordinary words of any prompt. */
const WORDS = ["time", "edit", "place", "move", "swap", "search"];
const described = ALL.filter(({ in_prompt }) => in_prompt !== "never").map(({ name }) => name);
/** The string literals in the code of prompts. */
const literals = globSync("src/prompt/*.ts").flatMap(
  (path) =>
    readFileSync(path, "utf8")
      .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "")
      .match(/"[^"\n]*"|`[^`]*`/g) ?? [],
);

describe("the built-in tools in message [0]", () => {
  test("do not call the list of tasks a change, because its success proves nothing", () => {
    expect(textOf(ALL)).toContain("\n## todo: own notes, no proof\n");
  });

  test("of both calendars say which of them counts for what", () => {
    const facts = textOf(ALL.filter(({ toolkit }) => toolkit === "timetable" || toolkit === "calendar"));
    expect(facts).toContain("Events, if there are tools for them, are in another calendar");
  });

  test.each(described)("%s is described if it is present, and only then", (name) => {
    expect(textOf(ALL)).toContain(headingOf(name));
    expect(textOf(without(name))).not.toContain(headingOf(name));
  });

  test.each(ALL.map(({ name }) => name).filter((name) => !WORDS.includes(name)))(
    "without the toolkit of %s nothing names it, and the code of prompts never does",
    (name) => {
      const word = new RegExp(`\\b${name}\\b`);
      expect(textOf(withoutToolkitOf(name))).not.toMatch(word);
      // The window tells the model which tool can read a shortened observation again.
      if (name !== "recall") expect(literals.filter((literal) => word.test(literal))).toEqual([]);
    },
  );

  test("there is one way to ask, and no list beside a plan; the tools can still be called", () => {
    for (const name of ["clarify", "ask_user_question", "find_free"])
      expect(textOf(ALL)).not.toContain(headingOf(name));
    expect(textOf(ALL, "plan")).not.toContain(headingOf("todo"));
    expect(textOf(ALL, "direct")).toContain(headingOf("todo"));
  });

  test("a toolkit's facts are stated once, in at most six lines", () => {
    const timetable = ALL.filter(({ toolkit }) => toolkit === "timetable");
    const [, facts = ""] = textOf(timetable).split("\n# Facts\n");
    const lines = facts.split("\n\n")[0]?.split("\n") ?? [];
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(new Set(lines).size).toBe(lines.length);
    expect(textOf(ALL.filter(({ toolkit }) => toolkit === "files"))).not.toContain("# Facts");
  });

  test("the same tools give the same bytes in any order", () => {
    expect(textOf(ALL.toReversed(), "plan")).toBe(textOf(ALL, "plan"));
  });
});

/**
 * Compares sizes with 60 % of the prompts before 0.2.0 with the same tools. npm run bench -- prompt shows the parts.
 */
test.each([
  [["basics"], 10_208],
  [["basics", "files", "shell"], 15_549],
  [["basics", "timetable"], 19_937],
])("the system message of %j has at most six tenths of its former %i bytes", (toolkits, before) => {
  const tools = ALL.filter(({ toolkit }) => toolkits.includes(toolkit ?? ""));
  expect(byteLength(textOf(tools, "plan"))).toBeLessThanOrEqual(before * 0.6);
});

test("no sample of a decision shows a receipt id, which a model could only copy", () => {
  for (const toolkits of [["basics"], ["basics", "files"], ["basics", "calendar"]]) {
    const text = textOf(ALL.filter(({ toolkit }) => toolkits.includes(toolkit ?? "")));
    const samples = text.split("\n").filter((line) => line.startsWith('{"action":'));
    expect(samples.length).toBeGreaterThan(1);
    for (const sample of samples) expect(sample).not.toContain("receipt_id");
  }
});
