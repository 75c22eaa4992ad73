import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMemoryData } from "../../src/adapters/store-memory.ts";
import { TenantId, ThreadId } from "../../src/schema/ids.ts";
import { type DynamoServer, hasDynamoServer, startDynamoServer } from "../support/dynamodb.ts";
import { runHistory } from "./history.ts";
import { mirrorStore } from "./stores/mirror-store.ts";
import { openSqlite } from "./stores/sqlite.ts";
import type { StoreKind } from "./stores/stores.ts";
import { createWorld } from "./world.ts";

async function expectToHold(seed: number, store: StoreKind): Promise<void> {
  const first = await runHistory({ seed }, { store });
  const again = await runHistory({ seed }, { store });
  expect(first.violations).toEqual([]);
  expect(again.hash).toBe(first.hash);
}

test.each([1, 2, 13, 14, 24])("seed %i holds on SQLite with two connections, and replays", (seed) =>
  expectToHold(seed, "sqlite"),
);

test.each([2, 13, 14])("seed %i holds on the Durable Object adapter, and replays", (seed) =>
  expectToHold(seed, "durable_object"),
);

describe.runIf(hasDynamoServer())("on DynamoDB", () => {
  let server: DynamoServer;
  beforeAll(async () => {
    server = await startDynamoServer();
    Object.assign(process.env, server.env);
  });
  afterAll(async () => {
    for (const name of Object.keys(server?.env ?? {})) delete process.env[name];
    await server?.stop();
  });

  test.each([2, 13])("seed %i holds, and replays", (seed) => expectToHold(seed, "dynamodb"));
});

test("a result that differs from the memory store is reported", async () => {
  const data = createMemoryData();
  const at = { tenant: TenantId.parse("acme"), thread: ThreadId.parse(`thr_${"0".repeat(26)}`) };
  const mirrored = mirrorStore(await openSqlite(), data, createWorld({ seed: 1 }));
  const store = mirrored.store({ id: 0, slot: 1, alive: true, onDeath: [] });
  const hash = "a".repeat(64);
  await store.putBlob(at, hash, "one");
  expect(mirrored.differences).toEqual([]);
  data.blobs.get(`${at.tenant}/${at.thread}`)?.set(hash, "two");
  await store.getBlob(at, hash);
  await mirrored.close();
  expect(mirrored.differences).toEqual(['I23 getBlob: SQLite gives "one", memory gives "two"']);
});
