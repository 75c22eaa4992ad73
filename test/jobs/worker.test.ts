import { describe, expect, test, vi } from "vitest";
import { withPollOnWrite } from "../../src/hosts/shared/host-worker.ts";
import { concurrencyLane, deliveryKind } from "../../src/jobs/delivery-kind.ts";
import { type DeliveryHandler, selectRunnable, startWorker } from "../../src/jobs/worker.ts";
import type { Delivery } from "../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { createTestRuntime, createTestThread, type TestRuntime, unwrap } from "../support/runtime.ts";

const row = (id: string, n: number, webhook = "whk_a"): Delivery =>
  ({
    tenant: LOCAL_TENANT,
    thread: `thr_${n}`,
    id,
    due_at: n,
    attempts: 0,
    body: id === "wake" ? "{}" : JSON.stringify({ kind: "webhook", webhook }),
  }) as unknown as Delivery;

describe("lanes", () => {
  test("the id of a delivery determines its kind, and webhooks of one endpoint share a lane", () => {
    expect(["wake", "tick", "dlv_1"].map((id) => deliveryKind(row(id, 1)))).toEqual(["wake", "tick", "webhook"]);
    expect(concurrencyLane(row("dlv_1", 1))).toBe(concurrencyLane(row("dlv_2", 2)));
    expect(concurrencyLane(row("dlv_1", 1, "whk_b"))).not.toBe(concurrencyLane(row("dlv_2", 2)));
    expect(concurrencyLane(row("wake", 1))).toBe(concurrencyLane(row("tick", 2)));
  });

  test("an endpoint that hangs blocks neither runs nor other endpoints", () => {
    const hanging = [row("dlv_1", 1), row("dlv_2", 2)];
    const due = [row("dlv_3", 3), row("dlv_4", 4, "whk_b"), row("wake", 5), row("wake", 6), row("wake", 7)];
    expect(selectRunnable(due, hanging, 3).map(({ thread }) => thread)).toEqual(["thr_4", "thr_5", "thr_6", "thr_7"]);
  });

  test("starts no more concurrent runs than allowed", () => {
    const due = [1, 2, 3, 4, 5].map((n) => row("wake", n));
    expect(selectRunnable(due, [row("wake", 9)], 3)).toHaveLength(2);
  });
});

/** Creates a worker whose handlers finish when the test says so. */
async function aBench(threads: number, concurrency: number) {
  const rt = createTestRuntime([]);
  for (let n = 0; n < threads; n++) await createTestThread(rt, { goal: `Job ${n}`, mode: "direct", run: "background" });
  const atWork: (() => void)[] = [];
  let most = 0;
  let running = 0;
  let begun = 0;
  const wake: DeliveryHandler = async (due) => {
    unwrap(await rt.store.settleDelivery(due, null));
    begun += 1;
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => atWork.push(resolve));
    running -= 1;
    return { kind: "parked" };
  };
  const bugs: unknown[] = [];
  const none: DeliveryHandler = async () => ({ kind: "not_acquired" });
  const worker = startWorker(rt, {
    concurrency,
    poll_ms: 1000,
    handlers: { wake, tick: none, webhook: none },
    onError: (_due, error) => void bugs.push(error),
  });
  const facts = () => ({ begun, most, running });
  const finishAll = async (): Promise<void> => {
    for (let n = 0; n < 100 && (running > 0 || begun < threads); n++) {
      for (const end of atWork.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { rt, worker, facts, finishAll, bugs };
}

describe("a worker", () => {
  test("handles all due deliveries, never more concurrently than allowed", async () => {
    const { worker, facts, finishAll } = await aBench(20, 3);
    await finishAll();
    expect(facts()).toEqual({ begun: 20, most: 3, running: 0 });
    await worker.drain();
  });

  test("starts nothing more when it is stopped, and waits for work in progress", async () => {
    const { worker, facts, finishAll } = await aBench(5, 2);
    await vi.waitFor(() => expect(facts().running).toBe(2));
    let drained = false;
    const draining = worker.drain().then(() => {
      drained = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(drained).toBe(false);
    await finishAll();
    await draining;
    expect(facts()).toMatchObject({ begun: 2, running: 0 });
  });

  test("polls at its interval, and immediately on pollNow", async () => {
    const { rt, worker, facts } = await aBench(0, 2);
    await new Promise((resolve) => setImmediate(resolve));
    await createTestThread(rt, { goal: "Late", mode: "direct", run: "background" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(facts().begun).toBe(0);
    rt.clock.advance(1000);
    await vi.waitFor(() => expect(facts().begun).toBe(1));
    await createTestThread(rt, { goal: "Later", mode: "direct", run: "background" });
    worker.pollNow();
    await vi.waitFor(() => expect(facts().begun).toBe(2));
  });

  test("reports an exception of a handler, continues with the others, and does not retry it in a busy loop", async () => {
    const rt = createTestRuntime([]);
    for (let n = 0; n < 3; n++) await createTestThread(rt, { goal: `Job ${n}`, mode: "direct", run: "background" });
    let tries = 0;
    const wake: DeliveryHandler = async () => {
      tries += 1;
      throw new Error("out of order");
    };
    const bugs: unknown[] = [];
    const options = {
      concurrency: 2,
      poll_ms: 1000,
      onError: (_due: Delivery, error: unknown) => void bugs.push(error),
    };
    const worker = startWorker(rt, { ...options, handlers: { wake, tick: wake, webhook: wake } });
    for (let n = 0; n < 200; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(bugs).toHaveLength(tries);
    expect(tries).toBeGreaterThanOrEqual(3);
    expect(tries).toBeLessThan(40);
    await worker.drain();
  });
});

test("a store notifies the worker when a delivery was added, and only then", async () => {
  const rt: TestRuntime = createTestRuntime([{ action: "answer", speak: "Hello." }]);
  let polls = 0;
  const notifying: Runtime = { ...rt, store: withPollOnWrite(rt.store, () => (polls += 1)) };
  const plain = await createTestThread(notifying, { goal: "Look" });
  unwrap(await plain.turn());
  expect(polls).toBe(0);
  await createTestThread(notifying, { goal: "Look", run: "background" });
  expect(polls).toBe(1);
});
