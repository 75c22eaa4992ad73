// Tests that one tenant who adds thousands of jobs hardly delays the others.
import { describe, expect, test } from "vitest";
import { createFairQueue, orderFairly } from "../../src/jobs/fair-queue.ts";
import { type DeliveryHandler, startWorker } from "../../src/jobs/worker.ts";
import type { Delivery } from "../../src/ports/thread-store.ts";
import { TenantId } from "../../src/schema/ids.ts";
import { createThread } from "../../src/threads/create.ts";
import { createTestRuntime, type TestRuntime, unwrap } from "../support/runtime.ts";

const row = (tenant: string, n: number, id = "wake"): Delivery =>
  ({ tenant, thread: `thr_${n}`, id, due_at: n, attempts: 0, body: "{}" }) as unknown as Delivery;
const tenants = (due: readonly Delivery[]): string => due.map(({ tenant }) => tenant).join("");

describe("the order of due deliveries", () => {
  test("takes one of each tenant in turn, oldest first", () => {
    const due = ["a", "a", "a", "b", "a", "c"].map((tenant, n) => row(tenant, n));
    expect(tenants(orderFairly(due))).toBe("abcaaa");
  });

  test("puts a tenant with much work in progress behind the others", () => {
    const due = ["a", "a", "b"].map((tenant, n) => row(tenant, n));
    expect(tenants(createFairQueue().order(due, [row("a", 7), row("a", 8)]))).toBe("baa");
  });

  test("alternates even if capacity becomes free one by one", () => {
    const turns = createFairQueue();
    let due = ["a", "a", "a", "a", "b", "b"].map((tenant, n) => row(tenant, n));
    const begun: Delivery[] = [];
    while (due.length > 0) {
      const [next] = turns.order(due, []);
      if (!next) break;
      turns.markServed(next);
      begun.push(next);
      due = due.filter((one) => one !== next);
    }
    expect(tenants(begun)).toBe("ababaa");
  });

  test("counts webhooks separately from runs", () => {
    const due = [row("a", 1), row("b", 2)];
    expect(tenants(createFairQueue().order(due, [row("a", 7, "dlv_1"), row("a", 8, "dlv_2")]))).toBe("ab");
  });
});

async function jobsOf(rt: TestRuntime, tenant: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    unwrap(
      await createThread(rt, {
        tenant: TenantId.parse(tenant),
        actor: "tester",
        input: { goal: `Job ${n}`, mode: "direct", run: "background" },
        key: null,
      }),
    );
}

test("serves a tenant with few jobs between the thousands of another", async () => {
  const rt = createTestRuntime([]);
  await jobsOf(rt, "greedy", 1200);
  rt.clock.advance(1);
  await jobsOf(rt, "small", 5);
  const begun: string[] = [];
  const wake: DeliveryHandler = async (due) => {
    unwrap(await rt.store.settleDelivery(due, null));
    begun.push(due.tenant);
    await new Promise((resolve) => setImmediate(resolve));
    return { kind: "parked" };
  };
  const none: DeliveryHandler = async () => ({ kind: "not_acquired" });
  const bugs: unknown[] = [];
  const worker = startWorker(rt, {
    concurrency: 2,
    poll_ms: 1000,
    handlers: { wake, tick: none, webhook: none },
    onError: (_due, error) => void bugs.push(error),
  });
  while (begun.length < 40) await new Promise((resolve) => setImmediate(resolve));
  await worker.drain();
  expect(bugs).toEqual([]);
  // Every second slot is theirs until they have no jobs left.
  expect(begun.slice(0, 12).filter((tenant) => tenant === "small")).toHaveLength(5);
});
