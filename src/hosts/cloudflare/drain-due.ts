// Processes all due deliveries of a thread concurrently, so that an endpoint that hangs delays nothing else.
import type { ThreadRows } from "../../adapters/store-durable-object/thread-rows.ts";
import { repairFarRows } from "../../jobs/schedules/far-due.ts";
import { selectRunnable } from "../../jobs/worker.ts";
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { CloudflareHost } from "./host.ts";

/** The time budget of an alarm. The platform ends an alarm after fifteen minutes. */
const ALARM_BUDGET_MS = 10 * 60_000;
/** The budget is at least the turn deadline plus this time, so that a turn with a long deadline can still begin. */
const DEADLINE_MARGIN_MS = 60_000;
const DUE_LIMIT = 100;
/** The maximum number of concurrent deliveries of each kind. The platform opens at most six connections at once. */
const CONCURRENCY = 4;

export type DrainOptions = {
  readonly rows: () => ThreadRows;
  /** Resolves when another delivery becomes due. */
  readonly whenMoreWork: () => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** Returns false after a bug, so that the caller does not retry the same work immediately and endlessly. */
export async function drainDue(host: CloudflareHost, at: ThreadRef, parts: DrainOptions): Promise<boolean> {
  await host.prepare();
  const { clock, config } = host.rt;
  const running = new Map<string, { readonly due: Delivery; readonly done: Promise<void> }>();
  const skipped = new Set<string>();
  const until = clock.now() + Math.max(ALARM_BUDGET_MS, config.turn_deadline_ms + DEADLINE_MARGIN_MS);
  let healthy = true;

  const start = (due: Delivery): void => {
    const done = host
      .workOn(due, { until })
      .then(({ kind }) => {
        if (kind === "not_acquired") skipped.add(due.id);
      })
      .catch((error: unknown) => {
        healthy = false;
        skipped.add(due.id);
        parts.onError(error);
      })
      .finally(() => running.delete(due.id));
    running.set(due.id, { due, done });
  };

  for (;;) {
    const moreWork = parts.whenMoreWork();
    const inProgress = [...running.values()].map(({ due }) => due);
    const inTime = clock.now() + config.turn_deadline_ms <= until;
    const due = inTime ? parts.rows().due(clock.now(), DUE_LIMIT) : [];
    const waiting = due.filter(({ id }) => !running.has(id) && !skipped.has(id)).map((one) => ({ ...one, ...at }));
    for (const one of selectRunnable(waiting, inProgress, CONCURRENCY)) start(one);
    if (running.size === 0) return healthy;
    await Promise.race([moreWork, ...[...running.values()].map(({ done }) => done)]);
  }
}

export async function repairDueTimes({ rt, jobs }: CloudflareHost, at: ThreadRef, rows: ThreadRows): Promise<void> {
  const now = rt.clock.now();
  const later = rows.due(NEVER_DUE - 1, DUE_LIMIT).filter(({ due_at }) => due_at > now);
  if (later.length === 0 || !jobs.enabled) return;
  const deliveries = later.map((row) => ({ ...row, ...at }));
  await repairFarRows(rt, deliveries, { lease_ms: rt.config.turn_deadline_ms + jobs.lease_ms });
}
