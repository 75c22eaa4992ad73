import { describe, expect, test } from "vitest";
import type { ParsedResult } from "../../src/console/results/parse-result.ts";
import { createRegistry } from "../../src/console/results/registry.ts";
import { RENDERERS } from "../../src/console/results/renderers.tsx";
import { findTable } from "../../src/console/results/table-rows.ts";

const registry = createRegistry(RENDERERS);
const PIXEL = "iVBORw0KGgo=";

function aResult(text: string, tool = "unknown_tool"): ParsedResult {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    data = undefined;
  }
  return { tool, text, data, changes: null, effect_id: null, calendar: null };
}

describe("renderer registry", () => {
  test.each([
    ["text", "It worked."],
    ["text", ""],
    ["text", "42"],
    ["text", "- a leading minus\n+ and a plus"],
    ["text", "<img src=x onerror=alert(1)>"],
    ["json", '{"a":{"b":1}}'],
    ["json", "[1,2,3]"],
    ["table", '[{"a":1,"b":"x"},{"a":2}]'],
    ["table", '{"rows":[{"a":1}],"total":1}'],
    ["table", "| a | b |\n|---|---|\n| 1 | 2 |"],
    ["diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new"],
    ["image", `data:image/png;base64,${PIXEL}`],
    ["image", JSON.stringify({ mime_type: "image/jpeg", data: PIXEL })],
    ["json", JSON.stringify({ mime_type: "image/svg+xml", data: PIXEL })],
    ["text", "data:text/html;base64,PGI+"],
    ["json", JSON.stringify({ image: "https://example.com/spy.png" })],
  ])("renders as %s: %s", (shape, text) => {
    expect(registry.render(aResult(text)).rendererName).toBe(shape);
  });

  test("uses the renderer of a tool, and falls back when that one returns null", () => {
    const shout = { name: "shout", render: ({ text }: ParsedResult) => (text === "hello" ? text.toUpperCase() : null) };
    const custom = createRegistry(RENDERERS, { greet: shout });
    expect(custom.render(aResult("hello", "greet"))).toEqual({ rendererName: "shout", content: "HELLO" });
    expect(custom.render(aResult("goodbye", "greet")).rendererName).toBe("text");
    expect(custom.render(aResult("hello", "other")).rendererName).toBe("text");
    expect(custom.render(aResult("hello", "toString")).rendererName).toBe("text");
  });

  test("a table has a cell for every column of every row", () => {
    expect(findTable("", [{ a: 1, b: null }, { c: false }])).toEqual({
      columns: ["a", "b", "c"],
      rows: [
        ["1", "", ""],
        ["", "", "false"],
      ],
    });
  });
});
