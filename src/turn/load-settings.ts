// Reads the tenant's settings once per turn, so that everything in the turn sees the same values.
import type { TenantId } from "../schema/ids.ts";
import { deepFreeze } from "../schema/json/deep-freeze.ts";
import { ok, type Result } from "../schema/problem.ts";
import { checkSettings, NO_SETTINGS, type Settings } from "../schema/settings.ts";
import type { Runtime } from "./runtime.ts";

/** A field that is missing in an older document gets its default. */
export async function loadSettings(
  rt: Pick<Runtime, "settings" | "faults">,
  tenant: TenantId,
): Promise<Result<Settings>> {
  const loaded = await rt.settings.load(tenant);
  if (!loaded.ok) return loaded;
  await rt.faults.at("settings.after");
  return withDefaults(loaded.value.settings);
}

/** Maps each frozen document to its completed form, so that all turns share one object and results that depend on it can be cached. */
const completed = new WeakMap<Settings, Result<Settings>>();

export function withDefaults(settings: Settings): Result<Settings> {
  const known = completed.get(settings);
  if (known) return known;
  const checked = checkSettings(settings);
  const whole = checked.ok ? ok({ ...NO_SETTINGS, ...checked.value }) : checked;
  if (Object.isFrozen(settings)) completed.set(settings, deepFreeze(whole));
  return whole;
}

/** The settings may be as old as the store allows. */
export const loadRecentSettings: typeof loadSettings = ({ settings, faults }, tenant) => {
  const load = settings.loadRecent ?? settings.load;
  return loadSettings({ settings: { ...settings, load }, faults }, tenant);
};
