import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { createRaceTarget } from "../../src/testing/race-suite/store-target.ts";
import { raceSuite } from "../../src/testing/race-suite.ts";
import { raceSizes } from "./race-sizes.ts";

type StoreLocation = { open: () => Promise<ThreadStore>; clear: () => void };

const PROCESSES = 4;
const SIZES = raceSizes({ callers: 64, approvers: 32, rounds: 12, mutations: 300 });

const storeLocations: Record<string, () => StoreLocation> = {
  memory: () => {
    const data = createMemoryData();
    return { open: async () => createMemoryStore(data), clear: () => undefined };
  },
  sqlite: () => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-races-"));
    return {
      open: async () => succeeded(await createSqliteStore({ path: join(folder, "pawl.db") })).threads,
      clear: () => rmSync(folder, { recursive: true }),
    };
  },
};

describe.each(Object.entries(storeLocations))("races on the store: %s", (_name, createLocation) => {
  test.each(raceSuite.map((one) => [one.name, one] as const))("%s", { timeout: 600_000 }, async (_title, one) => {
    const location = createLocation();
    const opened: ThreadStore[] = [];
    try {
      const target = await createRaceTarget(async () => {
        const store = await location.open();
        opened.push(store);
        return store;
      }, PROCESSES);
      await one.run(target, SIZES);
    } finally {
      for (const store of opened) await store.close();
      location.clear();
    }
  });
});
