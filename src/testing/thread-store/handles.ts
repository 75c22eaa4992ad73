// Cases for several handles on the same data, and for data that outlives its handles.
import { equal, failedWith, succeeded } from "../expect.ts";
import { onHandles } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import {
  ACME,
  appendWithMeta,
  createListed,
  createRecords,
  delivery,
  headVersion,
  MUCH_LATER,
  meta,
  record,
  threadAt,
} from "./fixtures.ts";

const at = threadAt();

export const handleCases: readonly ContractCase[] = [
  onHandles("a second handle sees every acknowledged write immediately", async (open) => {
    const [writer, reader] = [await open(), await open()];
    await createRecords(writer, at, 1);
    for (let version = 1; version <= 20; version += 1) {
      succeeded(await writer.append(at, record(version)));
      equal(await headVersion(reader, at), version);
    }
  }),
  onHandles("a second handle sees blobs, meta rows and deliveries", async (open) => {
    const [writer, reader] = [await open(), await open()];
    await createListed(writer, 1);
    succeeded(await writer.append(at, record(1), { outbox: [delivery(1, at)] }));
    succeeded(await writer.putBlob(at, "h1", "one"));
    equal(succeeded(await reader.list(ACME, { limit: 10 })), [meta(1)]);
    equal(succeeded(await reader.dueDeliveries(MUCH_LATER, 10)), [delivery(1, at)]);
    equal(succeeded(await reader.getBlob(at, "h1")), "one");
  }),
  onHandles("two handles can append to one thread alternately", async (open) => {
    const [first, second] = [await open(), await open()];
    await createRecords(first, at, 1);
    for (let version = 1; version <= 10; version += 1) {
      const store = version % 2 ? second : first;
      equal(succeeded(await store.append(at, record(version))), version);
    }
    equal(succeeded(await second.records(at, { after: -1, limit: 100 })).length, 11);
  }),
  onHandles("a handle with an outdated version loses", async (open) => {
    const [first, second] = [await open(), await open()];
    await createRecords(first, at, 1);
    const seen = await headVersion(second, at);
    succeeded(await first.append(at, record(1)));
    const late = record(seen + 1, { commit_id: "cmt_late" });
    equal(failedWith(await second.append(at, late), "thread_moved").details, { version: 1 });
  }),
  onHandles("a commit whose reply was lost is recognized through another handle", async (open) => {
    const [first, second] = [await open(), await open()];
    await createRecords(first, at, 2);
    equal(succeeded(await second.append(at, record(1))), 1);
  }),
  onHandles("a thread removed through one handle no longer exists for the other", async (open) => {
    const [first, second] = [await open(), await open()];
    await createRecords(first, at, 2);
    equal(await headVersion(second, at), 1);
    succeeded(await first.remove(at));
    failedWith(await second.load(at, 1), "thread_not_found");
    failedWith(await second.append(at, record(2)), "thread_not_found");
  }),
  onHandles("all data survives closing and reopening", async (open) => {
    const before = await open();
    await createListed(before, 1);
    await appendWithMeta(before, 1, { state: "rest" });
    succeeded(await before.putBlob(at, "h1", "one"));
    succeeded(await before.append(at, record(2), { outbox: [delivery(1, at)] }));
    await before.close();
    const after = await open();
    equal(succeeded(await after.records(at, { after: -1, limit: 10 })), [record(0), record(1), record(2)]);
    equal(succeeded(await after.list(ACME, { limit: 10 })), [meta(1, { version: 1, state: "rest" })]);
    equal(succeeded(await after.getBlob(at, "h1")), "one");
    equal(succeeded(await after.dueDeliveries(MUCH_LATER, 10)), [delivery(1, at)]);
    equal(succeeded(await after.append(at, record(3))), 3);
  }),
  onHandles("closing one handle does not affect the others", async (open) => {
    const [first, second] = [await open(), await open()];
    await createRecords(first, at, 1);
    await first.close();
    equal(succeeded(await second.append(at, record(1))), 1);
    equal(await headVersion(await open(), at), 1);
  }),
  onHandles("closing twice has no effect", async (open) => {
    const store = await open();
    await createRecords(store, at, 1);
    await store.close();
    await store.close();
    equal(await headVersion(await open(), at), 0);
  }),
];
