// Defines the state of histories with background runs that outlives every process: subscriptions, received webhooks and
// claims.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import type { LinkSettings } from "../../../src/jobs/webhooks/confirm-links.ts";
import { NEVER_DUE } from "../../../src/ports/thread-store.ts";
import type { TenantId, ThreadRef } from "../../../src/schema/ids.ts";
import type { Webhook } from "../../../src/schema/jobs/webhook.ts";
import type { Random } from "../random.ts";

/** An endpoint that receives webhooks. */
export type Endpoint = {
  readonly url: string;
  readonly tenant: TenantId;
  /** The endpoint is down until this time, counted from the start of the history. */
  readonly down_until: number;
  /** The endpoint responds with 410 Gone from this time on. */
  readonly gone_from?: number;
  readonly webhook: Webhook;
};

/** A delivery as the endpoint received it. */
export type Post = {
  readonly url: string;
  readonly tenant: TenantId;
  readonly id: string;
  readonly body: string;
  /** The violation that was found on arrival: the event is not committed, or the signature does not match. */
  readonly violation: string | null;
};

export type InboundWebhook = { readonly tenant: TenantId; readonly path: string; readonly secret: string };

/** A log of the world's times, which do not jump. */
export type JobsLedger = {
  /** The times at which schedule documents were saved. */
  readonly saved: { readonly at: ThreadRef; readonly version: number; readonly time: number }[];
  /** The times at which due times were first claimed. */
  readonly claimed: { readonly schedule: string; readonly due: string; readonly time: number }[];
  /** Deliveries that a worker took although they had changed since it read them. */
  readonly leaseViolations: string[];
  /** The times at which deliveries were dead-lettered. */
  readonly deadLettered: {
    readonly id: string;
    readonly webhook: string;
    readonly time: number;
    /** The time of the first attempt by the clock. */
    readonly since: number;
    readonly reason: string;
  }[];
};

export type JobsState = {
  /** The number of concurrent processes, each with a worker. */
  readonly slots: number;
  readonly lease_ms: number;
  readonly slice_turns: number;
  readonly attempts_max: number;
  readonly concurrency: number;
  readonly links: LinkSettings;
  readonly endpoints: Endpoint[];
  readonly inboundWebhooks: InboundWebhook[];
  readonly posts: Post[];
  readonly ledger: JobsLedger;
  /** Returns the next due time on the clock, or Infinity if nothing is due. */
  readonly nextDue: () => number;
  readonly invalidateNextDue: () => void;
};

export const LINKS: LinkSettings = { secret: "of the server and of nobody else", base: "https://pawl.test" };

export function createJobsState(setup: Random, data: MemoryData): JobsState {
  let cachedNextDue: number | null = null;
  return {
    slots: setup.pick([2, 2, 3]),
    // Some leases are shorter than a turn, so the owner may still be working when another process takes over.
    lease_ms: setup.pick([900, 5000, 30_000]),
    slice_turns: setup.pick([1, 4, 20]),
    attempts_max: setup.pick([2, 4, 12]),
    concurrency: setup.pick([1, 4]),
    links: LINKS,
    endpoints: [],
    inboundWebhooks: [],
    posts: [],
    ledger: { saved: [], claimed: [], leaseViolations: [], deadLettered: [] },
    nextDue: () => {
      cachedNextDue ??= earliestDue(data);
      return cachedNextDue;
    },
    invalidateNextDue: () => {
      cachedNextDue = null;
    },
  };
}

function earliestDue(data: MemoryData): number {
  let next = Number.POSITIVE_INFINITY;
  for (const {
    delivery: { due_at },
  } of data.outbox.values())
    if (due_at < next && due_at < NEVER_DUE) next = due_at;
  return next;
}
