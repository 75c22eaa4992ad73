// Tests how schemas of other systems are reduced to what can be checked. Their regular expressions are never run, because
// one value can keep the process busy for years.
import { expect, test } from "vitest";
import * as z from "zod";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { checkableSchema } from "../../../src/schema/json/checkable-schema.ts";
import { argumentSchema } from "../../../src/toolkits/mcp/definition.ts";
import { answerForm, startForms } from "../../../src/toolkits/mcp/form.ts";
import { declaredTool } from "../../../src/tools/declared/client-tools.ts";

const parserOf = (schema: object) => {
  const parsed = z.fromJSONSchema(checkableSchema({ type: "object", ...schema }) as z.core.JSONSchema.JSONSchema);
  return (value: unknown): boolean => parsed.safeParse(value).success;
};

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

test("properties, definitions and data with the name of a keyword are kept", () => {
  const kept = {
    type: "object",
    properties: { pattern: { enum: ["pattern"] }, not: { const: "x" }, if: { default: { pattern: "x" } } },
    required: ["pattern"],
    additionalProperties: false,
  };
  expect(checkableSchema(kept)).toEqual(kept);
  const referring = { properties: { a: { $ref: "#/$defs/pattern" } }, $defs: { pattern: { type: "string" } } };
  expect(parserOf(referring)({ a: "x" })).toBe(true);
});

test("what excludes values by a pattern excludes none of them any more", () => {
  const schema = {
    type: "object",
    properties: { a: { oneOf: [EVIL, { type: "string", pattern: "b" }] }, b: { type: "array", items: EVIL } },
    patternProperties: { "^x": { type: "string" } },
    additionalProperties: false,
    not: { properties: { a: EVIL } },
  };
  const clean = checkableSchema(schema);
  expect(JSON.stringify(clean)).not.toContain("pattern");
  const parsed = z.fromJSONSchema(clean as z.core.JSONSchema.JSONSchema);
  expect(parsed.safeParse({ a: "b", b: ["c"], x1: "y" }).success).toBe(true);
  expect(parsed.safeParse({ a: 1 }).success).toBe(false);
});

const TREE = {
  type: "object",
  properties: { name: { type: "string" }, parts: { type: "array", items: { $ref: "#/$defs/tree" } } },
};
const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

/** Each schema with a value that it accepts, and one that is refused here, if one can be recognized. */
const schemas: readonly (readonly [string, object, object, object | null])[] = [
  ["not", { properties: { a: { not: { type: "string" } } } }, { a: 1 }, null],
  ["not anything", { properties: { a: { not: {} } } }, {}, { a: 1 }],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ["if, then, else", { if: { required: ["a"] }, then: { required: ["b"] }, else: false }, { a: 1, b: 1 }, null],
  ["dependent properties", { dependentRequired: { a: ["b"] }, dependentSchemas: { a: true } }, { a: 1, b: 1 }, null],
  ["dependencies", { $schema: DRAFT_7, dependencies: { a: ["b"] } }, { a: 1, b: 1 }, null],
  [
    "unevaluated properties",
    { unevaluatedProperties: false, properties: { a: { type: "number" } } },
    { a: 1 },
    { a: "x" },
  ],
  ["unevaluated items", { properties: { a: { type: "array", unevaluatedItems: false } } }, { a: [] }, { a: 1 }],
  [
    "a reference to a property",
    { properties: { a: { type: "number" }, b: { $ref: "#/properties/a" } } },
    { b: 1 },
    { b: "x" },
  ],
  [
    "a reference into a definition",
    { properties: { b: { $ref: "#/$defs/tree/properties/name" } }, $defs: { tree: TREE } },
    { b: "x" },
    { b: 1 },
  ],
  [
    "a recursive definition",
    { properties: { b: { $ref: "#/$defs/tree" } }, $defs: { tree: TREE } },
    { b: { parts: [{ name: "x" }] } },
    { b: { parts: [{ name: 1 }] } },
  ],
  ["a schema that refers to itself", { properties: { a: { $ref: "#" } } }, { a: { a: {} } }, { a: { a: 1 } }],
  [
    "definitions without a draft",
    { properties: { a: { $ref: "#/definitions/n" } }, definitions: { n: { type: "number" } } },
    { a: 1 },
    { a: "x" },
  ],
  [
    "definitions of draft 7",
    { $schema: DRAFT_7, properties: { a: { $ref: "#/definitions/n" } }, definitions: { n: { type: "number" } } },
    { a: 1 },
    { a: "x" },
  ],
  [
    "an escaped reference",
    { properties: { a: { $ref: "#/$defs/x~1y%20z~0" } }, $defs: { "x/y z~": { type: "number" } } },
    { a: 1 },
    { a: "x" },
  ],
  [
    "a reference to another document",
    { properties: { a: { $ref: "https://example.com/a.json" }, b: { $ref: "#anchor" } } },
    { a: 1, b: 2 },
    null,
  ],
  [
    "one of two definitions",
    {
      properties: { a: { oneOf: [{ $ref: "#/$defs/n" }, { type: "string" }] } },
      $defs: { n: { type: "number", not: { const: 1 } } },
    },
    { a: 2 },
    { a: true },
  ],
  ["one of and any of", { properties: { a: { oneOf: [EVIL], anyOf: [{ type: "string" }] } } }, { a: "x" }, { a: 1 }],
  [
    "how many items match",
    { properties: { a: { type: "array", contains: EVIL, maxContains: 1 } } },
    { a: ["aa", "b!"] },
    { a: [] },
  ],
  [
    "objects as values",
    { properties: { a: { const: { b: 1 } }, c: { enum: [{ d: 1 }, "x"] } } },
    { a: { b: 1 }, c: { d: 1 } },
    null,
  ],
  ["relative references", { properties: { a: { type: "string", format: "uri-reference" } } }, { a: "/docs" }, { a: 1 }],
];

test.each(schemas)("%s: what the schema accepts is accepted", (_title, schema, accepted, refused) => {
  const accepts = parserOf(schema);
  expect(accepts(accepted)).toBe(true);
  expect(accepts("not an object")).toBe(false);
  if (refused) expect(accepts(refused)).toBe(false);
});

test("a reference that leads nowhere is a mistake, and not ignored", () => {
  expect(() => parserOf({ properties: { a: { $ref: "#/$defs/none" } } })).toThrow("Reference not found: #/$defs/none");
});

test("deeply nested alternatives are read once per level", () => {
  let nested: object = EVIL;
  for (let depth = 0; depth < 60; depth += 1) nested = { oneOf: [{ contains: nested, maxContains: 1 }] };
  expect(JSON.stringify(checkableSchema(nested as never))).not.toContain("pattern");
});
