import { describe, expect, test } from "vitest";
import { createApp } from "../../../src/http/app.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { fail } from "../../../src/schema/problem.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";

const broken = async () => fail("store_unavailable", "The disk is full.", { retry_after_s: 2 });

function aServerOn(change: (store: ThreadStore) => Partial<ThreadStore> = () => ({})) {
  const plain = createTestRuntime([]);
  let writes = 0;
  const putDelivery: ThreadStore["putDelivery"] = (row) => {
    writes += 1;
    return plain.store.putDelivery(row);
  };
  const rt = { ...plain, store: { ...plain.store, putDelivery, ...change(plain.store) } };
  const app = createApp(testSettings(rt));
  const ready = async () => (await app.request("/readyz", { headers: { host: "127.0.0.1" } })).status;
  return { rt, ready, writes: () => writes };
}

describe("readyz", () => {
  test("is 200 if the store reads and writes, and leaves nothing that is listed or due", async () => {
    const { rt, ready } = aServerOn();
    expect(await ready()).toBe(200);
    expect(unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 }))).toEqual([]);
    expect(unwrap(await rt.store.dueDeliveries(Number.MAX_SAFE_INTEGER, 10))).toEqual([]);
  });

  test.each([
    ["reads nothing", { list: broken }],
    ["takes no new document", { create: broken }],
    ["takes no row", { putDelivery: broken }],
    ["gives no row back", { settleDelivery: broken }],
  ])("is 503 where the store %s", async (_title, methods) => {
    expect(await aServerOn(() => methods).ready()).toBe(503);
  });

  test("writes once for all requests within a few seconds, also after the clock was set back", async () => {
    const { rt, ready, writes } = aServerOn();
    await Promise.all([ready(), ready(), ready()]);
    const before = writes();
    expect(await ready()).toBe(200);
    expect(writes()).toBe(before);
    rt.clock.advance(5_000);
    await ready();
    expect(writes()).toBe(before + 1);
    rt.clock.advance(-3_600_000);
    await ready();
    expect(writes()).toBe(before + 2);
  });
});
