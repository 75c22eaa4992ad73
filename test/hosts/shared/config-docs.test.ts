import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { resolveNames } from "../../../src/hosts/shared/config-names.ts";
import { Config } from "../../../src/schema/config.ts";

const ROOT = join(import.meta.dirname, "../../..");
const page = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8");
const REFERENCE = page("reference/configuration.md");
const HOW_TO = page("how-to/configure-a-model.md");

/** Returns every field as the reference writes it, with its default. */
function fields(schema: unknown, path: string): { path: string; standard: unknown }[] {
  if (schema instanceof z.ZodPrefault) return fields(schema.unwrap(), path);
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, inner]) => fields(inner, path === "" ? key : `${path}.${key}`));
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const all = schema.options.flatMap((option) => fields(option as z.ZodType, path));
    return [...new Map(all.map((field) => [field.path, field])).values()];
  }
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  if (inner instanceof z.ZodRecord) return fields(inner.valueType, `${path}.<name>`);
  return [{ path, standard: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined }];
}

// Model overrides are documented in one row each, because the three purposes are the same everywhere.
const documentedFields = fields(Config, "").filter(({ path }) => !path.includes("model_overrides."));

describe("the reference of the configuration", () => {
  test("there are fields to look for", () => {
    expect(documentedFields.length).toBeGreaterThan(30);
  });

  test.each(documentedFields.map((field) => [field.path, field.standard] as const))(
    "has a row for %s",
    (path, standard) => {
      const row = REFERENCE.split("\n").find((line) => line.startsWith(`| \`${path}\` |`));
      expect(row).toBeDefined();
      const cell = row?.split("|")[2]?.trim();
      if (typeof standard === "number" || typeof standard === "boolean") expect(cell).toBe(String(standard));
      if (typeof standard === "string") expect(cell).toBe(`\`${JSON.stringify(standard)}\``);
    },
  );
});

/** Variables that the platform provides, and bindings of a worker, which nobody sets by hand. */
const OF_THE_PLATFORM = [
  "LAMBDA_TASK_ROOT",
  "AWS_LAMBDA_INITIALIZATION_TYPE",
  "AWS_SESSION_TOKEN",
  "PARAMETERS_SECRETS_EXTENSION_HTTP_PORT",
];
const BINDINGS = ["DIRECTORY", "THREADS"];

describe("the environment", () => {
  const source = globSync("src/**/*.{ts,tsx}", { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), "utf8"));
  const READS = /(?:\benv(?:\.|\[")|\bread\(env, "|\benv, ")([A-Z][A-Z0-9_]+)/g;
  const read = new Set(source.flatMap((text) => [...text.matchAll(READS)].map((match) => match[1] ?? "")));
  const named = new Set(
    REFERENCE.match(/\b(?:PAWL|OPENAI|FAULT|TABLE|AWS)_[A-Z_]+\b|\b(?:HOST|PORT|NO_COLOR|LC_ALL|LC_MESSAGES|LANG)\b/g),
  );

  test("every variable that the code reads is in the reference", () => {
    const own = [...read].filter((name) => ![...OF_THE_PLATFORM, ...BINDINGS].includes(name));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((name) => !named.has(name))).toEqual([]);
  });

  test("the reference names no variable that nothing reads", () => {
    expect([...named].filter((name) => !read.has(name))).toEqual([]);
  });
});

describe("the guide to models", () => {
  const examples = [...HOW_TO.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");

  test("has examples", () => {
    expect(examples.length).toBeGreaterThan(3);
  });

  test.each(examples)("every example is a configuration that works: %#", (example) => {
    expect(resolveNames(Config.parse(JSON.parse(example))).mistakes).toEqual([]);
  });
});
