import { describe, expect, test } from "vitest";
import { replySchema } from "../../src/prompt/reply-schema.ts";
import { EXECUTE_ACTIONS, ExecuteDecision, PLAN_ACTIONS, PlanDecision } from "../../src/schema/decision/decision.ts";

type Properties = { properties: Record<string, { enum?: readonly string[] }>; additionalProperties: boolean };
const schemaOf = (purpose: "plan" | "execute") => replySchema(purpose)?.schema as Properties;
const keysOf = (options: readonly { shape: object }[]): string[] =>
  [...new Set(options.flatMap(({ shape }) => Object.keys(shape)))].sort();

describe("the schema of a reply", () => {
  test("names every field that a decision can have and no other", () => {
    expect(Object.keys(schemaOf("execute").properties).sort()).toEqual(keysOf(ExecuteDecision.options));
    expect(Object.keys(schemaOf("plan").properties).sort()).toEqual(keysOf(PlanDecision.options));
    expect(schemaOf("execute").additionalProperties).toBe(false);
  });

  test("lists the actions of its purpose", () => {
    expect(schemaOf("execute").properties.action?.enum).toEqual(EXECUTE_ACTIONS);
    expect(schemaOf("plan").properties.action?.enum).toEqual(PLAN_ACTIONS);
  });

  test("is null for plain text", () => {
    expect(replySchema("deliver")).toBeNull();
  });
});
