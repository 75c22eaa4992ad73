// Tests hostile arguments for every built-in tool. They are refused or accepted as plain data; nothing throws, hangs or
// changes a prototype.
import { describe, expect, test } from "vitest";
import { TOOLKITS } from "../../src/toolkits/index.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { HOSTILE_VALUES } from "./hostile/values.ts";

const unavailable: unknown = new Proxy({}, { get: () => unavailable });
const tools: readonly Tool[] = TOOLKITS.flatMap((toolkit) => toolkit.tools(unavailable as never));
const propertiesOf = ({ manifest }: Tool): readonly string[] =>
  Object.keys((manifest.input.properties ?? {}) as object);
const FILE_TEXTS = new Set(["content", "old_string", "new_string"]);
const NO_OBJECTS = [null, undefined, true, 1, "text", [], [{}]];
describe.each(tools.map((tool) => [tool.manifest.name, tool] as const))("%s", (_name, tool) => {
  test("refuses arguments that are not an object", () => {
    for (const value of NO_OBJECTS) expect(tool.input.safeParse(value).success, JSON.stringify(value)).toBe(false);
  });

  test("treats hostile values as data", () => {
    const { examples } = tool.manifest;
    for (const name of [...propertiesOf(tool), "unknown_field"]) {
      for (const [what, value] of HOSTILE_VALUES) {
        const read = tool.input.safeParse({ ...examples[0]?.arguments, [name]: value });
        // A string without a limit would be stored in the record of the call. File contents are limited when they are
        // written.
        const limited = !FILE_TEXTS.has(name) && name !== "unknown_field";
        if (what === "a megabyte" && limited) expect(read.success, `${name}: ${what}`).toBe(false);
        if (what === "not a number") expect(JSON.stringify(read.data ?? null)).not.toContain("NaN");
      }
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
