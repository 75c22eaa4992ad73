// Tests a process that stops in the middle of a removal, for example a frozen function, and continues after another
// process has completed the removal and created the thread again.
import { describe, expect, test } from "vitest";
import type { Call } from "../../src/adapters/store-dynamodb/calls/calls.ts";
import { createSdkCalls } from "../../src/adapters/store-dynamodb/calls/sdk-calls.ts";
import { openDynamoStore } from "../../src/adapters/store-dynamodb/open-store.ts";
import { succeeded } from "../../src/testing/expect.ts";
import {
  createListed,
  createRecords,
  delivery,
  meta,
  record,
  threadAt,
} from "../../src/testing/thread-store/fixtures.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { createStepClock } from "../support/step-clock.ts";

const at = threadAt();
const TAKEN_OVER_MS = 61_000;

describe.runIf(hasDynamoServer())("a removal that continues late", () => {
  const server = useDynamoServer();

  test.each([
    ["before it reads what to delete", "Query", 2],
    ["before it writes tombstones", "BatchWriteItem", 1],
    ["before it deletes blobs and deliveries", "TransactWriteItems", 2],
    ["before it frees the id", "PutItem", 1],
  ])("%s deletes nothing of the thread that has the id now", async (_when, operation, n) => {
    const table = await server().table();
    const clock = createStepClock();
    const send = createSdkCalls(server().client());
    const reached = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    let count = 0;
    const call = (async (...args: Parameters<Call>) => {
      if (args[0] === operation) count += 1;
      if (args[0] === operation && count === n) {
        reached.resolve();
        await proceed.promise;
      }
      return send(...args);
    }) as Call;
    const frozen = openDynamoStore({ call, table, clock }).threads;
    const other = openDynamoStore({ call: send, table, clock }).threads;
    await createListed(other, 1);
    succeeded(await other.append(at, record(1), { outbox: [delivery(1, at)], blobs: [{ hash: "h1", text: "old" }] }));
    const removing = frozen.remove(at);
    await reached.promise;
    clock.advance(TAKEN_OVER_MS);
    succeeded(await other.create(at, record(0, { commit_id: "cmt_new" }), meta(1)));
    const extras = {
      outbox: [delivery(1, at), delivery(2, at)],
      blobs: ["h1", "h2"].map((hash) => ({ hash, text: "new" })),
    };
    succeeded(await other.append(at, record(1, { commit_id: "cmt_next" }), extras));
    proceed.resolve();
    await removing;
    const [reader] = [openDynamoStore({ call: send, table, clock }).threads];
    expect(succeeded(await reader.load(at, 1)).head.version).toBe(1);
    expect(succeeded(await reader.deliveries(at, 10)).map(({ id }) => id)).toEqual(extras.outbox.map(({ id }) => id));
    for (const { hash } of extras.blobs) expect(succeeded(await reader.getBlob(at, hash))).toBe("new");
  });

  test("with more rows than fit in one transaction is complete", async () => {
    const table = await server().table();
    const store = openDynamoStore({ call: createSdkCalls(server().client()), table, clock: createStepClock() }).threads;
    await createRecords(store, at, 3);
    for (let n = 0; n < 230; n += 1) succeeded(await store.putDelivery(delivery(n, at)));
    succeeded(await store.remove(at));
    expect(succeeded(await store.deliveries(at, 1_000))).toEqual([]);
  });
});
