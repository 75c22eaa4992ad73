// What outlives every process of a history with background runs: who wants to be told, what arrived, what was claimed.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import type { LinkSettings } from "../../../src/jobs/webhooks/confirm-links.ts";
import { NEVER_DUE } from "../../../src/ports/thread-store.ts";
import type { TenantId, ThreadRef } from "../../../src/schema/ids.ts";
import type { Webhook } from "../../../src/schema/jobs/webhook.ts";
import type { Random } from "../random.ts";

/** A place outside that takes webhooks. */
export type Endpoint = {
  readonly url: string;
  readonly tenant: TenantId;
  /** In time since the beginning: before it, nobody is at home. */
  readonly down_until: number;
  /** From then on it says that it is gone for good. */
  readonly gone_from?: number;
  readonly webhook: Webhook;
};

/** One delivery as the endpoint took it. */
export type Post = {
  readonly url: string;
  readonly tenant: TenantId;
  readonly id: string;
  readonly body: string;
  /** What was wrong with it when it arrived: nothing of the kind is committed, or the signature does not fit. */
  readonly violation: string | null;
};

/** An address for events from outside. */
export type InboundWebhook = { readonly tenant: TenantId; readonly path: string; readonly secret: string };

export type JobsLedger = {
  /** When a schedule's document was written. */
  readonly saved: { readonly at: ThreadRef; readonly version: number; readonly now: number }[];
  /** When a due time was taken by somebody for the first time. */
  readonly claimed: { readonly schedule: string; readonly due: string; readonly now: number }[];
  /** What somebody got hold of although it was no longer as it had been read: another one's. */
  readonly leaseViolations: string[];
  /** When a delivery was given up. */
  readonly deadLettered: {
    readonly id: string;
    readonly webhook: string;
    readonly time: number;
    readonly since: number;
    readonly now: number;
    readonly reason: string;
  }[];
};

export type JobsState = {
  /** Processes at once, each with a worker. */
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
  /** When the next thing is due, on the clock; Infinity when nothing is. */
  readonly nextDue: () => number;
  readonly invalidateNextDue: () => void;
};

export const LINKS: LinkSettings = { secret: "of the server and of nobody else", base: "https://pawl.test" };

export function createJobsState(setup: Random, data: MemoryData): JobsState {
  let cachedNextDue: number | null = null;
  return {
    slots: setup.pick([2, 2, 3]),
    // Some shorter than a turn: then its owner still works when another one takes over.
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
