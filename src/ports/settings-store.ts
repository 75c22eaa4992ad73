// Stores one versioned settings document per tenant, which says for example which tools are enabled, for all agents and per agent.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";

export interface SettingsStore {
  /** Loads the settings. A tenant without a document has empty settings at version 0. */
  load(tenant: TenantId): Promise<Result<{ version: number; settings: Settings }>>;
  /** Loads settings for turns. If another process has changed them, they may be some seconds old. If it is absent, turns use `load`. */
  loadRecent?(tenant: TenantId): Promise<Result<{ version: number; settings: Settings }>>;
  /** Replaces version `over` with the next one and returns its number. Fails with `settings_moved` if another version is stored. */
  save(tenant: TenantId, settings: Settings, over: number): Promise<Result<number>>;
}
