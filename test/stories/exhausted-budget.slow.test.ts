// The budget of a run is exhausted, so it stops and says so. With a higher budget it continues where it stopped.
import { afterAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { callTool, doneDecision, startStory } from "../support/story.ts";

const story = await startStory({
  script: [callTool("query_range", { day: 1 }), callTool("query_range", { day: 2 }), doneDecision, "Seen two days."],
});
afterAll(() => story.end());

test("an exhausted run stops, needs more budget to continue, and then finishes", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Look at two days", mode: "direct", budget: { turns: 2 } }));
  unwrap(await client.advance(thread.id));
  unwrap(await client.advance(thread.id));
  const stopped = unwrap(await client.advance(thread.id));
  expect(stopped).toMatchObject({ next: "none", thread: { state: "rest", outcome: "exhausted", evidence: "none" } });
  expect(stopped.turn?.speak).toContain("all 2 turns of this run are used");
  expect(story.model.calls).toBe(2);

  expect(await client.advance(thread.id)).toMatchObject({ problem: { code: "nothing_to_do" } });
  expect(await client.advance(thread.id, null, { budget: { turns: 2 } })).toMatchObject({
    problem: { code: "budget_exhausted" },
  });
  const resumed = unwrap(await client.advance(thread.id, null, { budget: { turns: 10 } }));
  expect(resumed.thread).toMatchObject({ state: "deliver", run: 1, outcome: null });
  expect(resumed.thread.proofs).toMatchObject([{ kind: "observation" }]);
  const delivered = unwrap(await client.advance(thread.id));
  expect(delivered.thread).toMatchObject({ outcome: "completed", evidence: "proven" });
});
