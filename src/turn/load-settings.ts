// The tenant's settings, once per turn: everything in a turn sees the same ones, and they cost one read.
import type { TenantId } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import { NO_SETTINGS, type Settings } from "../schema/settings.ts";
import type { Runtime } from "./runtime.ts";

/** A document that was written before a field was thought of has its default. */
export async function loadSettings(
  rt: Pick<Runtime, "settings" | "faults">,
  tenant: TenantId,
): Promise<Result<Settings>> {
  const loaded = await rt.settings.load(tenant);
  if (!loaded.ok) return loaded;
  await rt.faults.at("settings.after");
  return ok({ ...NO_SETTINGS, ...loaded.value.settings });
}
