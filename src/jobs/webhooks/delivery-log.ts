// Stores the delivery log of a webhook with the webhook's own document: one line per delivery, limited to the newest hundred.
import type { z } from "zod";
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import type { TenantId, ThreadId, ThreadRef } from "../../schema/ids.ts";
import { DeliveryLogEntry } from "../../schema/jobs/webhook.ts";
import { parseJson } from "../../schema/json/parse-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { WebhookDeliveryBody } from "../../turn/commit/webhook-deliveries.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { documentThreadRef } from "../documents.ts";

export const LOG_LINES_MAX = 100;
const LOG_ID_PREFIX = "log_";

type LogRow<T> = { readonly row: Delivery; readonly line: T };

/** A log without a document has no rows. */
async function loadRows(rt: Runtime, at: ThreadRef): Promise<Result<readonly Delivery[]>> {
  const rows = await rt.store.deliveries(at, LOG_LINES_MAX * 2, LOG_ID_PREFIX);
  return rows.ok || rows.problem.code !== "thread_not_found" ? rows : ok([]);
}

/** Newest first. */
export async function readLog<T extends { readonly at: string }>(
  rt: Runtime,
  at: ThreadRef,
  schema: z.ZodType<T>,
): Promise<Result<readonly LogRow<T>[]>> {
  const rows = await loadRows(rt, at);
  if (!rows.ok) return rows;
  return ok(linesOf(rows.value, schema));
}

/** The lines beyond the limit. A log within it is not parsed, because this runs after every delivery. */
export async function readOutdated<T extends { readonly at: string }>(
  rt: Runtime,
  at: ThreadRef,
  schema: z.ZodType<T>,
): Promise<Result<readonly LogRow<T>[]>> {
  const rows = await loadRows(rt, at);
  if (!rows.ok) return rows;
  return ok(rows.value.length > LOG_LINES_MAX ? linesOf(rows.value, schema).slice(LOG_LINES_MAX) : []);
}

function linesOf<T extends { readonly at: string }>(rows: readonly Delivery[], schema: z.ZodType<T>): LogRow<T>[] {
  const lines = rows.flatMap((row) => {
    const line = readLine(row.body, schema);
    return line ? [{ row, line }] : [];
  });
  return lines.sort((a, b) => Number(b.line.at > a.line.at) - Number(b.line.at < a.line.at));
}

/** A line that cannot be read is omitted. */
const readLine = <T>(body: string, schema: z.ZodType<T>): T | null => schema.safeParse(parseJson(body)).data ?? null;

/** Newest first. */
export async function deliveryLog(
  rt: Runtime,
  tenant: TenantId,
  webhook: string,
): Promise<Result<readonly DeliveryLogEntry[]>> {
  const kept = await readLog(rt, documentThreadRef(tenant, webhook), DeliveryLogEntry);
  return kept.ok ? ok(kept.value.slice(0, LOG_LINES_MAX).map(({ line }) => line)) : kept;
}

/** False if the line was not written. A missing line loses no delivery, but a dead letter can be found only by its line. */
export async function recordDelivery(
  rt: Runtime,
  tenant: TenantId,
  webhook: string,
  line: DeliveryLogEntry,
): Promise<boolean> {
  const at = documentThreadRef(tenant, webhook);
  const id = `${LOG_ID_PREFIX}${line.id}`;
  const put = await rt.store.putDelivery({ ...at, id, due_at: NEVER_DUE, attempts: 0, body: JSON.stringify(line) });
  // A webhook that was removed in the meantime has no log.
  const written = put.ok || put.problem.code === "thread_not_found";
  const outdated = await readOutdated(rt, at, DeliveryLogEntry);
  if (!outdated.ok) return written;
  for (const { row, line: old } of outdated.value) {
    await rt.store.settleDelivery(row, null);
    // Removes the dead letter together with the last line that refers to it.
    if (old.status === "dead") await rt.store.settleDelivery(deadLetterRow(tenant, old), null);
  }
  return written;
}

/** Never due, with the attempts of the log line, as it is stored in its thread. */
const deadLetterRow = (tenant: TenantId, line: DeliveryLogEntry): Delivery => ({
  tenant,
  thread: line.thread as ThreadId,
  id: line.id,
  due_at: NEVER_DUE,
  attempts: line.attempts,
  body: "",
});

/** Sends under the same id. The event is derived from the record, so its content is the same. */
export async function redeliver(
  rt: Runtime,
  tenant: TenantId,
  webhook: string,
  id: string,
): Promise<Result<DeliveryLogEntry>> {
  const lines = await deliveryLog(rt, tenant, webhook);
  if (!lines.ok) return lines;
  const line = lines.value.find((one) => one.id === id);
  if (!line) return fail("delivery_not_found", "The log of this webhook has no such delivery.");
  const { version, seq, type } = line;
  const row: WebhookDeliveryBody = { kind: "webhook", webhook, version, seq, type };
  const put = await rt.store.putDelivery({
    tenant,
    thread: line.thread as ThreadId,
    id,
    due_at: rt.clock.now(),
    attempts: 0,
    body: JSON.stringify(row),
  });
  return put.ok ? ok(line) : put;
}
