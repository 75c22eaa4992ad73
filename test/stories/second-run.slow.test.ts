// A delivered thread accepts the next message: a new run with a new budget, in the same dialogue, on the same calendar.
import { afterAll, beforeAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { approval, positionOf, type Story, startStory } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory();
});
afterAll(() => story.end());

test("the second run undoes the first", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Move the essay outline to day 4", plan_approval: "auto" }));
  const gated = unwrap(await client.advanceUntilPause(thread.id));
  const first = unwrap(await client.advanceUntilPause(thread.id, approval(gated.thread.gate)));
  expect(first.thread).toMatchObject({ state: "rest", outcome: "completed", run: 1 });
  expect(positionOf(await story.calendar(thread.id), 13)).toBe("4/1");
  expect(await client.advance(thread.id)).toMatchObject({ problem: { code: "nothing_to_do" } });

  const again = unwrap(await client.advanceUntilPause(thread.id, { type: "message", text: "Now undo that" }));
  expect(again.thread).toMatchObject({ run: 2, goal: "Now undo that", outcome: null, evidence: null });
  expect(again.thread.budget.used.turns).toBeLessThan(first.thread.budget.used.turns);
  const prompt = unwrap(
    await client.call<{ messages: { content: string }[] }>(
      "GET",
      `/v1/threads/${thread.id}/turns/${again.thread.turn}/prompt`,
    ),
  );
  expect(prompt.messages[1]?.content).toContain("user: Move the essay outline to day 4");

  const second = unwrap(await client.advanceUntilPause(thread.id, approval(again.thread.gate)));
  expect(second.thread).toMatchObject({ outcome: "completed", evidence: "proven", run: 2 });
  expect(positionOf(await story.calendar(thread.id), 13)).toBe("1/9");
});
