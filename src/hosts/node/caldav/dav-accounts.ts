// Opens the configured CalDAV accounts. Each has its own fetcher, because a private address may be allowed for one account only.
import type { DavAccounts } from "../../../ports/dav/dav-accounts.ts";
import type { Config } from "../../../schema/config.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";

/** Null if there are no accounts. The adapter is imported only if needed, because few servers have accounts. */
export async function davAccounts(
  { calendar }: Pick<Config, "calendar">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<DavAccounts | null>> {
  const entries = Object.entries(calendar.accounts);
  if (entries.length === 0) return ok(null);
  const missing = entries.find(([, { password_env }]) => !env[password_env]?.trim());
  if (missing) {
    const [name, { password_env }] = missing;
    return fail("config_invalid", `calendar.accounts.${name}.password_env: the variable ${password_env} is not set.`);
  }
  const [{ createDavAccounts }, { createGuardedFetcher }] = await Promise.all([
    import("../../../adapters/caldav/caldav-accounts.ts"),
    import("../../../adapters/fetch-guarded/guarded-fetcher.ts"),
  ]);
  const accounts = entries.map(([name, { url, user, password_env, allow_private }]) => {
    const { hostname, port, protocol } = new URL(url);
    const number = Number(port || (protocol === "https:" ? 443 : 80));
    const fetcher = createGuardedFetcher({ ports: [number], allow: allow_private ? [`${hostname}:${number}`] : [] });
    return [name, { url, user, password: env[password_env]?.trim() ?? "", fetcher }] as const;
  });
  return ok(createDavAccounts(Object.fromEntries(accounts)));
}
