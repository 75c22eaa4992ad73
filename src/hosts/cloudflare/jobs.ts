// Webhooks, links and the tools around schedules on a worker: what they need, and the routes they bring.
import type { Route } from "../../http/app.ts";
import { respondProblem } from "../../http/respond.ts";
import { confirmRoutes } from "../../http/routes/confirm-link.ts";
import { webhookRoutes } from "../../http/routes/webhooks.ts";
import { createSchedules, createTriggers } from "../../jobs/tool-ports.ts";
import type { LinkSettings } from "../../jobs/webhooks/confirm-links.ts";
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { jobTools } from "../../toolkits/automation/job-tools.ts";
import type { Runtime } from "../../turn/runtime.ts";
import type { Environment } from "../shared/config.ts";

const SECRET_CHARS_MIN = 32;

/** Links need a secret and the address people reach the worker by; an object that wakes by itself knows neither. */
export function readLinkSettings(public_url: string | null, env: Environment): Result<LinkSettings | null> {
  const secret = env.PAWL_SECRET ?? "";
  if (secret !== "" && secret.length < SECRET_CHARS_MIN)
    return fail("config_invalid", `PAWL_SECRET: must have at least ${SECRET_CHARS_MIN} characters.`);
  if (secret === "" || public_url === null) return ok(null);
  return ok({ secret, base: public_url.replace(/\/$/, "") });
}

/** Adds the tools to the runtime; gives the routes. */
export function createCloudflareJobs(
  rt: Runtime,
  fetcher: Fetcher & AddressGuard,
  links: LinkSettings | null,
): Result<readonly Route[]> {
  const parts = { schedules: createSchedules(rt), triggers: createTriggers(rt, fetcher), clock: rt.clock };
  const registered = rt.toolbox.register(...jobTools(parts));
  if (!registered.ok) return registered;
  return ok([...webhookRoutes(fetcher), ...(links ? confirmRoutes(links) : disabledLinkRoutes())]);
}

const LINKS_DISABLED = fail("link_invalid", "This server sends no links: it has no PAWL_SECRET or no public_url.");
const disabledLinkRoutes = (): readonly Route[] =>
  confirmRoutes({ secret: "", base: "" }).map(
    (route): Route => ({ ...route, handler: (c) => respondProblem(c, LINKS_DISABLED.problem) }),
  );
