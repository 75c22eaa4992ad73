// Keeps settings in process memory, for tests. The settings are lost at exit.
import type { SettingsStore } from "../ports/settings-store.ts";
import { fail, ok } from "../schema/problem.ts";
import { NO_SETTINGS, readSettings } from "../schema/settings.ts";

export type MemorySettingsData = Map<string, { readonly version: number; readonly body: string }>;

const EMPTY_SETTINGS = JSON.stringify(NO_SETTINGS);

/** Stores that are created with the same data share it. Settings are kept as text, so no caller can mutate them. */
export function createMemorySettings(data: MemorySettingsData = new Map()): SettingsStore {
  return {
    async load(tenant) {
      const row = data.get(tenant);
      const settings = readSettings(row?.body ?? EMPTY_SETTINGS);
      return settings.ok ? ok({ version: row?.version ?? 0, settings: settings.value }) : settings;
    },
    async save(tenant, settings, expectedVersion) {
      const version = data.get(tenant)?.version ?? 0;
      if (version !== expectedVersion)
        return fail("settings_moved", `The settings are at version ${version}.`, { version });
      data.set(tenant, { version: expectedVersion + 1, body: JSON.stringify(settings) });
      return ok(expectedVersion + 1);
    },
  };
}
