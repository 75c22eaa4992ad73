// Tests what a worker keeps of the due deliveries that it has read.
import { describe, expect, test } from "vitest";
import { createDueBacklog } from "../../src/jobs/due-backlog.ts";
import { type DeliveryHandler, startWorker } from "../../src/jobs/worker.ts";
import type { Delivery } from "../../src/ports/thread-store.ts";
import { ok } from "../../src/schema/problem.ts";
import { createTestRuntime, createTestThread, type TestRuntime, unwrap } from "../support/runtime.ts";

const row = (n: number, tenant = "a"): Delivery =>
  ({ tenant, thread: `thr_${n}`, id: "wake", due_at: n, attempts: 0, body: "{}" }) as unknown as Delivery;
const threads = (due: readonly Delivery[]): readonly string[] => due.map(({ thread }) => thread.slice("thr_".length));

/** Creates a runtime that counts how often the due deliveries are read. */
function countingRuntime(rt: TestRuntime) {
  const counts = { reads: 0 };
  const dueDeliveries: TestRuntime["store"]["dueDeliveries"] = (now, limit) => {
    counts.reads += 1;
    return rt.store.dueDeliveries(now, limit);
  };
  return { counts, rt: { ...rt, store: { ...rt.store, dueDeliveries } } };
}

describe("the backlog", () => {
  const backlogOf = async (rows: readonly Delivery[], isStarted: (due: Delivery) => boolean = () => false) => {
    const rt = createTestRuntime([]);
    const dueDeliveries = async () => ok([...rows]);
    const backlog = createDueBacklog(
      { clock: rt.clock, store: { ...rt.store, dueDeliveries } },
      { concurrency: 2, ttl_ms: 100 },
    );
    expect(backlog.isFresh()).toBe(false);
    await backlog.read(isStarted);
    return { rt, backlog };
  };

  test("has the oldest of each tenant that are not started", async () => {
    const rows = [row(1), row(2), row(3), row(4), row(5, "b")];
    const { backlog } = await backlogOf(rows, ({ due_at }) => due_at === 1);
    expect(threads(backlog.next(0))).toEqual(["2", "3", "5"]);
    for (const one of backlog.next(0).slice(0, 2)) backlog.remove(one);
    expect(threads(backlog.next(0))).toEqual(["4", "5"]);
  });

  test("leaves some of the oldest to other workers and puts them last", async () => {
    const { backlog } = await backlogOf(Array.from({ length: 10 }, (_, n) => row(n)));
    expect(threads(backlog.next(0.5))).toEqual(["4", "5", "0", "1"]);
    expect(threads(backlog.next(1))).toEqual(["8", "9", "0", "1"]);
  });

  test("is used until its time has passed or it is known to be outdated", async () => {
    const { rt, backlog } = await backlogOf([row(1)]);
    rt.clock.advance(99);
    expect(backlog.isFresh()).toBe(true);
    rt.clock.advance(1);
    expect(backlog.isFresh()).toBe(false);
    await backlog.read(() => false);
    expect(backlog.isFresh()).toBe(true);
    backlog.expire();
    expect(backlog.isFresh()).toBe(false);
    const reading = backlog.read(() => false);
    backlog.expire();
    await reading;
    expect(backlog.isFresh()).toBe(false);
  });
});

describe("a worker with many due jobs", () => {
  const JOBS = 24;
  const finish =
    (rt: TestRuntime, begun: string[]): DeliveryHandler =>
    async (due) => {
      const settled = unwrap(await rt.store.settleDelivery(due, null));
      if (settled) begun.push(due.thread);
      await new Promise((resolve) => setImmediate(resolve));
      return { kind: settled ? "parked" : "not_acquired" };
    };

  async function runJobs(workers: number): Promise<{ begun: readonly string[]; reads: number }> {
    const { counts, rt } = countingRuntime(createTestRuntime([]));
    for (let n = 0; n < JOBS; n++) await createTestThread(rt, { goal: `Job ${n}`, mode: "direct", run: "background" });
    const begun: string[] = [];
    const wake = finish(rt, begun);
    const started = Array.from({ length: workers }, () =>
      startWorker(rt, {
        concurrency: 2,
        poll_ms: 1000,
        handlers: { wake, tick: wake, webhook: wake },
        onError: (_due, error) => expect.unreachable(String(error)),
      }),
    );
    for (let n = 0; n < 2_000 && begun.length < JOBS; n++) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(started.map((worker) => worker.drain()));
    return { begun, reads: counts.reads };
  }

  test("does not read them again whenever one ends", async () => {
    const { begun, reads } = await runJobs(1);
    expect(new Set(begun).size).toBe(JOBS);
    expect(reads).toBeLessThanOrEqual(4);
  });

  test("does each job once beside another worker", async () => {
    const { begun } = await runJobs(2);
    expect(begun).toHaveLength(JOBS);
    expect(new Set(begun).size).toBe(JOBS);
  });
});
