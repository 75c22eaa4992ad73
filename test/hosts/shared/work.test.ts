// Tests that the lease of a run grows with the deadline of a turn, so that no second worker takes over a turn in progress.
import { expect, test } from "vitest";
import { createWorkOn } from "../../../src/hosts/shared/work.ts";
import { done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

test("a run is leased for the deadline of a turn and the configured time, less at most a quarter", async () => {
  const until: number[] = [];
  const look = () => {
    void rt.store
      .deliveries(thread.at, 10, "wake")
      .then((rows) => until.push(...unwrap(rows).map(({ due_at }) => due_at - rt.clock.now())));
    return done;
  };
  const rt = createTestRuntime([look, "Done."]);
  const thread = await createTestThread(rt, { goal: "Go", mode: "direct", run: "background" });
  const [due] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 1));
  if (!due) throw new Error("the run is due");
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const jobs = { lease_ms: 1_000, slice_turns: 1 };
  const sendWebhook = async () => ({ kind: "gone" });
  await createWorkOn(rt, { owner: "one", jobs, emit: () => undefined, sendWebhook, log })(due);
  expect(until).toHaveLength(1);
  const longest = rt.config.turn_deadline_ms + jobs.lease_ms;
  expect(until[0]).toBeGreaterThan(longest * 0.75 - 1);
  expect(until[0]).toBeLessThanOrEqual(longest);
});
