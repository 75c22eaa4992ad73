// The settings of the tenants: one versioned item each, so that a turn reads them with one strongly consistent get.
import { randomUUID } from "node:crypto";
import type { SettingsStore } from "../../ports/settings-store.ts";
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { NO_SETTINGS, type Settings } from "../../schema/settings.ts";
import { settingsKey } from "./keys.ts";
import type { OpenTable } from "./table.ts";
import { readDocument, saveDocument } from "./versioned-document.ts";

export function createSettingsStore(table: OpenTable): SettingsStore {
  return {
    async load(tenant) {
      const found = await readDocument(table, settingsKey(tenant));
      if (!found.ok) return found;
      if (found.value === null) return ok({ version: 0, settings: structuredClone(NO_SETTINGS) });
      return ok({ version: found.value.version, settings: JSON.parse(found.value.text) as Settings });
    },
    async save(tenant: TenantId, settings: Settings, expectedVersion: number): Promise<Result<number>> {
      const saved = await saveDocument(
        table,
        settingsKey(tenant),
        JSON.stringify(settings),
        expectedVersion,
        randomUUID(),
      );
      if (!saved.ok) return saved;
      const { won, version } = saved.value;
      return won ? ok(version) : fail("settings_moved", `The settings are at version ${version}.`, { version });
    },
  };
}
