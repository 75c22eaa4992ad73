// Builds the body of a delivery. It is derived from the record each time it is sent, so it is the same for every attempt.
import type { DurableEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { Webhook } from "../../schema/jobs/webhook.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { eventsOf } from "../../turn/commit/events.ts";
import type { WebhookDeliveryBody } from "../../turn/commit/webhook-deliveries.ts";
import { readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createConfirmLink, type LinkSettings } from "./confirm-links.ts";

/** Returns null if the record is gone, so there is nothing to send. */
export async function buildPayload(
  rt: Runtime,
  at: ThreadRef,
  row: WebhookDeliveryBody,
  webhook: Webhook,
  key: LinkSettings | null,
): Promise<Result<string | null>> {
  const records = await readRecords(rt, at, row.version, row.version);
  if (!records.ok) return records.problem.code === "thread_not_found" ? ok(null) : records;
  const record = records.value[0];
  const event = record ? eventsOf(at.thread, record).find(({ seq }) => seq === row.seq) : undefined;
  return ok(event ? JSON.stringify(payloadBody(event, linkFor(at, event, webhook, key))) : null);
}

function payloadBody({ type, at, ...data }: DurableEvent, link: string | null) {
  return { type, timestamp: at, data: link ? { ...data, links: { confirm: link } } : data };
}

const linkFor = (at: ThreadRef, event: DurableEvent, webhook: Webhook, key: LinkSettings | null): string | null =>
  event.type === "gate.opened" && webhook.links && key ? createConfirmLink(key, at, webhook, event.gate) : null;
