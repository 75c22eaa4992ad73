// Stores one versioned settings document per tenant, which says for example which tools are enabled, for all agents and per agent.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";

export interface SettingsStore {
  /** Loads the settings. A tenant without a document has empty settings at version 0. */
  load(tenant: TenantId): Promise<Result<{ version: number; settings: Settings }>>;
  /** Loads settings for turns. If another process has changed them, they may be some seconds old. If it is absent, turns use `load`. */
  loadRecent?(tenant: TenantId): Promise<Result<{ version: number; settings: Settings }>>;
  /** Saves version n+1 by compare-and-set only over version n, and otherwise fails with `settings_moved`. */
  save(tenant: TenantId, settings: Settings, over: number): Promise<Result<number>>;
}
