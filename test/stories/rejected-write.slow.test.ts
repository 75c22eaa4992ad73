// A user rejects a write with a reason: the model sees it, nothing is written, and the final message says so.
import { afterAll, beforeAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { callTool, doneDecision, rejection, type Story, startStory } from "../support/story.ts";

const declined = "You did not want it on Thursday, so the essay outline stays where it was.";
let story: Story;
beforeAll(async () => {
  const move = { task_id: 13, new_day: 11, new_slot_start: 1 };
  story = await startStory({
    script: [
      callTool("list_tasks", {}),
      callTool("move", move, "confirm"),
      { reply: doneDecision, expect: { contains: "Rejected by the user: not on a Thursday" } },
      { reply: { action: "abort", abort: { user_message: declined } }, expect: { contains: "a write that succeeded" } },
    ],
  });
});
afterAll(() => story.end());

test("a rejected write does not happen, proves nothing, and is reported at the end", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Move the essay outline", mode: "direct" }));
  unwrap(await client.advance(thread.id));
  const proposed = unwrap(await client.advance(thread.id));
  const rejected = unwrap(await client.advance(thread.id, rejection(proposed.thread.gate, "not on a Thursday")));
  expect(rejected).toMatchObject({ next: "advance", turn: { receipts: [{ success: false }], decision: null } });

  const ended = unwrap(await client.advance(thread.id));
  expect(ended.turn?.corrections).toMatchObject([{ code: "decision_refused" }]);
  expect(ended).toMatchObject({
    next: "none",
    turn: { speak: declined },
    thread: { outcome: "aborted", evidence: "none", state: "rest" },
  });
  expect(await story.calendar(thread.id)).toBeNull();
  story.model.assertSpent();
});
