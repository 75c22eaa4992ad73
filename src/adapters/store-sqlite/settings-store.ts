// Stores the settings of each tenant as one versioned document in an open SQLite file.
import type { SettingsStore } from "../../ports/settings-store.ts";
import { deepFreeze } from "../../schema/json/deep-freeze.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { NO_SETTINGS, readSettings, type Settings } from "../../schema/settings.ts";
import type { OpenFile } from "./open.ts";

const LOAD = "SELECT version, body FROM settings WHERE tenant = ?1";
const SAVE_FIRST = "INSERT INTO settings (tenant, version, body) VALUES (?1, 1, ?2) ON CONFLICT (tenant) DO NOTHING";
const SAVE_NEXT = "UPDATE settings SET version = version + 1, body = ?2 WHERE tenant = ?1 AND version = ?3";

/** Kept as text and parsed for each caller, like the text of a stored row. */
const EMPTY_SETTINGS = JSON.stringify(NO_SETTINGS);

type Loaded = { readonly version: number; readonly settings: Settings };
type CachedSettings = { readonly data_version: unknown; readonly loaded: Loaded };
/** The cache is cleared when it exceeds this number of tenants. */
const CACHED_TENANTS_MAX = 1_000;

export function createSettingsStore({ db, read, write, rowCache }: OpenFile): SettingsStore {
  const load = db.prepare(LOAD);
  const saveFirst = db.prepare(SAVE_FIRST);
  const saveNext = db.prepare(SAVE_NEXT);
  const cache = new Map<string, CachedSettings>();
  const select = (tenant: string): Result<Loaded> => {
    const row = load.get(tenant);
    const settings = readSettings(row === undefined ? EMPTY_SETTINGS : String(row.body));
    return settings.ok ? ok({ version: Number(row?.version ?? 0), settings: settings.value }) : settings;
  };
  return {
    load: (tenant) => read(() => select(tenant)),
    /**
     * At least as new as the last load of a thread, with which every turn begins: settings are cached only as long as
     * no other connection commits.
     */
    async loadRecent(tenant) {
      const data_version = rowCache.lastDataVersion();
      const cached = cache.get(tenant);
      if (cached && data_version !== null && cached.data_version === data_version) return ok(cached.loaded);
      return read(() => {
        const selected = select(tenant);
        if (!selected.ok) return selected;
        const loaded = deepFreeze(selected.value);
        if (cache.size >= CACHED_TENANTS_MAX) cache.clear();
        cache.set(tenant, { data_version, loaded });
        return ok(loaded);
      });
    },
    save: (tenant, settings, expectedVersion) =>
      write(() => {
        cache.delete(tenant);
        const body = JSON.stringify(settings);
        const saved = expectedVersion === 0 ? saveFirst.run(tenant, body) : saveNext.run(tenant, body, expectedVersion);
        if (saved.changes === 1) return ok(expectedVersion + 1);
        const version = Number(load.get(tenant)?.version ?? 0);
        return fail("settings_moved", `The settings are at version ${version}.`, { version });
      }),
  };
}
