import { expect, test } from "vitest";
import { loadThread } from "../../../src/turn/load.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { createWorkflowThread, GOOD, PAIR, PUBLISHED, visits, WRITTEN } from "../../support/workflow.ts";

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
