import { describe, expect, test } from "vitest";
import type { ParsedResult } from "../../src/console/results/parse-result.ts";
import { renderResult } from "../../src/console/results/renderers.tsx";
import { findTable } from "../../src/console/results/table-rows.ts";

const PIXEL = "iVBORw0KGgo=";

function aResult(text: string): ParsedResult {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    data = undefined;
  }
  return { text, data, changes: null, effect_id: null, calendar: null };
}

describe("the renderer of a result", () => {
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
    expect(renderResult(aResult(text)).name).toBe(shape);
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
