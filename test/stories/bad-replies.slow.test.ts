// Two invalid replies are corrected within the turn. A third one fails the turn, and the next turn continues.
import { afterAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { callTool, startStory } from "../support/story.ts";

const GARBAGE = ["Of course, I will do that!", '{"action":"finish"}', "[1, 2"];
const look = callTool("list_tasks", {});

const lucky = await startStory({
  script: [
    "Of course, I will do that!",
    { reply: '{"action":"finish"}', expect: { contains: "found no JSON object" } },
    { reply: look, expect: { contains: "found an unknown word" } },
  ],
});
const stubborn = await startStory({ script: [...GARBAGE, look] });
afterAll(async () => {
  await lucky.end();
  await stubborn.end();
});

test("two invalid replies and a valid one are one turn with two corrections, and all three are charged", async () => {
  const { thread } = unwrap(await lucky.client.create({ goal: "Look around", mode: "direct" }));
  const { turn, thread: after } = unwrap(await lucky.client.advance(thread.id));
  expect(turn?.corrections).toHaveLength(2);
  expect(turn?.usage?.model_calls).toBe(3);
  expect(after).toMatchObject({ turn: 1, version: 1, budget: { used: { turns: 1 } } });
  expect(after.budget.used.tokens).toBe((turn?.usage?.input_tokens ?? 0) + (turn?.usage?.output_tokens ?? 0));
  lucky.model.assertSpent();
});

test("three invalid replies are stored as a failed turn that keeps the state, and the next turn continues", async () => {
  const { client } = stubborn;
  const { thread } = unwrap(await client.create({ goal: "Look around", mode: "direct" }));
  const failed = await client.advance(thread.id);
  expect(failed).toMatchObject({
    ok: false,
    problem: {
      code: "decision_invalid",
      status: 502,
      details: { next: "advance", thread: { state: "execute", turn: 1 }, turn: { usage: { model_calls: 3 } } },
    },
  });
  const next = unwrap(await client.advance(thread.id));
  expect(next).toMatchObject({ thread: { turn: 2, state: "execute" }, turn: { receipts: [{ name: "list_tasks" }] } });
});
