// A question expires: a late answer is refused, and the next request continues with the question's default.
import { afterAll, describe, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { callTool, startStory } from "../support/story.ts";

const abort = { action: "abort", abort: { user_message: "Nobody told me the day, so nothing was planned." } };
const ask = { question: "Which day?", choices: ["Monday", "Tuesday"], expires_in_s: 60 };

describe.each([
  ["without a default", {}, "The user did not answer in time."],
  ["with a default", { default: "Monday" }, "Go on with the default: Monday"],
])("a question that expires %s", async (_name, more, expected) => {
  const story = await startStory({
    script: [callTool("clarify", { ...ask, ...more }), { reply: abort, expect: { contains: expected } }],
  });
  afterAll(() => story.end());

  test("the next request without input informs the model, which continues", async () => {
    const { client, clock } = story;
    const { thread } = unwrap(await client.create({ goal: "Plan the review", mode: "direct" }));
    const asked = unwrap(await client.advance(thread.id));
    const gate_id = asked.thread.gate?.id;
    if (!gate_id) throw new Error("no question");
    expect(await client.advance(thread.id)).toMatchObject({ problem: { code: "gate_open" } });
    expect(unwrap(await client.gates()).gates).toMatchObject([{ thread: thread.id, gate: { id: gate_id } }]);

    clock.skip(61_000);
    expect(await client.advance(thread.id, { type: "answer", gate_id, choice: "Monday" })).toMatchObject({
      problem: { code: "gate_expired", status: 409, details: { next: "advance" } },
    });
    expect(unwrap(await client.get(thread.id))).toMatchObject({
      thread: { version: asked.thread.version },
      next: "advance",
    });
    expect(unwrap(await client.gates()).gates).toEqual([]);

    const continued = unwrap(await client.advance(thread.id));
    expect(continued).toMatchObject({ next: "none", thread: { outcome: "aborted", gate: null } });
    story.model.assertSpent();
  });
});
