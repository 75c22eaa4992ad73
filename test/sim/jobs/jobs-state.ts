// State of histories with background runs that outlives every process: subscriptions, received webhooks, claims.
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
  /** Time since the start of the history until which it is down. */
  readonly down_until: number;
  /** The time from which it responds with 410 Gone. */
  readonly gone_from?: number;
  readonly webhook: Webhook;
};

/** One delivery as the endpoint received it. */
export type Post = {
  readonly url: string;
  readonly tenant: TenantId;
  readonly id: string;
  readonly body: string;
  /** What was wrong on arrival: the event is not committed, or the signature does not match. */
  readonly violation: string | null;
};

/** An inbound webhook. */
export type InboundWebhook = { readonly tenant: TenantId; readonly path: string; readonly secret: string };

/** Times are those of the world, which do not jump. */
export type JobsLedger = {
  /** When a schedule document was saved. */
  readonly saved: { readonly at: ThreadRef; readonly version: number; readonly time: number }[];
  /** When a due time was first claimed. */
  readonly claimed: { readonly schedule: string; readonly due: string; readonly time: number }[];
  /** Deliveries that a worker took although they had changed since it read them. */
  readonly leaseViolations: string[];
  /** When a delivery was dead-lettered. */
  readonly deadLettered: {
    readonly id: string;
    readonly webhook: string;
    readonly time: number;
    /** The time of the first attempt, by the clock. */
    readonly since: number;
    readonly reason: string;
  }[];
};

export type JobsState = {
  /** Number of concurrent processes, each with a worker. */
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
  /** The next due time on the clock; Infinity if nothing is due. */
  readonly nextDue: () => number;
  readonly invalidateNextDue: () => void;
};

export const LINKS: LinkSettings = { secret: "of the server and of nobody else", base: "https://pawl.test" };

export function createJobsState(setup: Random, data: MemoryData): JobsState {
  let cachedNextDue: number | null = null;
  return {
    slots: setup.pick([2, 2, 3]),
    // Some are shorter than a turn: then the owner is still working when another process takes over.
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
