// Tests what a fork costs on Durable Objects, where the rows are copied by calls that carry many blobs each.
import { expect, test } from "vitest";
import { forkThread } from "../../src/threads/fork.ts";
import { loadThread } from "../../src/turn/load.ts";
import { nodeReader, readSteps } from "../../src/turn/workflow/nodes-of-thread.ts";
import { openDurableObjects } from "../sim/stores/durable-object.ts";
import { createTestRuntime, unwrap } from "../support/runtime.ts";
import { BAD, createWorkflowThread, deliverable, PAIR, visits, WRITTEN } from "../support/workflow.ts";

test("a fork of a workflow reads and writes its blobs in few calls, and has every step", async () => {
  const calls: Record<string, number> = {};
  const objects = await openDurableObjects((method) => {
    calls[method] = (calls[method] ?? 0) + 1;
  });
  const [store] = objects.handles;
  if (!store) throw new Error("no store");
  const steps = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? WRITTEN : BAD));
  const large = deliverable({ $status: "written", title: "Long" }, "长".repeat(6_000));
  const rt = createTestRuntime(visits(...steps, large), [], { store });
  const thread = await createWorkflowThread(rt, PAIR);
  for (let turn = 1; turn <= 42; turn++) unwrap(await thread.turn());
  for (const method of Object.keys(calls)) delete calls[method];
  const fork = unwrap(await forkThread(rt, thread.at, 42)).thread;
  expect(calls).toMatchObject({ putBlobs: 1, stage: 1, publish: 1 });
  expect(calls.getBlobs).toBeLessThanOrEqual(5);
  const at = { ...thread.at, thread: fork.id };
  const { workflow } = unwrap(await loadThread(rt, at)).state;
  if (!workflow) throw new Error("no workflow");
  expect(unwrap(await readSteps(nodeReader(rt, at), workflow, () => false))).toHaveLength(21);
  await objects.close();
});
