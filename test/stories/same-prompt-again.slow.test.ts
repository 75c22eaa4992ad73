// The four messages of any turn can be shown later, letter by letter as the model got them, whatever came into the turn.
import { afterAll, expect, test } from "vitest";
import type { ModelMessage } from "../../src/ports/model.ts";
import type { TurnInput } from "../../src/schema/input.ts";
import { must } from "../support/runtime.ts";
import { approval, aStory, calls, isDone, rejection } from "../support/story.ts";

const plan = { action: "plan_done", plan_steps: [{ content: "Look", needs: "any" }] };
const ask = { question: "Which day?", choices: ["Monday"], expires_in_s: 60 };

const story = await aStory({
  script: [
    plan,
    plan,
    "no json",
    calls("clarify", ask),
    calls("query_range", { day: 1 }),
    calls("clarify", { ...ask, question: "And then?" }),
    calls("query_range", { day: 2 }),
    calls("unplace", { task_id: 13 }, "confirm"),
    calls("query_range", { day: 3 }),
    { action: "ask_user", speak: "Enough?" },
    isDone,
    "Done with the first.",
    { action: "answer", speak: "Hello again." },
  ],
});
afterAll(() => story.end());

test("a message, an answer, a silence, a rejection, a correction, a new run: every prompt comes out the same", async () => {
  const { client, clock, model } = story;
  const { thread } = must(await client.create({ goal: "Look around" }));
  const shown: ModelMessage[][] = [];
  const turn = async (input: TurnInput | null = null) => {
    const before = model.calls;
    const made = must(await client.advance(thread.id, input));
    if (model.calls === before) return made.thread.gate;
    const path = `/v1/threads/${thread.id}/turns/${made.thread.turn}/prompt`;
    const { messages } = must(await client.call<{ messages: ModelMessage[] }>("GET", path));
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
