// Builds the settings of the HTTP app that every configured host has.
import { createRateLimit } from "../../http/edge/rate-limit.ts";
import type { AppSettings, Log } from "../../http/env.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { VERSION } from "../../version.ts";
import type { Access } from "./access.ts";
import type { ResolvedConfig } from "./config-names.ts";

type SettingsConfig = Pick<ResolvedConfig, "limits" | "cors" | "public_url">;

export const appSettings = (
  rt: Runtime,
  { limits, cors, public_url }: SettingsConfig,
  { authenticate, local_only, keys }: Access,
  log: Log,
): Omit<AppSettings, "hub"> => ({
  rt,
  authenticate,
  local_only,
  keys,
  cors_origins: cors.origins,
  public_url,
  limits,
  rate_limit: createRateLimit(limits.requests_per_minute),
  log,
  release: VERSION,
});
