// A fork has its own calendar, and a removed thread leaves none behind for the next one with its id.
import { afterAll, beforeAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { approval, positionOf, type Story, startStory } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory();
});
afterAll(() => story.end());

/** Runs the thread to the end and approves everything. */
async function run(thread: string, text: string): Promise<void> {
  const gated = unwrap(await story.client.advanceUntilPause(thread, { type: "message", text }));
  unwrap(await story.client.advanceUntilPause(thread, approval(gated.thread.gate)));
}

test("changes in the fork do not affect the original thread", async () => {
  const { client, calendar } = story;
  const { thread } = unwrap(await client.create({ plan_approval: "auto" }));
  await run(thread.id, "Move the essay outline to day 4");
  const { turn } = unwrap(await client.get(thread.id)).thread;
  const forked = unwrap(await client.fork(thread.id, turn)).thread;
  expect(positionOf(await calendar(forked.id), 13)).toBe("4/1");

  await run(forked.id, "Move the essay outline to day 5");
  expect(positionOf(await calendar(forked.id), 13)).toBe("5/3");
  expect(positionOf(await calendar(thread.id), 13)).toBe("4/1");

  unwrap(await client.remove(forked.id));
  expect(await calendar(forked.id)).toBeNull();
  expect(await client.get(forked.id)).toMatchObject({ problem: { code: "thread_not_found" } });
  expect(positionOf(await calendar(thread.id), 13)).toBe("4/1");
});

test("a fork at an open confirmation has its own gate, and both can be approved", async () => {
  const { client, calendar } = story;
  const { thread } = unwrap(await client.create({ plan_approval: "auto", goal: "Move the essay outline to day 4" }));
  const gated = unwrap(await client.advanceUntilPause(thread.id)).thread;
  const forked = unwrap(await client.fork(thread.id, gated.turn)).thread;
  expect(forked.gate?.id).not.toBe(gated.gate?.id);
  expect(await client.advance(forked.id, approval(gated.gate))).toMatchObject({ problem: { code: "gate_closed" } });
  unwrap(await client.advance(forked.id, approval(forked.gate)));
  expect(await calendar(thread.id)).toBeNull();
  unwrap(await client.advance(thread.id, approval(gated.gate)));
  expect([positionOf(await calendar(thread.id), 13), positionOf(await calendar(forked.id), 13)]).toEqual([
    "4/1",
    "4/1",
  ]);
});

test("a thread created again under the same key starts with a new calendar", async () => {
  const { client, calendar } = story;
  const create = () => client.create({ plan_approval: "auto" }, { key: "my-semester" });
  const { thread } = unwrap(await create());
  await run(thread.id, "Move the essay outline to day 4");
  unwrap(await client.remove(thread.id));
  const again = unwrap(await create());
  expect(again.thread).toMatchObject({ id: thread.id, version: 0 });
  expect(await calendar(thread.id)).toBeNull();
});
