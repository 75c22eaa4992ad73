// A message in the middle of a run is heard in that very turn; with replan it sends the run back to its plan.
import { afterAll, expect, test } from "vitest";
import { must } from "../support/runtime.ts";
import { approval, aStory, calls } from "../support/story.ts";

const plan = (content: string) => ({
  action: "plan_done",
  speak: "Like this?",
  plan_steps: [{ content, needs: "observation" }],
});

const story = await aStory({
  script: [
    plan("Look at day 3"),
    calls("query_range", { day: 3 }),
    { reply: calls("query_range", { day: 4 }), expect: { contains: "user (new in this turn): Day 4 as well, please" } },
    { reply: plan("Look at week 2"), expect: { purpose: "plan", contains: "Rather look at week 2" } },
  ],
});
afterAll(() => story.end());

test("the model hears it at once, and a new plan needs a new approval", async () => {
  const { client } = story;
  const { thread } = must(await client.create({ goal: "Look at day 3" }));
  const planned = must(await client.advance(thread.id));
  must(await client.advance(thread.id, approval(planned.thread.gate)));
  must(await client.advance(thread.id));
  const heard = must(await client.advance(thread.id, { type: "message", text: "Day 4 as well, please" }));
  expect(heard).toMatchObject({ thread: { state: "execute", run: 1 }, turn: { receipts: [{ name: "query_range" }] } });

  const again = must(await client.advance(thread.id, { type: "message", text: "Rather look at week 2", replan: true }));
  expect(again).toMatchObject({
    next: "confirm",
    thread: { state: "plan", at: "approving", run: 1, gate: { steps: [{ content: "Look at week 2" }] } },
  });
  expect(again.thread.proofs).toEqual([]);
  story.model.assertSpent();
});
