import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { settleNames } from "../../src/hosts/config-names.ts";
import { Config } from "../../src/schema/config.ts";

const page = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), "utf8");
const REFERENCE = page("reference/configuration.md");
const HOW_TO = page("how-to/configure-a-model.md");

/** Every field as the reference writes it, with the default it has when nothing is said. */
function fields(schema: unknown, path: string): { path: string; standard: unknown }[] {
  if (schema instanceof z.ZodPrefault) return fields(schema.unwrap(), path);
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, inner]) => fields(inner, path === "" ? key : `${path}.${key}`));
  }
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  if (inner instanceof z.ZodRecord) return fields(inner.valueType, `${path}.<name>`);
  return [{ path, standard: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined }];
}

// Written as one row each: the purposes are the same three everywhere.
const told = fields(Config, "").filter(({ path }) => !path.includes("model_overrides."));

describe("the reference of the configuration", () => {
  test("there are fields to look for", () => {
    expect(told.length).toBeGreaterThan(30);
  });

  test.each(told.map((field) => [field.path, field.standard] as const))("has a row for %s", (path, standard) => {
    const row = REFERENCE.split("\n").find((line) => line.startsWith(`| \`${path}\` |`));
    expect(row).toBeDefined();
    const cell = row?.split("|")[2]?.trim();
    if (typeof standard === "number" || typeof standard === "boolean") expect(cell).toBe(String(standard));
    if (typeof standard === "string") expect(cell).toBe(`\`${JSON.stringify(standard)}\``);
  });
});

describe("the guide to models", () => {
  const examples = [...HOW_TO.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");

  test("has examples", () => {
    expect(examples.length).toBeGreaterThan(3);
  });

  test.each(examples)("every example is a configuration that works: %#", (example) => {
    expect(settleNames(Config.parse(JSON.parse(example))).mistakes).toEqual([]);
  });
});
