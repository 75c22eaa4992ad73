import { expect, test } from "vitest";
import { loadThread } from "../../../src/turn/load.ts";
import { nodeReader } from "../../../src/turn/workflow/nodes-of-thread.ts";
import { listVisits } from "../../../src/turn/workflow/visits.ts";
import { createTestRuntime, type TestThread, unwrap } from "../../support/runtime.ts";
import { ASKED, createWorkflowThread, PAIR, visits, WRITTEN } from "../../support/workflow.ts";

type TestRuntime = ReturnType<typeof createTestRuntime>;

async function linesOf(rt: TestRuntime, thread: TestThread, role: string | null = null) {
  const { state } = unwrap(await loadThread(rt, thread.at));
  const { workflow } = state;
  if (!workflow) throw new Error("no workflow");
  const query = { role, offset: 0, limit: 100 };
  const listed = unwrap(await listVisits(nodeReader(rt, thread.at), { ...state, workflow }, query));
  return listed.visits.map(({ role: by, status, turns }) => [by, status, turns.map(({ turn }) => turn)]);
}

test("each visit has its own turns, and the one in progress is the last", async () => {
  const rt = createTestRuntime(visits(WRITTEN, "unused"));
  const thread = await createWorkflowThread(rt, PAIR);
  for (let i = 0; i < 3; i += 1) unwrap(await thread.turn());
  const all = [
    ["writer", "written", [1, 2]],
    ["reviewer", null, [3]],
  ];
  expect(await linesOf(rt, thread)).toEqual(all);
  expect(await linesOf(rt, thread, "writer")).toEqual(all.slice(0, 1));
});

test("a visit that waits for a person is not in progress", async () => {
  const rt = createTestRuntime(visits(ASKED));
  const thread = await createWorkflowThread(rt, PAIR);
  for (let i = 0; i < 2; i += 1) unwrap(await thread.turn());
  expect(await linesOf(rt, thread)).toEqual([["writer", "$SUSPEND", [1, 2]]]);
});

test("the attempts that a role failed at are not those of the next role", async () => {
  const [done] = visits(WRITTEN);
  const bad = { reply: "No frontmatter.", expect: { purpose: "deliver" as const } };
  const rt = createTestRuntime([...(done ? [done] : []), bad, bad, bad, ...visits(WRITTEN)]);
  const thread = await createWorkflowThread(rt, PAIR);
  const attempts = async () => unwrap(await loadThread(rt, thread.at)).state.workflow?.attempts.length;
  for (let i = 0; i < 2; i += 1) unwrap(await thread.turn());
  unwrap(await thread.turn({ type: "resume", supplement: "Mind the format." }));
  expect(await attempts()).toBe(1);
  for (let i = 0; i < 2; i += 1) unwrap(await thread.turn());
  expect(await attempts()).toBe(0);
});
