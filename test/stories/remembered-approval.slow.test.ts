// An approval that is remembered for the thread covers the same call in a later run, on any instance, until it is
// revoked.
import { afterAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, doneDecision, positionOf, type Story, startStory } from "../support/story.ts";

const stories: Story[] = [];
afterAll(() => Promise.all(stories.map((story) => story.end())));

const there = callTool("move", { task_id: 13, new_day: 11, new_slot_start: 1 }, "confirm");
const back = callTool("move", { task_id: 13, new_day: 1, new_slot_start: 9 }, "confirm");
const end = [doneDecision, "Done."];

test("a remembered move runs again without a gate, and asks again once it is revoked", async () => {
  const first = await startStory({ script: [there, ...end, back, ...end] });
  const { id } = unwrap(await first.client.create({ goal: "Move the essay outline", mode: "direct" })).thread;
  const say = (story: Story, text: string) => story.client.advanceUntilPause(id, { type: "message", text });
  const asked = unwrap(await first.client.advanceUntilPause(id)).thread.gate;
  const lasting = { ...approval(asked), remember: "thread" } as ReturnType<typeof approval>;
  unwrap(await first.client.advanceUntilPause(id, lasting));
  // A different place makes it a different call.
  const { thread: waiting } = unwrap(await say(first, "Move it back"));
  expect(waiting.gate?.kind).toBe("confirmation");
  unwrap(await first.client.advanceUntilPause(id, approval(waiting.gate)));
  expect(positionOf(await first.calendar(id), 13)).toBe("1/9");
  await first.stop();

  const second = await startStory({ script: [there, ...end, back, ...end, there], folder: first.folder });
  stories.push(second);
  const again = unwrap(await say(second, "Move it to Thursday again"));
  expect(again).toMatchObject({ next: "none", thread: { outcome: "completed", evidence_kind: "written" } });
  expect(positionOf(await second.calendar(id), 13)).toBe("11/1");
  const [known] = again.thread.remembered_approvals;
  expect(known).toMatchObject({ tool: "move", remember: "thread", active: true });
  const receipts = again.turns.flatMap((turn) => turn.receipts);
  expect(receipts.find(({ kind }) => kind === "settled")).toMatchObject({
    approval_id: known?.id,
    gate_id: asked?.id,
    success: true,
  });

  const { thread: third } = unwrap(await say(second, "And back"));
  unwrap(await second.client.advanceUntilPause(id, approval(third.gate)));
  const revoked = unwrap(await second.client.advance(id, { type: "revoke", approval_id: known?.id ?? "" } as never));
  expect(revoked.thread.remembered_approvals).toEqual([]);
  expect(unwrap(await say(second, "To Thursday")).thread.gate?.kind).toBe("confirmation");
  expect(positionOf(await second.calendar(id), 13)).toBe("1/9");
});
