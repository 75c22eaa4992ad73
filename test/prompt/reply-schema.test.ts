import { describe, expect, test } from "vitest";
import { replySchema } from "../../src/prompt/reply-schema.ts";
import { ExecuteDecision, PLAN_ACTIONS, PlanDecision } from "../../src/schema/decision/decision.ts";
import type { ThreadState } from "../../src/schema/thread.ts";
import { aState, idOf } from "../support/thread.ts";

type Properties = { properties: Record<string, { enum?: readonly string[] }>; additionalProperties: boolean };
const schemaOf = (purpose: "plan" | "execute", state: ThreadState = aState()) =>
  replySchema(purpose, state)?.schema as Properties;
const actionsOf = (state: ThreadState) => schemaOf("execute", state).properties.action?.enum;
const fieldsOf = (state: ThreadState) => Object.keys(schemaOf("execute", state).properties).sort();
const keysOf = (options: readonly { shape: object }[]): string[] =>
  [...new Set(options.flatMap(({ shape }) => Object.keys(shape)))].sort();

const step = { content: "Write", done_when: null, needs: "write" as const };
const onStep = (state: Record<string, unknown> = {}) =>
  aState({ plan: [step, step], machine: { mode: "plan", step: 0, steps: 2 }, ...state });
const proofs = [{ step: 0, kind: "write", receipt_id: idOf("rcp", 1), summary: "written" }];

describe("the schema of a reply", () => {
  test("names every field that a decision can have and no other", () => {
    expect(fieldsOf(aState())).toEqual(keysOf(ExecuteDecision.options));
    expect(Object.keys(schemaOf("plan").properties).sort()).toEqual(keysOf(PlanDecision.options));
    expect(schemaOf("execute").additionalProperties).toBe(false);
  });

  test("offers the end of a step only when the judge would accept it, with the fields it needs", () => {
    expect(actionsOf(onStep())).toEqual(["continue", "confirm", "ask_user", "abort"]);
    expect(fieldsOf(onStep())).not.toContain("goal_check");
    expect(actionsOf(onStep({ proofs }))).toEqual(["continue", "confirm", "next_plan", "ask_user", "abort"]);
    expect(fieldsOf(onStep({ proofs }))).toContain("goal_check");
    expect(fieldsOf(onStep({ proofs }))).not.toContain("delivery");
  });

  test("offers all actions while planning, but no further thinking after two turns of it", () => {
    expect(schemaOf("plan").properties.action?.enum).toEqual(PLAN_ACTIONS);
    const idle = schemaOf("plan", aState({ idle: 2 })).properties.action?.enum;
    expect(idle).toEqual(PLAN_ACTIONS.filter((action) => action !== "continue"));
  });

  test("is null for plain text", () => {
    expect(replySchema("deliver", aState())).toBeNull();
  });
});
