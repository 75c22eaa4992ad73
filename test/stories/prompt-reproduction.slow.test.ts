// The four messages of any turn can be shown later exactly as the model received them, whatever input the turn had.
import { afterAll, expect, test } from "vitest";
import type { ModelMessage } from "../../src/ports/model.ts";
import type { TurnInput } from "../../src/schema/input.ts";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, doneDecision, rejection, startStory } from "../support/story.ts";

const plan = { action: "plan_done", plan_steps: [{ content: "Look", needs: "any" }] };
const ask = { question: "Which day?", choices: ["Monday"], expires_in_s: 60 };

const story = await startStory({
  script: [
    plan,
    plan,
    "no json",
    callTool("clarify", ask),
    callTool("query_range", { day: 1 }),
    callTool("clarify", { ...ask, question: "And then?" }),
    callTool("query_range", { day: 2 }),
    callTool("unplace", { task_id: 13 }, "confirm"),
    callTool("query_range", { day: 3 }),
    { action: "ask_user", speak: "Enough?" },
    doneDecision,
    "Done with the first.",
    { action: "answer", speak: "Hello again." },
  ],
});
afterAll(() => story.end());

test("after a message, an answer, a timeout, a rejection, a correction or a new run, every prompt is reproduced", async () => {
  const { client, clock, model } = story;
  const { thread } = unwrap(await client.create({ goal: "Look around" }));
  const shown: ModelMessage[][] = [];
  const turn = async (input: TurnInput | null = null) => {
    const before = model.calls;
    const made = unwrap(await client.advance(thread.id, input));
    if (model.calls === before) return made.thread.gate;
    const path = `/v1/threads/${thread.id}/turns/${made.thread.turn}/prompt`;
    const { messages } = unwrap(await client.call<{ messages: ModelMessage[] }>("GET", path));
    expect(messages).toEqual(model.requests.at(-1)?.messages);
    shown.push(messages);
    return made.thread.gate;
  };
  const answer = (gate: { id: string } | null, text: string) =>
    ({ type: "answer", gate_id: gate?.id ?? "", text }) as TurnInput;

  const first = await turn();
  await turn(rejection(first, "once more"));
  const second = await turn();
  await turn(approval(second));
  const question = await turn();
  await turn(answer(question, "Monday"));
  await turn({ type: "message", text: "Take your time" });
  clock.skip(61_000);
  await turn();
  const write = await turn();
  await turn(rejection(write, "leave it"));
  await turn();
  await turn(answer(await turn(), "Yes"));
  await turn();
  await turn({ type: "message", text: "Hello" });
  expect(shown).toHaveLength(12);
  model.assertSpent();
});
