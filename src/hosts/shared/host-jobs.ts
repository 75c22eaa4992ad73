// Background runs, schedules, webhooks and links on a host: what they need, the routes and tools they bring, the worker.
import { createGuardedFetcher } from "../../adapters/fetch-guarded/guarded-fetcher.ts";
import type { Route } from "../../http/app.ts";
import type { Log } from "../../http/env.ts";
import { confirmRoutes } from "../../http/routes/confirm-link.ts";
import { webhookRoutes } from "../../http/routes/webhooks.ts";
import { createSchedules, createTriggers } from "../../jobs/tool-ports.ts";
import { sendWebhook } from "../../jobs/webhooks/send-webhook.ts";
import type { Worker } from "../../jobs/worker.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { jobTools } from "../../toolkits/automation/job-tools.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { loadServerSecret } from "../node/server-secret.ts";
import type { Environment, LoadedConfig } from "./config.ts";
import { startHostWorker, withPollOnWrite } from "./host-worker.ts";

export type HostJobs = {
  /** The runtime to serve with: its commits tell the worker. */
  readonly rt: Runtime;
  readonly routes: readonly Route[];
  /** `url`: where this server listens. */
  readonly start: (url: string, emit: (at: ThreadRef, event: LiveEvent) => void) => Worker;
};

type HostJobsConfig = Pick<LoadedConfig, "data" | "fetch" | "jobs" | "public_url">;
const IDLE_WORKER: Worker = { pollNow: () => undefined, drain: async () => undefined };

export function createHostJobs(base: Runtime, config: HostJobsConfig, env: Environment, log: Log): Result<HostJobs> {
  const secret = loadServerSecret(config.data, env);
  if (!secret.ok) return secret;
  const fetcher = createGuardedFetcher({ allow: config.fetch.allow });
  let worker = IDLE_WORKER;
  const rt = { ...base, store: withPollOnWrite(base.store, () => worker.pollNow()) };
  const parts = { schedules: createSchedules(rt), triggers: createTriggers(rt, fetcher), clock: rt.clock };
  const registered = rt.toolbox.register(...jobTools(parts));
  if (!registered.ok) return registered;
  return ok({
    rt,
    routes: [...webhookRoutes(fetcher), ...confirmRoutes({ secret: secret.value, base: "" })],
    start: (url, emit) => {
      const links = { secret: secret.value, base: (config.public_url ?? url).replace(/\/$/, "") };
      const owner = `worker-${process.pid}`;
      if (config.jobs.enabled) {
        worker = startHostWorker(rt, {
          owner,
          jobs: config.jobs,
          emit,
          log,
          sendWebhook: (due) => sendWebhook(rt, due, { fetcher, links, owner }),
        });
      }
      return worker;
    },
  });
}
