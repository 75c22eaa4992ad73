import { expect, test } from "vitest";
import { forkThread } from "../../src/threads/fork.ts";
import { loadThread } from "../../src/turn/load.ts";
import { callTool } from "../support/decisions.ts";
import { attachTestThread, createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { look } from "../support/tools.ts";

test("a key that was used on the origin is a new one on its fork, and stays a known one on the origin", async () => {
  const rt = createTestRuntime([callTool("look", { at: "desk" }), callTool("look", { at: "bed" })], [look]);
  const origin = await createTestThread(rt, { goal: "Look", mode: "direct" });
  const key = { hash: "a".repeat(18), body: "b".repeat(32) };
  const first = unwrap(await origin.turn(null, { key }));
  const { thread } = unwrap(await forkThread(rt, origin.at, 1));
  expect(unwrap(await loadThread(rt, origin.at)).state.key_ring).toHaveLength(1);
  expect(unwrap(await loadThread(rt, { ...origin.at, thread: thread.id })).state.key_ring).toEqual([]);
  const onFork = unwrap(await attachTestThread(rt, thread.id).turn(null, { key }));
  expect([onFork.replayed, onFork.outcome.turn?.number]).toEqual([false, 2]);
  const again = unwrap(await origin.turn(null, { key }));
  expect([again.replayed, again.outcome]).toEqual([true, first.outcome]);
});
