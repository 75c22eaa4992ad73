// Configures links that answer a gate on Cloudflare. They need a secret and the public URL of the worker.
import type { Route } from "../../http/app.ts";
import { confirmRoutes } from "../../http/routes/confirm-link.ts";
import type { LinkSettings } from "../../jobs/webhooks/confirm-links.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";

const SECRET_CHARS_MIN = 32;

/** Both settings are needed, because an object that an alarm wakes has no request that shows the URL. With null, webhooks contain no links. */
export function readLinkSettings(public_url: string | null, env: Environment): Result<LinkSettings | null> {
  const secret = env.PAWL_SECRET ?? "";
  if (secret !== "" && secret.length < SECRET_CHARS_MIN)
    return fail("config_invalid", `PAWL_SECRET: must have at least ${SECRET_CHARS_MIN} characters.`);
  if (secret === "" || public_url === null) return ok(null);
  return ok({ secret, base: public_url.replace(/\/$/, "") });
}

const LINKS_DISABLED = fail("link_invalid", "This server sends no links: it has no PAWL_SECRET or no public_url.");

export const linkRoutes = (links: LinkSettings | null): readonly Route[] =>
  links ? confirmRoutes(links) : disabledLinkRoutes();

const disabledLinkRoutes = (): readonly Route[] =>
  confirmRoutes({ secret: "", base: "" }).map((route): Route => ({ ...route, handler: () => LINKS_DISABLED }));
