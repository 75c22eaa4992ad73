import { expect, test } from "vitest";
import { createMemoryData } from "../../src/adapters/store-memory.ts";
import { TenantId, ThreadId } from "../../src/schema/ids.ts";
import { runHistory } from "./history.ts";
import { openSqliteFile } from "./sqlite-store.ts";
import { createWorld } from "./world.ts";

test.each([1, 2, 13, 14, 24])("seed %i holds on SQLite with two connections, and replays", async (seed) => {
  const first = await runHistory({ seed }, { sqlite: true });
  const again = await runHistory({ seed }, { sqlite: true });
  expect(first.violations).toEqual([]);
  expect(again.hash).toBe(first.hash);
});

test("a result that differs from the memory store is reported", async () => {
  const data = createMemoryData();
  const at = { tenant: TenantId.parse("acme"), thread: ThreadId.parse(`thr_${"0".repeat(26)}`) };
  const file = await openSqliteFile(data, createWorld({ seed: 1 }));
  const store = file.store({ id: 0, slot: 1, alive: true, onDeath: [] });
  const hash = "a".repeat(64);
  await store.putBlob(at, hash, "one");
  expect(file.differences).toEqual([]);
  data.blobs.get(`${at.tenant}/${at.thread}`)?.set(hash, "two");
  await store.getBlob(at, hash);
  await file.close();
  expect(file.differences).toEqual(['I23 getBlob: SQLite gives "one", memory gives "two"']);
});
