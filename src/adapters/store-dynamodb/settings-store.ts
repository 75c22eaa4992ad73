// Stores the settings of each tenant as one versioned item, which a turn reads with one strongly consistent get.
import { randomUUID } from "node:crypto";
import type { SettingsStore } from "../../ports/settings-store.ts";
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { NO_SETTINGS, readSettings, type Settings } from "../../schema/settings.ts";
import { settingsKey } from "./keys.ts";
import type { OpenTable } from "./table.ts";
import { type Document, readDocument, saveDocument } from "./versioned-document.ts";

const CACHED_TENANTS_MAX = 1_000;

/** `max_age_ms` limits the age of settings, which another process may have changed. */
export function createSettingsStore(table: OpenTable, max_age_ms: number): SettingsStore {
  const recent = new Map<TenantId, { readonly read_at: number; readonly document: Document | null }>();

  async function load(tenant: TenantId) {
    const read_at = table.clock.now();
    const found = await readDocument(table, settingsKey(tenant));
    if (!found.ok) return found;
    if (recent.size >= CACHED_TENANTS_MAX) recent.clear();
    if (max_age_ms > 0) recent.set(tenant, { read_at, document: found.value });
    return parse(found.value);
  }

  return {
    load,
    async loadRecent(tenant) {
      const cached = recent.get(tenant);
      const age = cached ? table.clock.now() - cached.read_at : Number.POSITIVE_INFINITY;
      // If the clock was set back, an entry looks younger than it is.
      return cached && age >= 0 && age < max_age_ms ? parse(cached.document) : load(tenant);
    },
    async save(tenant: TenantId, settings: Settings, expectedVersion: number): Promise<Result<number>> {
      const text = JSON.stringify(settings);
      const saved = await saveDocument(table, settingsKey(tenant), text, expectedVersion, randomUUID());
      // Also after a failure, because the document may have been written.
      recent.delete(tenant);
      if (!saved.ok) return saved;
      const { won, version } = saved.value;
      return won ? ok(version) : fail("settings_moved", `The settings are at version ${version}.`, { version });
    },
  };
}

function parse(document: Document | null): Result<{ version: number; settings: Settings }> {
  if (document === null) return ok({ version: 0, settings: structuredClone(NO_SETTINGS) });
  const settings = readSettings(document.text);
  return settings.ok ? ok({ version: document.version, settings: settings.value }) : settings;
}
