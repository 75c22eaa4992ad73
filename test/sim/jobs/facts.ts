// What outlives every process of a history with background runs: who wants to be told, what arrived, what was claimed.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import type { LinkKey } from "../../../src/jobs/webhooks/links.ts";
import { NEVER_DUE } from "../../../src/ports/thread-store.ts";
import type { TenantId, ThreadAt } from "../../../src/schema/ids.ts";
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
  readonly flaw: string | null;
};

/** An address for events from outside. */
export type Door = { readonly tenant: TenantId; readonly path: string; readonly secret: string };

export type Ledger = {
  /** When a schedule's document was written. */
  readonly saved: { readonly at: ThreadAt; readonly version: number; readonly now: number }[];
  /** When a due time was taken by somebody for the first time. */
  readonly taken: { readonly schedule: string; readonly due: string; readonly now: number }[];
  /** What somebody got hold of although it was no longer as it had been read: another one's. */
  readonly stolen: string[];
  /** When a delivery was given up. */
  readonly buried: {
    readonly id: string;
    readonly webhook: string;
    readonly time: number;
    readonly since: number;
    readonly now: number;
    readonly reason: string;
  }[];
};

export type JobsFacts = {
  /** Processes at once, each with a worker. */
  readonly slots: number;
  readonly lease_ms: number;
  readonly slice_turns: number;
  readonly attempts_max: number;
  readonly concurrency: number;
  readonly links: LinkKey;
  readonly endpoints: Endpoint[];
  readonly doors: Door[];
  readonly posts: Post[];
  readonly ledger: Ledger;
  /** When the next thing is due, on the clock; Infinity when nothing is. */
  readonly nextDue: () => number;
  readonly touched: () => void;
};

export const LINKS: LinkKey = { secret: "of the server and of nobody else", base: "https://pawl.test" };

export function makeFacts(setup: Random, data: MemoryData): JobsFacts {
  let held: number | null = null;
  return {
    slots: setup.pick([2, 2, 3]),
    // Some shorter than a turn: then its owner still works when another one takes over.
    lease_ms: setup.pick([900, 5000, 30_000]),
    slice_turns: setup.pick([1, 4, 20]),
    attempts_max: setup.pick([2, 4, 12]),
    concurrency: setup.pick([1, 4]),
    links: LINKS,
    endpoints: [],
    doors: [],
    posts: [],
    ledger: { saved: [], taken: [], stolen: [], buried: [] },
    nextDue: () => {
      held ??= soonest(data);
      return held;
    },
    touched: () => {
      held = null;
    },
  };
}

function soonest(data: MemoryData): number {
  let next = Number.POSITIVE_INFINITY;
  for (const {
    delivery: { due_at },
  } of data.outbox.values())
    if (due_at < next && due_at < NEVER_DUE) next = due_at;
  return next;
}
