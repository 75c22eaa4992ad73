// Creates the embedded store: threads and settings in one SQLite file, which several processes may share.
import type { SettingsStore } from "../../ports/settings-store.ts";
import type { ThreadStore } from "../../ports/thread-store.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { openFile, type SqliteOptions } from "./open.ts";
import { createSettingsStore } from "./settings-store.ts";
import { createThreadStore } from "./thread-store.ts";

export type SqliteStore = {
  readonly threads: ThreadStore;
  readonly settings: SettingsStore;
  readonly close: () => Promise<void>;
};

/**
 * Fails with `newer_version` for a newer schema, and `store_unavailable` for a file that cannot be opened or stays
 * busy.
 */
export async function createSqliteStore(options: SqliteOptions): Promise<Result<SqliteStore>> {
  const file = await openFile(options);
  if (!file.ok) return file;
  return ok({
    threads: createThreadStore(file.value),
    settings: createSettingsStore(file.value),
    close: async () => file.value.close(),
  });
}
