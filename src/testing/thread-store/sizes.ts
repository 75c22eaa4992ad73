// Cases for the accepted sizes on both sides of each limit, in UTF-8 bytes.
import { BLOB_BYTES_MAX, ENTRY_BYTES_MAX, STATE_ROW_BYTES_MAX, type ThreadStore } from "../../ports/thread-store.ts";
import { equal, failedWith, isTrue, succeeded } from "../expect.ts";
import { onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import { createRecords, headVersion, record, threadAt } from "./fixtures.ts";

const at = threadAt();
/** Each UTF-16 unit takes three bytes: a store that counts characters would accept three times too much. */
const wideText = (bytes: number): string => "語".repeat(Math.floor(bytes / 3)) + "x".repeat(bytes % 3);

async function expectEntryStored(store: ThreadStore, entry: string): Promise<void> {
  await createRecords(store, at, 1);
  succeeded(await store.append(at, record(1, { entry })));
  const { entries, head } = succeeded(await store.load(at, 1));
  isTrue(entries[0]?.entry === entry, "the entry is returned completely");
  equal(head, { version: 1, state: '{"state":1}' });
}

async function expectRecordRefused(store: ThreadStore, part: "entry" | "state", text: string): Promise<void> {
  await createRecords(store, at, 1);
  failedWith(await store.append(at, record(1, { [part]: text })), "record_too_large");
  equal(await headVersion(store, at), 0);
  failedWith(await store.create(threadAt(2), record(0, { [part]: text }), null), "record_too_large");
  failedWith(await store.load(threadAt(2), 1), "thread_not_found");
}

export const sizeCases: readonly ContractCase[] = [
  onOneHandle("an entry of exactly the maximum size is accepted", async (store) =>
    expectEntryStored(store, "x".repeat(ENTRY_BYTES_MAX)),
  ),
  onOneHandle("an entry of multi-byte characters of exactly the maximum size is accepted", async (store) =>
    expectEntryStored(store, wideText(ENTRY_BYTES_MAX)),
  ),
  onOneHandle("an entry one byte larger fails with record_too_large and nothing is stored", async (store) =>
    expectRecordRefused(store, "entry", "x".repeat(ENTRY_BYTES_MAX + 1)),
  ),
  onOneHandle(
    "an entry of multi-byte characters one byte larger fails with record_too_large and nothing is stored",
    async (store) => expectRecordRefused(store, "entry", wideText(ENTRY_BYTES_MAX + 1)),
  ),
  onOneHandle("a state of exactly the maximum size is accepted", async (store) => {
    const state = wideText(STATE_ROW_BYTES_MAX);
    succeeded(await store.create(at, record(0, { state }), null));
    isTrue(succeeded(await store.load(at, 1)).head.state === state, "the state is returned completely");
  }),
  onOneHandle("a state one byte larger fails with record_too_large and nothing is stored", async (store) =>
    expectRecordRefused(store, "state", "x".repeat(STATE_ROW_BYTES_MAX + 1)),
  ),
  onOneHandle(
    "a state of multi-byte characters one byte larger fails with record_too_large and nothing is stored",
    async (store) => expectRecordRefused(store, "state", wideText(STATE_ROW_BYTES_MAX + 1)),
  ),
  onOneHandle("17 records of the maximum size are accepted and loaded at once", async (store) => {
    const entry = wideText(ENTRY_BYTES_MAX);
    const state = wideText(STATE_ROW_BYTES_MAX);
    succeeded(await store.create(at, record(0, { entry, state }), null));
    for (let version = 1; version < 17; version += 1) {
      succeeded(await store.append(at, record(version, { entry, state })));
    }
    const { entries, head } = succeeded(await store.load(at, 17));
    equal(entries.length, 17);
    isTrue(
      entries.every((row) => row.entry === entry),
      "every entry is returned completely",
    );
    isTrue(head.state === state, "the state is returned completely");
    isTrue(succeeded(await store.records(at, { after: -1, limit: 17 })).length === 17, "all records can be read");
  }),
  onOneHandle("empty strings are accepted", async (store) => {
    succeeded(await store.create(at, record(0, { entry: "", state: "" }), null));
    succeeded(await store.putBlob(at, "empty", ""));
    equal(succeeded(await store.load(at, 1)), {
      head: { version: 0, state: "" },
      entries: [{ version: 0, entry: "" }],
    });
    equal(succeeded(await store.getBlob(at, "empty")), "");
  }),
  onOneHandle("a blob of exactly the maximum size is accepted", async (store) => {
    const text = wideText(BLOB_BYTES_MAX);
    succeeded(await store.putBlob(at, "large", text));
    isTrue(succeeded(await store.getBlob(at, "large")) === text, "the blob is returned completely");
  }),
  onOneHandle("a blob one byte larger fails with record_too_large and nothing is stored", async (store) => {
    failedWith(await store.putBlob(at, "larger", "x".repeat(BLOB_BYTES_MAX + 1)), "record_too_large");
    failedWith(await store.putBlob(at, "wider", wideText(BLOB_BYTES_MAX + 1)), "record_too_large");
    failedWith(await store.getBlob(at, "larger"), "blob_not_found");
    failedWith(await store.getBlob(at, "wider"), "blob_not_found");
  }),
];
