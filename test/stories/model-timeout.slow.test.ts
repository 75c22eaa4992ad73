// The model takes longer than a turn may: the request gets a deadline problem, nothing is stored, and the next one
// continues.
import { afterAll, beforeAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { callTool, type Story, startStory } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory({
    script: [callTool("list_tasks", {}), { delay: 60_000 }, callTool("evaluate", {})],
    config: { turn_deadline_ms: 400 },
  });
});
afterAll(() => story.end());

test("an exceeded deadline stores nothing, keeps earlier turns, and the thread continues", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Look around", mode: "direct" }));
  unwrap(await client.advance(thread.id));
  expect(await client.advance(thread.id, null, { key: "slow" })).toMatchObject({
    problem: { code: "turn_deadline", status: 504 },
  });
  const seen = unwrap(await client.get(thread.id));
  expect(seen).toMatchObject({ next: "advance", thread: { turn: 1, version: 1, state: "execute" } });
  expect(seen.thread.proofs).toMatchObject([{ kind: "observation" }]);

  const next = unwrap(await client.advance(thread.id, null, { key: "slow" }));
  expect(next).toMatchObject({ thread: { turn: 2 }, turn: { corrections: [], receipts: [{ name: "evaluate" }] } });
});
