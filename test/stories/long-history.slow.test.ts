// After sixty turns, the prompt stays within its limits, keeps the newest observation of each call, and counts the
// rest.
import { afterAll, beforeAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { callTool, type Story, startStory } from "../support/story.ts";

const TURNS = 60;
function* looking() {
  for (let n = 0; ; n++)
    yield n % 5 === 0
      ? callTool("evaluate", { day_end: 35 - (n % 7) })
      : callTool("query_range", { day: 1 + (n % 35) });
}

let story: Story;
beforeAll(async () => {
  story = await startStory({ script: looking() });
});
afterAll(() => story.end());

const sizeOf = (n: number): number =>
  story.model.requests[n]?.messages.reduce((sum, message) => sum + message.content.length, 0) ?? 0;

test("the prompt of turn 60 is no larger than that of turn 20 and contains everything recent", async () => {
  const { client } = story;
  const { thread } = unwrap(
    await client.create({ goal: "Look at everything", mode: "direct", budget: { turns: 100 } }),
  );
  for (let n = 0; n < TURNS; n += 20) {
    expect(unwrap(await client.advanceUntilPause(thread.id)).stopped).toBe("max_turns");
  }
  const prompt = unwrap(
    await client.call<{ messages: { content: string }[] }>("GET", `/v1/threads/${thread.id}/turns/${TURNS}/prompt`),
  );
  expect(prompt.messages.map(({ content }) => content)).toEqual(
    story.model.requests.at(-1)?.messages.map(({ content }) => content),
  );
  const [, dialogue = "", record = ""] = prompt.messages.map(({ content }) => content);
  expect(dialogue).toContain("Goal of this run: Look at everything");
  expect(record).toMatch(/<observation of="evaluate"/);
  expect(record).toMatch(/<observation of="query_range"/);
  expect(record).toContain('call: query_range {"day":24}');
  expect(record).toMatch(/Older calls, only counted: evaluate ×\d+, query_range ×\d+/);
  expect(sizeOf(TURNS - 1)).toBeLessThan(sizeOf(20) * 1.15);
});
