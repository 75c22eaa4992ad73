// A parent delegates to three sub-agents: one looks something up, one needs a user and hands its task back, and one
// waits for an approval.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelRequest } from "../../src/ports/model.ts";
import type { Entry } from "../../src/schema/record.ts";
import type { ThreadView } from "../../src/schema/turn-result.ts";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, doneDecision, type Story, startStory } from "../support/story.ts";

const TASKS = [{ task: "Tell the time" }, { task: "Choose a color" }, { task: "Write the note", roots: ["."] }];
const NOTE = { path: "note.txt", content: "written once\n" };

/** Decides by the goal of the thread and the number of its observations. */
function decide(goal: string, seen: number): Record<string, unknown> {
  if (goal === "Choose a color") return { action: "ask_user", speak: "Which color?", question: "Which color?" };
  if (seen > 0) return doneDecision;
  if (goal === "Tell the time") return callTool("time", {});
  if (goal === "Write the note") return callTool("write_file", NOTE, "confirm");
  return callTool("delegate_parallel", { tasks: TASKS });
}

function reply({ messages, purpose }: ModelRequest): string | Record<string, unknown> {
  const [, dialogue = "", record = ""] = messages.map(({ content }) => content);
  const goal = /Goal of this run: (.*)/.exec(dialogue)?.[1] ?? "";
  const seen = record.match(/^<observation /gm)?.length ?? 0;
  return purpose === "deliver" ? `Delivered: ${goal}` : decide(goal, seen);
}

let story: Story;
beforeAll(async () => {
  const script = (function* () {
    for (;;) yield { reply };
  })();
  story = await startStory({ script });
});
afterAll(() => story.end());

/**
 * Advances until the condition holds. Requests of the parent advance its children if there is no worker; otherwise they
 * only read.
 */
async function advanceUntil(
  thread: string,
  reached: (view: ThreadView) => Promise<boolean> | boolean,
): Promise<ThreadView> {
  for (let i = 0; i < 200; i += 1) {
    const view = unwrap(await story.client.get(thread)).thread;
    if (await reached(view)) return view;
    const advanced = await story.client.advance(thread);
    if (
      !advanced.ok &&
      !["thread_moved", "thread_busy", "turn_running", "nothing_to_do"].includes(advanced.problem.code)
    )
      unwrap(advanced);
    if (i > 20) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the parent did not get there");
}

const gatesOf = async (parent: string) => {
  const { gates } = unwrap(await story.client.gates());
  return gates.filter((one) => "on_behalf_of" in one && one.on_behalf_of === parent);
};

test("their results are the result of the call, each child exists once, and an approval is given to the child", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Parent", mode: "direct", toolkits: ["crew", "files"] }));
  const waiting = await advanceUntil(thread.id, async () => (await gatesOf(thread.id)).length === 1);
  expect(waiting.children).toHaveLength(3);
  const [open] = await gatesOf(thread.id);
  if (!open) throw new Error("no gate");
  expect(open.goal).toBe("Write the note");
  unwrap(await client.advance(open.thread, approval(open.gate)));
  const end = await advanceUntil(thread.id, ({ state }) => state === "rest");
  expect(end).toMatchObject({ outcome: "completed" });

  const { records } = unwrap(await client.call<{ records: Entry[] }>("GET", `/v1/threads/${thread.id}/turns`));
  const settled = records.findLast(({ observation }) => observation?.raw)?.observation?.raw;
  const { children } = settled as { children: { outcome: string; summary: string }[] };
  expect(children.map(({ outcome }) => outcome)).toEqual(["completed", "escalated", "completed"]);
  expect(children[1]?.summary).toContain("Which color?");
  const { threads } = unwrap(await client.list({ limit: 50 }));
  expect(threads).toHaveLength(4);
});

test("cancelling the parent cancels a child that waits for a person", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Parent again", mode: "direct", toolkits: ["crew", "files"] }));
  await advanceUntil(thread.id, async () => (await gatesOf(thread.id)).length === 1);
  const [open] = await gatesOf(thread.id);
  if (!open) throw new Error("no gate");
  unwrap(await client.advance(thread.id, { type: "cancel" }));
  await advanceUntil(thread.id, async () => unwrap(await client.get(open.thread)).thread.state === "rest");
  expect(unwrap(await client.get(open.thread)).thread).toMatchObject({ outcome: "cancelled", gate: null });
  expect(await gatesOf(thread.id)).toEqual([]);
  const late = await client.advance(open.thread, { type: "message", text: "Write it after all." });
  expect(late).toMatchObject({ ok: false, problem: { code: "sub_agent_refused", details: { parent: thread.id } } });
});
