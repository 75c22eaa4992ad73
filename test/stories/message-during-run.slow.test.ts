// A message during a run reaches the model in the same turn; with replan it sends the run back to planning.
import { afterAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, startStory } from "../support/story.ts";

const plan = (content: string) => ({
  action: "plan_done",
  speak: "Like this?",
  plan_steps: [{ content, needs: "observation" }],
});

const story = await startStory({
  script: [
    plan("Look at day 3"),
    callTool("query_range", { day: 3 }),
    {
      reply: callTool("query_range", { day: 4 }),
      expect: { contains: "user (new in this turn): Day 4 as well, please" },
    },
    { reply: plan("Look at week 2"), expect: { purpose: "plan", contains: "Rather look at week 2" } },
  ],
});
afterAll(() => story.end());

test("the model sees it immediately, and a new plan needs a new approval", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Look at day 3", plan_approval: "ask" }));
  const planned = unwrap(await client.advance(thread.id));
  unwrap(await client.advance(thread.id, approval(planned.thread.gate)));
  unwrap(await client.advance(thread.id));
  const continued = unwrap(await client.advance(thread.id, { type: "message", text: "Day 4 as well, please" }));
  expect(continued).toMatchObject({
    thread: { state: "execute", run: 1 },
    turn: { receipts: [{ name: "query_range" }] },
  });

  const again = unwrap(
    await client.advance(thread.id, { type: "message", text: "Rather look at week 2", replan: true }),
  );
  expect(again).toMatchObject({
    next: "confirm",
    thread: { state: "plan", at: "approving", run: 1, gate: { steps: [{ content: "Look at week 2" }] } },
  });
  expect(again.thread.proofs).toEqual([]);
  story.model.assertSpent();
});
