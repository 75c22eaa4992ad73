// Provides the settings of a history, which all processes share. They are immutable, so that they are not parsed again.
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import { deepFreeze } from "../../src/schema/json/deep-freeze.ts";
import { fail, ok } from "../../src/schema/problem.ts";
import { NO_SETTINGS, type Settings } from "../../src/schema/settings.ts";

type StoredSettings = { readonly version: number; readonly settings: Settings };

/** Converts settings to the format that any other store would return. */
const toStored = (version: number, settings: Settings): StoredSettings => ({
  version,
  settings: deepFreeze(JSON.parse(JSON.stringify(settings)) as Settings),
});

const EMPTY = toStored(0, NO_SETTINGS);

export function simSettings(): SettingsStore {
  const data = new Map<string, StoredSettings>();
  return {
    load: async (tenant) => ok(data.get(tenant) ?? EMPTY),
    async save(tenant, settings, over) {
      const version = data.get(tenant)?.version ?? 0;
      if (version !== over) return fail("settings_moved", `The settings are at version ${version}.`, { version });
      data.set(tenant, toStored(over + 1, settings));
      return ok(over + 1);
    },
  };
}
