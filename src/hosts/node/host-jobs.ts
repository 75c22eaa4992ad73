// Creates the routes of webhooks and links, and the job worker, of a server process.
import type { Route } from "../../http/app.ts";
import type { Log } from "../../http/env.ts";
import { confirmRoutes } from "../../http/routes/confirm-link.ts";
import { webhookRoutes } from "../../http/routes/webhooks.ts";
import { sendWebhook } from "../../jobs/webhooks/send-webhook.ts";
import type { Worker } from "../../jobs/worker.ts";
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { LoadedConfig } from "../shared/config.ts";
import type { Host } from "../shared/create-host.ts";
import { startHostWorker } from "../shared/host-worker.ts";

export type HostJobs = {
  readonly routes: readonly Route[];
  /** `url` is the URL of this server, for links if no public URL is configured. */
  readonly start: (url: string, emit: (at: ThreadRef, event: LiveEvent) => void) => Worker;
};

type JobsHost = {
  readonly rt: Host["rt"];
  readonly fetcher: Fetcher & AddressGuard;
  /** Signs the links that answer gates. */
  readonly secret: string;
};

const IDLE_WORKER: Worker = { pollNow: () => undefined, drain: async () => undefined };

export function createHostJobs(
  { rt, fetcher, secret }: JobsHost,
  config: Pick<LoadedConfig, "jobs" | "public_url">,
  log: Log,
): HostJobs {
  return {
    routes: [...webhookRoutes(fetcher), ...confirmRoutes({ secret, base: "" })],
    start: (url, emit) => {
      // Also set if jobs are disabled here, because another process then runs the worker for the same data.
      rt.worker.running = true;
      if (!config.jobs.enabled) return IDLE_WORKER;
      const links = { secret, base: (config.public_url ?? url).replace(/\/$/, "") };
      const owner = `worker-${process.pid}`;
      const worker = startHostWorker(rt, {
        owner,
        jobs: config.jobs,
        emit,
        log,
        sendWebhook: (due) => sendWebhook(rt, due, { fetcher, links, owner }),
      });
      rt.worker.pollNow = worker.pollNow;
      return worker;
    },
  };
}
