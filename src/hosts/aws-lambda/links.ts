// Creates and serves links that answer a gate, signed with PAWL_SECRET or with a secret that is stored in the table.
import type { Route } from "../../http/app.ts";
import { confirmRoutes } from "../../http/routes/confirm-link.ts";
import type { LinkSettings } from "../../jobs/webhooks/confirm-links.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";
import { readLinkSecret } from "../shared/secret-variables.ts";

export type LambdaLinks = {
  readonly routes: readonly Route[];
  /** For the links in outgoing webhooks. Null if the public URL is unknown. */
  readonly linkSettings: () => Promise<Result<LinkSettings | null>>;
};

export function createLambdaLinks(
  { public_url }: { readonly public_url: string | null },
  env: Environment,
  storedSecret: () => Promise<Result<string>>,
): Result<LambdaLinks> {
  const configured = readLinkSecret(env);
  if (!configured.ok) return configured;
  const secret = async (): Promise<Result<string>> =>
    configured.value === null ? storedSecret() : ok(configured.value);
  const base = (public_url ?? env.PAWL_PUBLIC_URL)?.replace(/\/$/, "") || null;
  return ok({
    routes: createLinkRoutes(secret),
    async linkSettings() {
      if (base === null) return ok(null);
      const found = await secret();
      return found.ok ? ok({ secret: found.value, base }) : found;
    },
  });
}

/** The routes read the secret when they are called, so that an instance which starts for a turn does not wait for it. */
const createLinkRoutes = (secret: () => Promise<Result<string>>): readonly Route[] =>
  confirmRoutes({ secret: "", base: "" }).map(
    (route, n): Route => ({
      ...route,
      handler: async (c) => {
        const found = await secret();
        if (!found.ok) return found;
        const signed = confirmRoutes({ secret: found.value, base: "" })[n];
        if (!signed) throw new Error("the list of link routes depends on its settings");
        return signed.handler(c);
      },
    }),
  );
