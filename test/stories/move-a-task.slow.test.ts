// A scheduling assistant moves a task in six HTTP requests and one write: observe, propose, approve, receipt, delivery.
import { afterAll, beforeAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, doneDecision, positionOf, type Story, startStory } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  const move = { task_id: 13, new_day: 11, new_slot_start: 1 };
  story = await startStory({
    script: [callTool("list_tasks", {}), callTool("move", move, "confirm"), doneDecision, "Moved it."],
  });
});
afterAll(() => story.end());

test("a task is moved in six requests, with a receipt for the observation and for the write", async () => {
  const { client } = story;
  const { thread } = unwrap(
    await client.create({ goal: "Move the essay outline to Thursday of week 2", mode: "direct" }),
  );
  const looked = unwrap(await client.advance(thread.id));
  expect(looked.turn?.receipts).toMatchObject([{ source: "tool_observation", name: "list_tasks", success: true }]);

  const proposed = unwrap(await client.advance(thread.id));
  expect(proposed).toMatchObject({ next: "confirm", thread: { state: "confirm", gate: { call: { name: "move" } } } });
  expect(await story.calendar(thread.id)).toBeNull();

  const approved = unwrap(await client.advance(thread.id, approval(proposed.thread.gate)));
  expect(approved.turn?.receipts).toMatchObject([
    { kind: "intended", source: "write_receipt" },
    { kind: "settled", source: "write_receipt", success: true, actor: "tester" },
  ]);
  expect(unwrap(await client.advance(thread.id)).thread.state).toBe("deliver");

  const delivered = unwrap(await client.advance(thread.id));
  expect(delivered).toMatchObject({
    next: "none",
    turn: { speak: "Moved it." },
    thread: { outcome: "completed", evidence: "proven", evidence_kind: "written", turn: 5 },
  });
  expect(delivered.thread.proofs.map(({ kind }) => kind)).toEqual(["observation", "write"]);
  expect(positionOf(await story.calendar(thread.id), 13)).toBe("11/1");
});
