// Collects everything that the invariants check: stored rows, requests and responses of clients, and actual effects.
import type { MemoryData } from "../../src/adapters/store-memory.ts";
import type { Delivery, StoredRecord } from "../../src/ports/thread-store.ts";
import type { DurableEvent } from "../../src/schema/event.ts";
import { TenantId, ThreadId, type ThreadRef } from "../../src/schema/ids.ts";
import type { ThreadRecord } from "../../src/schema/record.ts";
import type { ChangesState } from "./changes/changes-state.ts";
import type { Person } from "./clients.ts";
import type { JobsState } from "./jobs/jobs-state.ts";
import { outboxOf } from "./jobs/settle-jobs.ts";
import type { ClientRequest, Network } from "./network.ts";
import type { DurableState } from "./server.ts";
import { parseStored } from "./shared-cache.ts";
import type { ExternalEffect, HookAnswer } from "./tools.ts";
import type { World } from "./world.ts";

export type StoredThread = {
  readonly at: ThreadRef;
  readonly rows: readonly StoredRecord[];
  readonly records: readonly ThreadRecord[];
  readonly blobs: ReadonlyMap<string, string>;
};

export type Evidence = {
  readonly threads: readonly StoredThread[];
  /** Rows that could not be loaded. */
  readonly unreadable: readonly string[];
  readonly clientRequests: readonly ClientRequest[];
  readonly effects: readonly ExternalEffect[];
  readonly hookCalls: readonly HookAnswer[];
  readonly prompts: DurableState["models"]["prompts"];
  readonly live: DurableState["live"];
  readonly telemetry: DurableState["telemetry"];
  readonly secret: string;
  /** True if the clock jumped. Durations by the clock then prove nothing. */
  readonly clockJumped: boolean;
  /** The events that readers received over all their connections, by thread. */
  readonly receivedEvents: ReadonlyMap<string, readonly DurableEvent[]>;
  readonly jobs: JobsEvidence | null;
  readonly changes: ChangesState | null;
  /** The listed threads. */
  readonly listed: readonly string[];
};

export type JobsEvidence = {
  readonly facts: JobsState;
  readonly outbox: readonly Delivery[];
  /** The log of every schedule that still exists. */
  readonly schedules: readonly { readonly key: string; readonly rows: readonly StoredRecord[] }[];
  readonly clockRange: World["clockRange"];
  readonly now: number;
};

export function collectEvidence(
  world: World,
  network: Network,
  durable: DurableState,
  data: MemoryData,
  people: readonly Person[],
  secret: string,
): Evidence {
  const unreadable: string[] = [];
  const threads = [...data.records].flatMap(([key, rows]): StoredThread[] => {
    const [tenant = "", thread = ""] = key.split("/");
    // Schedules and similar documents are stored next to threads.
    if (!thread.startsWith("thr_")) return [];
    const records = rows.flatMap((row) => {
      const lifted = parseStored(world, thread, row);
      if (lifted.ok) return [lifted.value];
      unreadable.push(`${key} ${row.version}: ${lifted.problem.message}`);
      return [];
    });
    const at = { tenant: TenantId.parse(tenant), thread: ThreadId.parse(thread) };
    return [{ at, rows, records, blobs: data.blobs.get(key) ?? new Map() }];
  });
  const { clientRequests } = network;
  return {
    threads,
    unreadable,
    clientRequests,
    effects: durable.outside.effects,
    hookCalls: durable.outside.hookCalls,
    clockJumped: world.clockJumped(),
    prompts: durable.models.prompts,
    live: durable.live,
    telemetry: durable.telemetry,
    secret,
    receivedEvents: new Map(people.flatMap(({ shared }) => [...shared.receivedEvents])),
    changes: durable.changes,
    listed: [...data.metas].flatMap(([tenant, metas]) => [...metas.keys()].map((thread) => `${tenant}/${thread}`)),
    jobs: durable.jobs && {
      facts: durable.jobs,
      outbox: outboxOf(data),
      schedules: [...data.records].filter(([key]) => key.includes("/sch_")).map(([key, rows]) => ({ key, rows })),
      clockRange: world.clockRange,
      now: world.now(),
    },
  };
}
