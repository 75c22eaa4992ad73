// Hostile arguments for every built-in tool: refused, or accepted as plain data; nothing throws, hangs or changes a prototype.
import { describe, expect, test } from "vitest";
import { TOOLKITS } from "../../src/toolkits/index.ts";
import type { Tool } from "../../src/tools/define-tool.ts";

const unavailable: unknown = new Proxy({}, { get: () => unavailable });
const tools: readonly Tool[] = TOOLKITS.flatMap((toolkit) => toolkit.tools(unavailable as never));
const propertiesOf = ({ manifest }: Tool): readonly string[] =>
  Object.keys((manifest.input.properties ?? {}) as object);
const deep = JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`) as unknown;

const FILE_TEXTS = new Set(["content", "old_string", "new_string"]);
const NO_OBJECTS = [null, undefined, true, 1, "text", [], [{}]];
const VALUES: readonly (readonly [string, unknown])[] = [
  ["a prototype as JSON", JSON.parse('{"__proto__": {"polluted": true}}')],
  ["a constructor", { constructor: { prototype: { polluted: true } } }],
  ["a megabyte", "x".repeat(1_000_000)],
  ["a control character", "a\u0000b"],
  ["half a surrogate pair", "\ud800"],
  ["a deep list", deep],
  ["not a number", Number.NaN],
  ["a number that is too large", 1e308],
  ["a negative number", -1],
  ["a path out of the workspace", "../../../etc/passwd"],
  ["a template", "$" + "{process.exit()}{{7*7}}"],
];

describe.each(tools.map((tool) => [tool.manifest.name, tool] as const))("%s", (_name, tool) => {
  test("refuses arguments that are no object", () => {
    for (const value of NO_OBJECTS) expect(tool.input.safeParse(value).success, JSON.stringify(value)).toBe(false);
  });

  test("takes no hostile value for more than it is", () => {
    const { examples } = tool.manifest;
    for (const name of [...propertiesOf(tool), "unknown_field"]) {
      for (const [what, value] of VALUES) {
        const read = tool.input.safeParse({ ...examples[0]?.arguments, [name]: value });
        // A text without a limit would reach the record of the call. Texts of files are limited where they are written.
        const limited = !FILE_TEXTS.has(name) && name !== "unknown_field";
        if (what === "a megabyte" && limited) expect(read.success, `${name}: ${what}`).toBe(false);
        if (what === "not a number") expect(JSON.stringify(read.data ?? null)).not.toContain("NaN");
      }
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
