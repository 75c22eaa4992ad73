import { expect, test } from "vitest";
import { loadThread } from "../../../src/turn/load.ts";
import { createTestRuntime, problemCode, unwrap } from "../../support/runtime.ts";
import { BAD, createWorkflowThread, GOOD, PAIR, PUBLISHED, visits, WRITTEN } from "../../support/workflow.ts";

test("an ended workflow that is resumed has its whole budget again", async () => {
  const rt = createTestRuntime(visits(WRITTEN, GOOD, PUBLISHED, WRITTEN));
  const thread = await createWorkflowThread(rt, PAIR);
  for (;;) if (unwrap(await thread.turn()).outcome.next !== "advance") break;
  const ended = unwrap(await loadThread(rt, thread.at)).state;
  expect(ended.budget.used.turns).toBeGreaterThan(3);
  unwrap(await thread.turn({ type: "resume", supplement: "Once more." }));
  const { budget } = unwrap(await loadThread(rt, thread.at)).state;
  expect(budget).toEqual({ limit: ended.budget.limit, used: { turns: 0, tokens: 0, usd: 0, seconds: 0 } });
});

/** Creates a thread whose budget is exhausted. Two visits take four turns. */
async function exhaustedThread(...more: readonly string[]) {
  const rt = createTestRuntime(visits(WRITTEN, BAD, ...more));
  const thread = await createWorkflowThread(rt, PAIR, { budget: { turns: 4 } });
  for (;;) {
    const { outcome } = unwrap(await thread.turn());
    if (outcome.next !== "advance") return { rt, thread, view: outcome.thread };
  }
}

test.each([
  ["a resume", { type: "resume", supplement: "Be brief." }],
  ["a message", { type: "message", text: "Be brief." }],
] as const)(
  "%s continues the role of a workflow that used up its budget, if the budget is raised",
  async (_name, input) => {
    const { rt, thread, view } = await exhaustedThread(WRITTEN);
    expect(view).toMatchObject({
      outcome: "exhausted",
      workflow: { status: "suspended", current_role: "writer", count: 2 },
    });
    expect(problemCode(await thread.turn(input))).toBe("budget_exhausted");
    const { outcome } = unwrap(await thread.turn(input, { budget: { turns: 40 } }));
    expect(outcome.thread).toMatchObject({
      state: "execute",
      workflow: { status: "idle", current_role: "writer", count: 2 },
    });
    const next = async () => unwrap(await thread.turn()).outcome;
    expect((await next()).thread.workflow).toMatchObject({ status: "running" });
    expect(rt.model.requests.at(-1)?.messages[0]?.content).toContain("Be brief.");
    expect((await next()).thread.workflow).toMatchObject({ current_role: "reviewer", count: 3 });
  },
);

test("the newest step of a workflow that used up its budget is repeated, if the budget is raised", async () => {
  const { thread } = await exhaustedThread(GOOD);
  expect(problemCode(await thread.turn({ type: "poke", text: "Look again." }))).toBe("budget_exhausted");
  const { outcome } = unwrap(await thread.turn({ type: "poke", text: "Look again." }, { budget: { turns: 40 } }));
  expect(outcome.thread.workflow).toMatchObject({ current_role: "reviewer", count: 2 });
  unwrap(await thread.turn());
  expect(unwrap(await thread.turn()).outcome.thread.workflow?.steps.map(({ status }) => status)).toEqual([
    "written",
    "good",
  ]);
});
