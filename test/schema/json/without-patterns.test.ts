// Tests that regular expressions from foreign schemas are never run, because one value can keep the process busy for
// years.
import { expect, test } from "vitest";
import * as z from "zod";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { withoutPatterns } from "../../../src/schema/json/without-patterns.ts";
import { argumentSchema } from "../../../src/toolkits/mcp/definition.ts";
import { answerForm, startForms } from "../../../src/toolkits/mcp/form.ts";
import { declaredTool } from "../../../src/tools/declared/client-tools.ts";

const EVIL = { type: "string", pattern: "^(a+)+$" };
const input = { type: "object", properties: { a: EVIL, n: { type: "number" } }, required: ["a"] };
/** With the pattern this value would take hours, and each additional letter doubles that time. */
const LONG = { a: `${"a".repeat(60)}!` };
const checks: readonly (readonly [string, (value: object) => boolean])[] = [
  [
    "a tool of an MCP server",
    (value) => argumentSchema({ name: "x", description: "x", input }).safeParse(value).success,
  ],
  [
    "a tool of the client",
    (value) => declaredTool(nodeHash, { name: "x", description: "x", input }).input.safeParse(value).success,
  ],
  [
    "a form of an MCP server",
    (value) =>
      typeof answerForm(
        startForms({ one: { message: "x", schema: input, url: null } }, null),
        JSON.stringify(value),
      ) !== "string",
  ],
];

test.each(checks)("%s is checked without its patterns", (_what, check) => {
  expect([check(LONG), check({ a: 1 }), check({}), check({ ...LONG, n: "x" })]).toEqual([true, false, false, false]);
});

test("properties and data with the name of a keyword are kept", () => {
  const kept = {
    type: "object",
    properties: { pattern: { enum: ["pattern"] }, not: { const: { pattern: "x" } } },
    required: ["pattern"],
    additionalProperties: false,
    $defs: { patternProperties: { type: "string" } },
    not: { required: ["x"] },
  };
  expect(withoutPatterns(kept)).toEqual(kept);
});

test("what excludes values by a pattern excludes none of them any more", () => {
  const schema = {
    type: "object",
    properties: { a: { oneOf: [EVIL, { type: "string", pattern: "b" }] }, b: { type: "array", items: EVIL } },
    patternProperties: { "^x": { type: "string" } },
    additionalProperties: false,
    not: { properties: { a: EVIL } },
  };
  const clean = withoutPatterns(schema);
  expect(JSON.stringify(clean)).not.toContain("pattern");
  const parsed = z.fromJSONSchema(clean as z.core.JSONSchema.JSONSchema);
  expect(parsed.safeParse({ a: "b", b: ["c"], x1: "y" }).success).toBe(true);
  expect(parsed.safeParse({ a: 1 }).success).toBe(false);
});
