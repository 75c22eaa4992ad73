// Stores the log of an inbound webhook: one line for each of the newest hundred events, and their bodies, so that an event can be processed again.
import { isoTime } from "../../ports/clock.ts";
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import type { TenantId, ThreadRef } from "../../schema/ids.ts";
import { InboundEventEntry } from "../../schema/jobs/webhook.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createDocument, documentThreadRef } from "../documents.ts";
import { LOG_LINES_MAX, readLog, readOutdated } from "./delivery-log.ts";

const LINE_PREFIX = "log_";
/** Prefix of the rows with bodies. They are separate, so that listing the log does not load them. */
const BODY_PREFIX = "body_";

const row = (at: ThreadRef, id: string, body: string): Delivery => ({
  ...at,
  id,
  due_at: NEVER_DUE,
  attempts: 0,
  body,
});

/** Newest first. */
export async function eventLog(
  rt: Runtime,
  tenant: TenantId,
  hook: string,
): Promise<Result<readonly InboundEventEntry[]>> {
  const rows = await readLog(rt, documentThreadRef(tenant, hook), InboundEventEntry);
  return rows.ok ? ok(rows.value.slice(0, LOG_LINES_MAX).map(({ line }) => line)) : rows;
}

type Received = Pick<InboundEventEntry, "event" | "thread" | "problem"> & { readonly body: string };

/** A line that cannot be written loses no event, so its problem is not reported to the sender. */
export async function recordEvent(
  rt: Runtime,
  tenant: TenantId,
  hook: string,
  { body, ...facts }: Received,
): Promise<void> {
  const at = documentThreadRef(tenant, hook);
  const id = rt.ids.make("dlv");
  const line: InboundEventEntry = { id, at: isoTime(rt.clock.now()), ...facts };
  const stored = await rt.store.putDelivery(row(at, `${BODY_PREFIX}${id}`, body));
  if (!stored.ok) {
    if (stored.problem.code !== "thread_not_found") return;
    // The log does not exist before the first event of this webhook.
    await createDocument(rt, at, {});
    await rt.store.putDelivery(row(at, `${BODY_PREFIX}${id}`, body));
  }
  await rt.store.putDelivery(row(at, `${LINE_PREFIX}${id}`, JSON.stringify(line)));
  const outdated = await readOutdated(rt, at, InboundEventEntry);
  if (!outdated.ok) return;
  for (const { row: old, line: removed } of outdated.value) {
    await rt.store.settleDelivery(old, null);
    await rt.store.settleDelivery(row(at, `${BODY_PREFIX}${removed.id}`, ""), null);
  }
}

export async function loggedBody(rt: Runtime, tenant: TenantId, hook: string, id: string): Promise<Result<string>> {
  const rows = /^dlv_[0-9a-z]{26}$/.test(id)
    ? await rt.store.deliveries(documentThreadRef(tenant, hook), 1, `${BODY_PREFIX}${id}`)
    : ok([]);
  if (!rows.ok && rows.problem.code !== "thread_not_found") return rows;
  const found = rows.ok ? rows.value[0] : undefined;
  return found ? ok(found.body) : fail("delivery_not_found", "The log of this inbound webhook has no such event.");
}
