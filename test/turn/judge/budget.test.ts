import { describe, expect, test } from "vitest";
import { createScriptedModel } from "../../../src/adapters/model-scripted.ts";
import type { Model, Prices } from "../../../src/ports/model.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createThread } from "../../../src/threads/create.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

const looks = ["a", "b", "c"].map((at) => callTool("look", { at }));
const priced = (prices: Prices | null) => createScriptedModel(looks, { prices, max_output_tokens: 1_000 });
const withModel = (model: Model): Runtime => ({ ...createTestRuntime([], [look]), pickModel: () => model });

describe("a budget in money", () => {
  // A dollar per thousand output tokens; the prompt is free.
  const PRICES: Prices = { input_per_million: 0, output_per_million: 1_000 };

  test("is checked before the model call, for its worst case", async () => {
    const model = priced(PRICES);
    const thread = await createTestThread(withModel(model), { goal: "Look", mode: "direct", budget: { usd: 0.99 } });
    expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ state: "rest", outcome: "exhausted" });
    expect(model.calls).toBe(0);
  });

  test("counts the actual cost of calls, and a raised budget resumes the run", async () => {
    const model = priced(PRICES);
    const thread = await createTestThread(withModel(model), { goal: "Look", mode: "direct", budget: { usd: 1.01 } });
    const first = unwrap(await thread.turn()).outcome.thread;
    expect(first.state).toBe("execute");
    expect(first.budget.used.usd).toBeGreaterThan(0.01);
    expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ outcome: "exhausted" });
    expect(model.calls).toBe(1);
    expect(unwrap(await thread.turn(null, { budget: { usd: 3 } })).outcome.thread.state).toBe("execute");
    expect(model.calls).toBe(2);
  });

  test("is refused if prices are unknown, on create and later", async () => {
    const rt = withModel(priced(null));
    const input = { goal: "Look", mode: "direct" as const, budget: { usd: 1 } };
    const refused = await createThread(rt, { tenant: LOCAL_TENANT, actor: "tester", input, key: null });
    expect(refused).toMatchObject({ problem: { code: "request_invalid", details: { field: "budget.usd" } } });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    expect(problemCode(await thread.turn(null, { budget: { usd: 1 } }))).toBe("request_invalid");
    unwrap(await thread.turn(null, { budget: { turns: 5 } }));
  });
});
