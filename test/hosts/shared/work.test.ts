// Tests that the lease of a run grows with the deadline of a turn, so that no second worker takes over a turn in progress.
import { expect, test } from "vitest";
import { createWorkOn } from "../../../src/hosts/shared/work.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

/** Returns for how long a run is leased when its first turn asks the model. */
async function leaseOfTurn(turn_deadline_ms: number, lease_ms: number): Promise<number> {
  const until: number[] = [];
  const look = () => {
    void rt.store
      .deliveries(thread.at, 10, "wake")
      .then((rows) => until.push(...unwrap(rows).map(({ due_at }) => due_at - rt.clock.now())));
    return done;
  };
  const rt = createTestRuntime([look, "Done."], [], { config: { ...DEFAULT_CONFIG, turn_deadline_ms } });
  const thread = await createTestThread(rt, { goal: "Go", mode: "direct", run: "background" });
  const [due] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 1));
  if (!due) throw new Error("the run is due");
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const sendWebhook = async () => ({ kind: "gone" });
  const jobs = { lease_ms, slice_turns: 1 };
  await createWorkOn(rt, { owner: "one", jobs, emit: () => undefined, sendWebhook, log })(due);
  const [lease] = until;
  if (lease === undefined) throw new Error("the model was not asked");
  return lease;
}

test.each([
  [60_000, 1_000],
  [90_000, 30_000],
  [600_000, 30_000],
])(
  "a run with turns of up to %i ms is leased for that and the configured %i ms, less at most a quarter of those",
  async (deadline, lease_ms) => {
    // The lengths of leases are random.
    const leases = await Promise.all(Array.from({ length: 20 }, () => leaseOfTurn(deadline, lease_ms)));
    expect(Math.min(...leases)).toBeGreaterThanOrEqual(deadline + lease_ms * 0.75);
    expect(Math.max(...leases)).toBeLessThanOrEqual(deadline + lease_ms);
    expect(new Set(leases).size).toBeGreaterThan(1);
  },
);
