// Ten callers advance the same thread concurrently: one turn happens, and nine callers get a conflict.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Model } from "../../src/ports/model.ts";
import { ok } from "../../src/schema/problem.ts";
import { unwrap } from "../support/runtime.ts";
import { callTool, type Story, startStory } from "../support/story.ts";

const CALLERS = 10;

/** Returns a model that replies only after all callers have asked, so that every caller has loaded the same version. */
function createWaitingModel(): Model {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  return {
    name: "waiting",
    window: 32_768,
    max_output_tokens: 1024,
    prices: null,
    reply: async () => {
      if (++asked >= CALLERS) all.resolve();
      await all.promise;
      return ok({ text: JSON.stringify(callTool("list_tasks", {})), model: "waiting", usage: null });
    },
  };
}

let story: Story;
beforeAll(async () => {
  story = await startStory({ model: createWaitingModel() });
});
afterAll(() => story.end());

test("exactly one of ten concurrent requests advances the thread, the others get 409 with the current version", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Look around", mode: "direct" }));
  const made = await Promise.all(Array.from({ length: CALLERS }, () => client.advance(thread.id)));
  const lost = made.flatMap((one) => (one.ok ? [] : [one.problem]));
  expect(made.filter((one) => one.ok)).toHaveLength(1);
  expect(lost).toHaveLength(CALLERS - 1);
  for (const problem of lost)
    expect(problem).toMatchObject({ status: 409, code: "thread_moved", details: { version: 1 } });
  expect(unwrap(await client.get(thread.id)).thread).toMatchObject({ turn: 1, version: 1 });
});
