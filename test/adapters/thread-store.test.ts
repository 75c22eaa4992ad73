// Runs the contract of the thread store on every store that needs no server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { type OpenStore, threadStoreContract } from "../../src/testing/thread-store.contract.ts";

type StoreLocation = { open: OpenStore; clear: () => void };

const stores: Record<string, () => StoreLocation> = {
  memory: () => {
    const data = createMemoryData();
    return { open: async () => createMemoryStore(data), clear: () => undefined };
  },
  sqlite: () => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-store-"));
    return {
      open: async () => succeeded(await createSqliteStore({ path: join(folder, "pawl.db") })).threads,
      clear: () => rmSync(folder, { recursive: true }),
    };
  },
};

describe.each(Object.entries(stores))("ThreadStore contract: %s", (_name, createLocation) => {
  test.each(threadStoreContract.map((one) => [one.name, one] as const))("%s", async (_title, one) => {
    const location = createLocation();
    const opened: ThreadStore[] = [];
    try {
      await one.run(async () => {
        const store = await location.open();
        opened.push(store);
        return store;
      });
    } finally {
      for (const store of opened) await store.close();
      location.clear();
    }
  });
});

// The contract skips the cases of a capability that a store does not declare.
test.each(Object.entries(stores))(
  "%s declares every optional capability that it has",
  async (_name, createLocation) => {
    const location = createLocation();
    const store = await location.open();
    expect(store).toMatchObject({ appendsBlobs: true, checksFollows: true });
    await store.close();
    location.clear();
  },
);

test("the contract's cases have unique names", () => {
  const names = threadStoreContract.map((one) => one.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(70);
});
