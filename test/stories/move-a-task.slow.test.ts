// A scheduling assistant moves a task: look, propose, approve, receipt, delivery. Six HTTP calls, one write.
import { afterAll, beforeAll, expect, test } from "vitest";
import { must } from "../support/runtime.ts";
import { approval, aStory, calls, isDone, placeOf, type Story } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  const move = { task_id: 13, new_day: 11, new_slot_start: 1 };
  story = await aStory({ script: [calls("list_tasks", {}), calls("move", move, "confirm"), isDone, "Moved it."] });
});
afterAll(() => story.end());

test("a task is moved in six calls, with a receipt for what was seen and for what was done", async () => {
  const { client } = story;
  const { thread } = must(
    await client.create({ goal: "Move the essay outline to Thursday of week 2", mode: "direct" }),
  );
  const looked = must(await client.advance(thread.id));
  expect(looked.turn?.receipts).toMatchObject([{ source: "tool_observation", name: "list_tasks", success: true }]);

  const proposed = must(await client.advance(thread.id));
  expect(proposed).toMatchObject({ next: "confirm", thread: { state: "confirm", gate: { call: { name: "move" } } } });
  expect(await story.calendar(thread.id)).toBeNull();

  const approved = must(await client.advance(thread.id, approval(proposed.thread.gate)));
  expect(approved.turn?.receipts).toMatchObject([
    { kind: "intended", source: "write_receipt" },
    { kind: "settled", source: "write_receipt", success: true, actor: "tester" },
  ]);
  expect(must(await client.advance(thread.id)).thread.state).toBe("deliver");

  const delivered = must(await client.advance(thread.id));
  expect(delivered).toMatchObject({
    next: "none",
    turn: { speak: "Moved it." },
    thread: { outcome: "completed", evidence: "proven", turn: 5 },
  });
  expect(delivered.thread.proofs.map(({ kind }) => kind)).toEqual(["observation", "write"]);
  expect(placeOf(await story.calendar(thread.id), 13)).toBe("11/1");
});
