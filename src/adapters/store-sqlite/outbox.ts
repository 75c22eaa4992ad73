// Finds and settles the pending deliveries of the outbox. Most deliveries are written by the commit that causes them.
import type { Delivery, ThreadStore } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok } from "../../schema/problem.ts";
import { notFound } from "./failures.ts";
import type { OpenFile } from "./open.ts";

const PUT = `
INSERT INTO outbox (tenant, thread, id, due_at, attempts, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (tenant, thread, id) DO UPDATE
SET due_at = excluded.due_at, attempts = excluded.attempts, body = excluded.body`;

/** Uses `LIMIT +?` because SQLite plans a statement again on every call if its limit is a bare `?`. */
const DUE = `
SELECT id, tenant, thread, due_at, attempts, body FROM outbox WHERE due_at <= ?1 ORDER BY due_at, id LIMIT +?2`;

const OF_THREAD = `
SELECT id, tenant, thread, due_at, attempts, body FROM outbox
WHERE tenant = ?1 AND thread = ?2 AND id >= ?4 AND id < ?5 ORDER BY due_at, id LIMIT +?3`;

/** Matches a delivery only if no other worker has changed it since it was read. */
const AS_READ = "tenant = ?1 AND thread = ?2 AND id = ?3 AND due_at = ?4 AND attempts = ?5";
const REPLACE = `UPDATE outbox SET due_at = ?6, attempts = ?7, body = ?8 WHERE ${AS_READ}`;
const DELETE_AS_READ = `DELETE FROM outbox WHERE ${AS_READ}`;
const DROP = "DELETE FROM outbox WHERE tenant = ?1 AND thread = ?2 AND id = ?3";
const SELECT_EXACT = `SELECT 1 FROM outbox WHERE ${AS_READ} AND body = ?6`;
const SELECT_THREAD = "SELECT 1 FROM records WHERE tenant = ?1 AND thread = ?2 LIMIT 1";

export type OutboxRows = {
  readonly put: (delivery: Delivery) => void;
  readonly drop: (at: ThreadRef, id: string) => void;
};

export function outboxRows({ db }: OpenFile): OutboxRows {
  const put = db.prepare(PUT);
  const drop = db.prepare(DROP);
  return {
    put({ tenant, thread, id, due_at, attempts, body }) {
      put.run(tenant, thread, id, due_at, attempts, body);
    },
    drop({ tenant, thread }, id) {
      drop.run(tenant, thread, id);
    },
  };
}

/** Rows of node:sqlite have no prototype. Spreading one would take several times as long. */
const copyRow = ({ tenant, thread, id, due_at, attempts, body }: Delivery): Delivery => ({
  id,
  tenant,
  thread,
  due_at,
  attempts,
  body,
});

type OutboxMethods = Pick<ThreadStore, "dueDeliveries" | "settleDelivery" | "putDelivery" | "deliveries">;

export function outboxMethods({ db, read, write }: OpenFile, rows: OutboxRows): OutboxMethods {
  const due = db.prepare(DUE);
  const ofThread = db.prepare(OF_THREAD);
  const replace = db.prepare(REPLACE);
  const deleteAsRead = db.prepare(DELETE_AS_READ);
  const exactRow = db.prepare(SELECT_EXACT);
  const threadRow = db.prepare(SELECT_THREAD);
  const copyRows = (found: unknown[]): Delivery[] => (found as Delivery[]).map(copyRow);
  return {
    dueDeliveries: (now, limit) => read(() => ok(copyRows(due.all(now, limit)))),
    deliveries: ({ tenant, thread }, limit, prefix = "") =>
      read(() => ok(copyRows(ofThread.all(tenant, thread, limit, prefix, `${prefix}\u{10ffff}`)))),
    putDelivery: (delivery) =>
      write(() => {
        if (!threadRow.get(delivery.tenant, delivery.thread)) return notFound(delivery);
        rows.put(delivery);
        return ok(undefined);
      }),
    settleDelivery: ({ tenant, thread, id, due_at, attempts }, next) =>
      write(() => {
        const as_read = [tenant, thread, id, due_at, attempts] as const;
        if (next === null) return ok(deleteAsRead.run(...as_read).changes > 0);
        if (replace.run(...as_read, next.due_at, next.attempts, next.body).changes > 0) return ok(true);
        return ok(exactRow.get(tenant, thread, id, next.due_at, next.attempts, next.body) !== undefined);
      }),
  };
}
