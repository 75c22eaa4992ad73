// Deliveries that wait to go out. They are put by the commit that causes them; here they are found and settled.
import type { Delivery, ThreadStore } from "../../ports/thread-store.ts";
import { ok } from "../../schema/problem.ts";
import type { OpenFile } from "./open.ts";

const PUT = `
INSERT INTO outbox (tenant, thread, id, due_at, attempts, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (tenant, thread, id) DO UPDATE
SET due_at = excluded.due_at, attempts = excluded.attempts, body = excluded.body`;

const DUE = `
SELECT id, tenant, thread, due_at, attempts, body FROM outbox WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ?2`;

/** Only what still waits is replaced: a delivery that was settled or removed meanwhile never comes back. */
const REPLACE = `
UPDATE outbox SET due_at = ?4, attempts = ?5, body = ?6 WHERE tenant = ?1 AND thread = ?2 AND id = ?3`;

const TAKE = "DELETE FROM outbox WHERE tenant = ?1 AND thread = ?2 AND id = ?3";

export type OutboxRows = { readonly put: (delivery: Delivery) => void };

export function outboxRows({ db }: OpenFile): OutboxRows {
  const put = db.prepare(PUT);
  return {
    put({ tenant, thread, id, due_at, attempts, body }) {
      put.run(tenant, thread, id, due_at, attempts, body);
    },
  };
}

export function outboxMethods({ db, read, write }: OpenFile): Pick<ThreadStore, "dueDeliveries" | "settleDelivery"> {
  const due = db.prepare(DUE);
  const replace = db.prepare(REPLACE);
  const take = db.prepare(TAKE);
  return {
    dueDeliveries: (now, limit) => read(() => ok((due.all(now, limit) as Delivery[]).map((row) => ({ ...row })))),
    settleDelivery: ({ tenant, thread, id }, next) =>
      write(() => {
        if (next === null) take.run(tenant, thread, id);
        else replace.run(tenant, thread, id, next.due_at, next.attempts, next.body);
        return ok(undefined);
      }),
  };
}
