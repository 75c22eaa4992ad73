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
  // The output costs a dollar per thousand tokens, and the prompt is free.
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

test("a budget in tokens is checked before the model call, for the longest answer it may give", async () => {
  const first = createScriptedModel(looks);
  const probe = await createTestThread(withModel(first), { goal: "Look", mode: "direct" });
  unwrap(await probe.turn());
  const chars = first.requests[0]?.messages.reduce((sum, { content }) => sum + content.length, 0) ?? 0;
  // A budget of twice the prompt exceeds what the prompt needs, but does not also cover the answer.
  const model = createScriptedModel(looks, { max_output_tokens: chars });
  const budget = { tokens: Math.ceil(chars / 2) };
  const thread = await createTestThread(withModel(model), { goal: "Look", mode: "direct", budget });
  expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ state: "rest", outcome: "exhausted" });
  expect(model.calls).toBe(0);
});

describe("what a turn costs", () => {
  const used = (thread: { budget: { used: Record<string, number> } }) => thread.budget.used;

  test("includes the tokens and the price of every correction", async () => {
    const prices: Prices = { input_per_million: 1, output_per_million: 2 };
    const model = createScriptedModel(["not a decision", { action: "done" }, ...looks], { prices });
    const thread = await createTestThread(withModel(model), { goal: "Look", mode: "direct" });
    const { outcome, records } = unwrap(await thread.turn());
    // The scripted model counts one token per four characters.
    const input = model.requests.map(({ messages }) =>
      Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4),
    );
    const output = ["not a decision", JSON.stringify({ action: "done" }), JSON.stringify(looks[0])].map((text) =>
      Math.ceil(text.length / 4),
    );
    const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
    const usd = (total(input) + 2 * total(output)) / 1_000_000;
    expect(records[0]?.entry.usage).toMatchObject({
      input_tokens: total(input),
      output_tokens: total(output),
      model_calls: 3,
    });
    expect(used(outcome.thread)).toMatchObject({ turns: 1, tokens: total(input) + total(output) });
    expect(used(outcome.thread).usd).toBeCloseTo(usd, 9);
  });

  test("stops the corrections when the budget does not cover one more", async () => {
    const model = createScriptedModel(["not a decision", ...looks], { max_output_tokens: 100 });
    const first = createScriptedModel(looks);
    const probe = await createTestThread(withModel(first), { goal: "Look", mode: "direct" });
    unwrap(await probe.turn());
    const prompt = first.requests[0]?.messages.reduce((sum, { content }) => sum + content.length, 0) ?? 0;
    const tokens = Math.ceil(prompt / 4) + 400;
    const thread = await createTestThread(withModel(model), { goal: "Look", mode: "direct", budget: { tokens } });
    const { outcome } = unwrap(await thread.turn());
    expect(outcome.thread).toMatchObject({ state: "rest", outcome: "exhausted" });
    expect(model.calls).toBe(1);
  });

  test("includes the seconds the model took, in a turn and in the summary at the end", async () => {
    const rt = createTestRuntime([]);
    const slow =
      <T>(reply: T, ms: number) =>
      () => {
        rt.clock.advance(ms);
        return reply as never;
      };
    const done = { action: "done", goal_check: "seen" };
    const model = createScriptedModel([slow(looks[0], 1_500), slow(done, 250), slow("Seen.", 2_000)]);
    const place = { ...rt, pickModel: () => model, toolbox: createTestRuntime([], [look]).toolbox };
    const thread = await createTestThread(place, { goal: "Look", mode: "direct", budget: { seconds: 60 } });
    expect(used(unwrap(await thread.turn()).outcome.thread).seconds).toBe(1.5);
    expect(used(unwrap(await thread.turn()).outcome.thread).seconds).toBe(1.75);
    expect(used(unwrap(await thread.turn()).outcome.thread).seconds).toBe(3.75);
  });

  test("exhausts a budget of seconds that the model used up", async () => {
    const rt = createTestRuntime([]);
    const model = createScriptedModel([
      () => {
        rt.clock.advance(5_000);
        return looks[0] as never;
      },
    ]);
    const place = { ...rt, pickModel: () => model, toolbox: createTestRuntime([], [look]).toolbox };
    const thread = await createTestThread(place, { goal: "Look", mode: "direct", budget: { seconds: 5 } });
    unwrap(await thread.turn());
    expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ state: "rest", outcome: "exhausted" });
  });
});
