import { expect, test } from "vitest";
import { forkThread } from "../../src/threads/fork.ts";
import { loadThread } from "../../src/turn/load.ts";
import { callTool } from "../support/decisions.ts";
import { attachTestThread, createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";
import { createWriteTool, look } from "../support/tools.ts";

test("a key that was used on the origin can be used again on its fork, but not on the origin", async () => {
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

test("a gate of the origin is another one on its fork: an approval is valid for one of them only", async () => {
  const ledger: string[] = [];
  const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool(ledger)]);
  const origin = await createTestThread(rt, { goal: "Write", mode: "direct" });
  const { gate } = unwrap(await origin.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("no gate");
  const { thread } = unwrap(await forkThread(rt, origin.at, 1));
  const fork = attachTestThread(rt, thread.id);
  const approve = { type: "confirm" as const, gate_id: gate.id, digest: gate.digest, decision: "approve" as const };
  expect(problemCode(await fork.turn(approve))).toBe("gate_closed");
  expect(thread.gate?.id).not.toBe(gate.id);
  expect(ledger).toEqual([]);
});
