// A first run with the demo model from start to finish: an approved plan, two reads, one confirmed move, and proofs.
import { afterAll, beforeAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { approval, positionOf, type Story, startStory } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory();
});
afterAll(() => story.end());

test("a user without an API key requests a change, approves the plan and the write, and gets proofs", async () => {
  const { client } = story;
  const created = unwrap(await client.create({ goal: "Move the essay outline to Thursday of week 2" }));
  expect(created).toMatchObject({ next: "advance", turn: null, thread: { state: "plan", version: 0 } });
  const id = created.thread.id;

  const planned = unwrap(await client.advanceUntilPause(id));
  expect(planned).toMatchObject({ next: "confirm", stopped: "gate", turn: { model: "demo" } });
  expect(planned.thread.gate).toMatchObject({
    kind: "plan",
    steps: [
      { content: "Look up the tasks", needs: "observation" },
      { content: "Find a free place", needs: "observation" },
      { content: "Move the task there", needs: "write" },
    ],
  });

  const proposed = unwrap(await client.advanceUntilPause(id, approval(planned.thread.gate)));
  const reads = proposed.turns.flatMap(({ receipts }) => receipts);
  expect(reads.map(({ name, source }) => [name, source])).toEqual([
    ["list_tasks", "tool_observation"],
    ["query_available_slots", "tool_observation"],
  ]);
  expect(proposed.thread.gate).toMatchObject({
    kind: "confirmation",
    text: "I would move Essay outline from day 1 (week 1, Mon) slots 9-10 to day 11 (week 2, Thu) slots 1-2.",
    call: { name: "move", arguments: { task_id: 13, new_day: 11, new_slot_start: 1 } },
    reasons: [{ code: "manifest" }],
  });
  expect(unwrap(await client.gates()).gates).toMatchObject([{ thread: id, gate: { id: proposed.thread.gate?.id } }]);
  expect(await story.calendar(id)).toBeNull();

  const delivered = unwrap(await client.advanceUntilPause(id, approval(proposed.thread.gate)));
  expect(delivered).toMatchObject({ next: "none", stopped: "rest" });
  expect(delivered.thread).toMatchObject({ outcome: "completed", evidence: "proven", tainted: false });
  expect(delivered.thread.proofs.map(({ step, kind }) => [step, kind])).toEqual([
    [0, "observation"],
    [1, "observation"],
    [2, "write"],
  ]);
  expect(delivered.turn?.speak).toContain("to day 11 (week 2, Thu) slots 1-2 (08:00-10:00).");
  expect(positionOf(await story.calendar(id), 13)).toBe("11/1");
});

test("every turn can be inspected later: its records, its judgement, its four messages", async () => {
  const { client } = story;
  const [thread] = unwrap(await client.list({ state: "rest" })).threads;
  const path = `/v1/threads/${thread?.id}/turns`;
  const { records } = unwrap(await client.call<{ records: { turn: number; model: string | null }[] }>("GET", path));
  const asked = records.filter(({ model }) => model !== null);
  expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(["demo"]));
  for (const { turn } of asked) {
    const prompt = unwrap(await client.call<{ messages: { role: string }[] }>("GET", `${path}/${turn}/prompt`));
    expect(prompt.messages.map(({ role }) => role)).toEqual(["system", "user", "user", "user"]);
  }
});
