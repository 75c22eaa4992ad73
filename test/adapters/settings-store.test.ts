// Runs the contract of the settings store on every store that needs no server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { createMemorySettings, type MemorySettingsData } from "../../src/adapters/settings-memory.ts";
import { createSqliteStore, type SqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { type OpenSettings, settingsStoreContract } from "../../src/testing/settings-store.contract.ts";

type StoreLocation = { open: OpenSettings; clear: () => Promise<void> };

const stores: Record<string, () => StoreLocation> = {
  memory: () => {
    const data: MemorySettingsData = new Map();
    return { open: async () => createMemorySettings(data), clear: async () => undefined };
  },
  sqlite: () => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-settings-"));
    const opened: SqliteStore[] = [];
    return {
      open: async () => {
        const store = succeeded(await createSqliteStore({ path: join(folder, "pawl.db") }));
        opened.push(store);
        return store.settings;
      },
      clear: async () => {
        for (const store of opened) await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

describe.each(Object.entries(stores))("SettingsStore contract: %s", (_name, createLocation) => {
  test.each(settingsStoreContract.map((one) => [one.name, one] as const))("%s", async (_title, one) => {
    const location = createLocation();
    try {
      await one.run(location.open);
    } finally {
      await location.clear();
    }
  });
});
