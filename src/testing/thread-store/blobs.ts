// Cases for blobs, which belong to one thread of one tenant.
import { BLOB_BYTES_MAX } from "../../ports/thread-store.ts";
import { equal, failedWith, succeeded } from "../expect.ts";
import { onHandles, onOneHandle } from "../test-case.ts";
import type { ContractCase } from "./case.ts";
import { BOLT, createRecords, headVersion, meta, record, threadAt } from "./fixtures.ts";

const at = threadAt();

export const blobCases: readonly ContractCase[] = [
  onOneHandle("a stored blob can be read", async (store) => {
    await createRecords(store, at, 1);
    equal(await store.putBlob(at, "h1", "one"), { ok: true, value: undefined });
    equal(succeeded(await store.getBlob(at, "h1")), "one");
  }),
  onOneHandle("a blob can be stored before its thread has a record", async (store) => {
    succeeded(await store.putBlob(at, "h1", "one"));
    failedWith(await store.load(at, 1), "thread_not_found");
    await createRecords(store, at, 1);
    equal(succeeded(await store.getBlob(at, "h1")), "one");
  }),
  onOneHandle("storing a blob again has no effect", async (store) => {
    for (let n = 0; n < 3; n += 1) succeeded(await store.putBlob(at, "h1", "one"));
    equal(succeeded(await store.getBlob(at, "h1")), "one");
  }),
  onHandles("many callers can store the same blob concurrently", async (open) => {
    const [first, second] = [await open(), await open()];
    const puts = Array.from({ length: 8 }, (_, n) => (n % 2 ? first : second).putBlob(at, "h1", "one"));
    for (const result of await Promise.all(puts)) succeeded(result);
    equal(succeeded(await second.getBlob(at, "h1")), "one");
  }),
  onOneHandle("reading an unknown blob fails with blob_not_found", async (store) => {
    await createRecords(store, at, 1);
    failedWith(await store.getBlob(at, "h1"), "blob_not_found");
  }),
  onOneHandle("many blobs are read at once, without those that do not exist", async (store) => {
    if (!store.getBlobs) return;
    const names = Array.from({ length: 60 }, (_, n) => `h${n}`);
    for (const name of names) succeeded(await store.putBlob(at, name, `text of ${name}`));
    const large = "é".repeat(400_000);
    for (const name of ["large", "larger"]) succeeded(await store.putBlob(at, name, `${name} ${large}`));
    const texts = succeeded(await store.getBlobs(at, [...names, "large", "none", "larger"]));
    equal([...texts.keys()].length, 62);
    equal(texts.get("h59"), "text of h59");
    equal(texts.get("larger"), `larger ${large}`);
  }),
  onOneHandle("blobs whose names differ in the last character are distinct", async (store) => {
    const name = "a".repeat(63);
    succeeded(await store.putBlob(at, `${name}b`, "b"));
    succeeded(await store.putBlob(at, `${name}c`, "c"));
    equal(succeeded(await store.getBlob(at, `${name}b`)), "b");
    equal(succeeded(await store.getBlob(at, `${name}c`)), "c");
    failedWith(await store.getBlob(at, name), "blob_not_found");
    failedWith(await store.getBlob(at, `${name}B`), "blob_not_found");
  }),
  onOneHandle("another thread does not see a blob", async (store) => {
    succeeded(await store.putBlob(threadAt(1), "h1", "one"));
    failedWith(await store.getBlob(threadAt(2), "h1"), "blob_not_found");
    succeeded(await store.putBlob(threadAt(2), "h1", "two"));
    equal(succeeded(await store.getBlob(threadAt(1), "h1")), "one");
  }),
  onOneHandle("another tenant does not see a blob of the same thread id", async (store) => {
    succeeded(await store.putBlob(threadAt(1), "h1", "one"));
    failedWith(await store.getBlob(threadAt(1, BOLT), "h1"), "blob_not_found");
  }),
  onHandles("blobs given with a record are stored with it", async (open) => {
    const [store, other] = [await open(), await open()];
    if (!store.appendsBlobs) return;
    await createRecords(store, at, 1);
    const blobs = [
      { hash: "h1", text: "one" },
      { hash: "h2", text: "two ".repeat(20_000) },
      { hash: "h1", text: "one" },
    ];
    succeeded(await store.putBlob(at, "h1", "one"));
    equal(succeeded(await store.append(at, record(1), { blobs, meta: meta(1, { version: 1 }) })), 1);
    equal(succeeded(await other.getBlob(at, "h1")), "one");
    equal(succeeded(await other.getBlob(at, "h2")), "two ".repeat(20_000));
  }),
  onOneHandle("blobs given with a record that lost the race are not stored", async (store) => {
    if (!store.appendsBlobs) return;
    await createRecords(store, at, 2);
    const late = record(1, { commit_id: "cmt_late" });
    failedWith(await store.append(at, late, { blobs: [{ hash: "h1", text: "one" }] }), "thread_moved");
    failedWith(await store.getBlob(at, "h1"), "blob_not_found");
  }),
  onOneHandle("repeating an append with blobs has no effect", async (store) => {
    if (!store.appendsBlobs) return;
    await createRecords(store, at, 1);
    const blobs = [{ hash: "h1", text: "one" }];
    for (let n = 0; n < 2; n += 1) equal(succeeded(await store.append(at, record(1), { blobs })), 1);
    equal(succeeded(await store.getBlob(at, "h1")), "one");
  }),
  onOneHandle("a blob that is too large fails the append it is given with", async (store) => {
    if (!store.appendsBlobs) return;
    await createRecords(store, at, 1);
    const blobs = [{ hash: "h1", text: "x".repeat(BLOB_BYTES_MAX + 1) }];
    failedWith(await store.append(at, record(1), { blobs }), "record_too_large");
    equal(await headVersion(store, at), 0);
  }),
];
