// Tests visits that are repeated after a suspension, a failed attempt, or a poke.
import { expect, test } from "vitest";
import { loadThread } from "../../../src/turn/load.ts";
import { nodeReader, readStep } from "../../../src/turn/workflow/nodes-of-thread.ts";
import { createTestRuntime, type TestThread, unwrap } from "../../support/runtime.ts";
import { ASKED, BAD, createWorkflowThread, deliverable, PAIR, visits, WRITTEN } from "../../support/workflow.ts";

type TestRuntime = ReturnType<typeof createTestRuntime>;

async function turns(thread: TestThread, count: number) {
  for (let i = 0; i < count; i++) unwrap(await thread.turn());
}

const workflowOf = async (rt: TestRuntime, { at }: TestThread) => {
  const { workflow } = unwrap(await loadThread(rt, at)).state;
  if (!workflow) throw new Error("no workflow");
  return workflow;
};

const systemOf = (rt: TestRuntime) => rt.model.requests.at(-1)?.messages[0]?.content ?? "";
const DONE = { action: "done", goal_check: "ok" };
const PROSE = "No frontmatter.";

test("a role that suspended on its first visit gets the earlier steps in its prompt again", async () => {
  const rt = createTestRuntime(visits(WRITTEN, ASKED, BAD));
  const thread = await createWorkflowThread(rt, PAIR);
  await turns(thread, 4);
  unwrap(await thread.turn({ type: "resume", supplement: "For children." }));
  await turns(thread, 1);
  expect(systemOf(rt)).toContain("Earlier visits of this role: 0.");
  expect(systemOf(rt)).toContain("### Step 1: writer");
  expect(systemOf(rt)).toContain("A sentence.");
  await turns(thread, 1);
  expect(await workflowOf(rt, thread)).toMatchObject({ count: 3, visits: { reviewer: { times: 1, last: 3 } } });
});

test("a role that suspends twice in a row is asked and answered twice", async () => {
  const rt = createTestRuntime(visits(ASKED, ASKED, WRITTEN));
  const thread = await createWorkflowThread(rt, PAIR);
  for (const supplement of ["For children.", "Small ones."]) {
    await turns(thread, 2);
    unwrap(await thread.turn({ type: "resume", supplement }));
  }
  await turns(thread, 2);
  const { count, visits: counted, steps } = await workflowOf(rt, thread);
  expect({ count, counted, statuses: steps.map(({ status }) => status) }).toEqual({
    count: 3,
    counted: { writer: { times: 1, last: 3 } },
    statuses: ["$SUSPEND", "$SUSPEND", "written"],
  });
});

test("a suspended second visit that is poked counts once", async () => {
  const rt = createTestRuntime(visits(WRITTEN, BAD, ASKED, WRITTEN));
  const thread = await createWorkflowThread(rt, PAIR);
  await turns(thread, 6);
  unwrap(await thread.turn({ type: "poke", text: "Decide yourself." }));
  await turns(thread, 2);
  expect(await workflowOf(rt, thread)).toMatchObject({ count: 3, visits: { writer: { times: 2, last: 3 } } });
});

test("a poked step does not list the failed attempts of the role that would have been next", async () => {
  const rt = createTestRuntime([...visits(WRITTEN), DONE, PROSE, PROSE, PROSE, ...visits(WRITTEN)]);
  const thread = await createWorkflowThread(rt, PAIR);
  await turns(thread, 4);
  expect((await workflowOf(rt, thread)).attempts).toHaveLength(1);
  unwrap(await thread.turn({ type: "poke", text: "Mention the wind." }));
  await turns(thread, 2);
  const { head_blob } = await workflowOf(rt, thread);
  const head = unwrap(await readStep(nodeReader(rt, thread.at), head_blob));
  expect(head).toMatchObject({ role: "writer", n: 1, attempts: [] });
});

test("a failed attempt to replace a step has the number of that step, and the next attempt replaces it", async () => {
  const rt = createTestRuntime([...visits(WRITTEN), DONE, PROSE, PROSE, PROSE, ...visits(WRITTEN)]);
  const thread = await createWorkflowThread(rt, PAIR);
  await turns(thread, 2);
  unwrap(await thread.turn({ type: "poke", text: "Mention the wind." }));
  await turns(thread, 2);
  expect(systemOf(rt)).toContain(`Thread ${thread.at.thread}, step 1.`);
  const [attempt] = (await workflowOf(rt, thread)).attempts;
  const read = nodeReader(rt, thread.at);
  expect(unwrap(await readStep(read, attempt?.step_blob ?? ""))).toMatchObject({ n: 1, prev: null, role: "writer" });
  unwrap(await thread.turn({ type: "resume", supplement: "Mind the format." }));
  await turns(thread, 2);
  const { count, head_blob } = await workflowOf(rt, thread);
  expect(count).toBe(1);
  expect(unwrap(await readStep(read, head_blob))).toMatchObject({ n: 1, prev: null, attempts: [attempt?.step_blob] });
});

test("a field that no template can use is corrected instead of failing the turn", async () => {
  const properties = { $status: { const: "written" }, title: {} };
  const roles = { ...PAIR.roles, writer: { ...PAIR.roles.writer, frontmatter: { properties } } } as typeof PAIR.roles;
  const nan = "---\n$status: written\ntitle: .nan\n---\n";
  const rt = createTestRuntime([DONE, nan, WRITTEN]);
  const thread = await createWorkflowThread(rt, { ...PAIR, roles });
  await turns(thread, 2);
  expect(await workflowOf(rt, thread)).toMatchObject({ count: 1, role: "reviewer" });
});

test("corrections of a deliverable stay within the budget", async () => {
  const long = "x".repeat(400_000);
  const rt = createTestRuntime([DONE, long, deliverable({ $status: "written", title: "Late" })]);
  const thread = await createWorkflowThread(rt, PAIR, { budget: { tokens: 100_000 } });
  await turns(thread, 2);
  expect(rt.model.calls).toBe(2);
  expect(unwrap(await loadThread(rt, thread.at)).state.machine).toMatchObject({ state: "rest", outcome: "exhausted" });
});

test("a repeated visit keeps its folder and gets its first instruction again", async () => {
  const written = { role: "reviewer", prompt: "Review {{ title }}: {{ _body }}", location: "drafts/{{ title }}" };
  const workflow = { ...PAIR, graph: { ...PAIR.graph, writer: { written } } };
  const rt = createTestRuntime([...visits(WRITTEN, ASKED, ASKED), DONE, PROSE, PROSE, PROSE, ...visits(BAD, BAD)]);
  const thread = await createWorkflowThread(rt, workflow, { budget: { turns: 100 } });
  const expected = "## Folder\ndrafts/One\n\n## Earlier instruction\nReview One: A sentence.\n\n## Instruction\n";
  await turns(thread, 4);
  for (const supplement of ["For children.", "Small ones.", "Mind the format."]) {
    unwrap(await thread.turn({ type: "resume", supplement }));
    await turns(thread, 2);
    expect(systemOf(rt)).toContain(expected);
  }
  unwrap(await thread.turn({ type: "poke", text: "Be kind." }));
  await turns(thread, 1);
  expect(systemOf(rt)).toContain(`${expected}Be kind.`);
});
