// Changes the tenant's settings over the version that was read, again until nobody else was faster.
import type { TenantId } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import { NO_SETTINGS, type Settings } from "../schema/settings.ts";
import type { Runtime } from "../turn/runtime.ts";

const TRIES = 20;

export async function changeSettings(
  rt: Runtime,
  tenant: TenantId,
  change: (settings: Settings) => Result<Settings>,
): Promise<Result<void>> {
  for (let tries = 0; ; tries++) {
    const current = await rt.settings.load(tenant);
    if (!current.ok) return current;
    const changed = change({ ...NO_SETTINGS, ...current.value.settings });
    if (!changed.ok) return changed;
    const saved = await rt.settings.save(tenant, changed.value, current.value.version);
    if (saved.ok) return ok(undefined);
    if (saved.problem.code !== "settings_moved" || tries >= TRIES) return saved;
  }
}
