// Changes the tenant's settings by compare-and-set, and retries if another writer saves first.
import { retryConflict } from "../ports/retry.ts";
import type { TenantId } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";
import { withDefaults } from "../turn/load-settings.ts";
import type { Runtime } from "../turn/runtime.ts";

export const changeSettings = (
  rt: Runtime,
  tenant: TenantId,
  change: (settings: Settings) => Result<Settings>,
): Promise<Result<void>> =>
  retryConflict("settings_moved", async () => {
    const current = await rt.settings.load(tenant);
    if (!current.ok) return current;
    const settings = withDefaults(current.value.settings);
    if (!settings.ok) return settings;
    const changed = change(settings.value);
    if (!changed.ok) return changed;
    const saved = await rt.settings.save(tenant, changed.value, current.value.version);
    return saved.ok ? ok(undefined) : saved;
  });
