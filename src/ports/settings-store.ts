// One versioned settings document per tenant, for example which tools are enabled, for all agents and per agent.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";

export interface SettingsStore {
  /** A tenant without a document has the empty settings at version 0. */
  load(tenant: TenantId): Promise<Result<{ version: number; settings: Settings }>>;
  /** Settings for turns: if another process has changed them, they may be some seconds old. If it is absent, turns use `load`. */
  loadRecent?(tenant: TenantId): Promise<Result<{ version: number; settings: Settings }>>;
  /** Compare-and-set: saves version n+1 only over version n, otherwise `settings_moved`. */
  save(tenant: TenantId, settings: Settings, over: number): Promise<Result<number>>;
}
