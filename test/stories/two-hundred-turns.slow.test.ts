// After two hundred turns, the records, prompts and responses of a thread are no larger than those of a young one.
import { afterAll, expect, test } from "vitest";
import { LOCAL_TENANT, ThreadId } from "../../src/schema/ids.ts";
import { unwrap } from "../support/runtime.ts";
import { callTool, startStory } from "../support/story.ts";

const TURNS = 200;
function* looking() {
  for (let n = 0; n < TURNS; n++) yield callTool("query_range", { day: 1 + (n % 35) });
  yield { action: "done", goal_check: "every day was seen" };
  yield "I have looked at every day.";
}

const story = await startStory({ script: looking() });
afterAll(() => story.end());

const mean = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0) / sizes.length;

test("nothing grows with the age of the thread, and it is delivered as usual", async () => {
  const { client, rt, model } = story;
  const { thread } = unwrap(await client.create({ goal: "Look at every day", mode: "direct", budget: { turns: 300 } }));
  let result = unwrap(await client.advanceUntilPause(thread.id));
  for (let calls = 1; result.stopped === "max_turns" && calls < 20; calls++)
    result = unwrap(await client.advanceUntilPause(thread.id));
  expect(result.thread).toMatchObject({ state: "rest", outcome: "completed", evidence: "proven", turn: TURNS + 1 });

  const at = { tenant: LOCAL_TENANT, thread: ThreadId.parse(thread.id) };
  const rows = unwrap(await rt.store.records(at, { after: -1, limit: 300 }));
  const stored = rows.map((row) => row.entry.length + row.state.length);
  expect(mean(stored.slice(160, 195))).toBeLessThan(mean(stored.slice(40, 75)) * 1.05);

  const asked = model.requests.map(({ messages }) => mean(messages.map(({ content }) => content.length)));
  expect(mean(asked.slice(160, 195))).toBeLessThan(mean(asked.slice(40, 75)) * 1.05);

  const page = unwrap(
    await client.call<{ records: unknown[]; after: number | null }>("GET", `/v1/threads/${thread.id}/turns?limit=200`),
  );
  expect(page.records).toHaveLength(200);
  expect(page.after).toBe(199);
});
