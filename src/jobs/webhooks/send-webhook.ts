// Makes one delivery attempt. Delivery is at-least-once: after a crash, the same event is sent again under the same id.
import * as z from "zod";
import { type Backoff, backoffMs, seededRandom } from "../../ports/backoff.ts";
import { isoTime } from "../../ports/clock.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import type { DurableEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { type DeliveryLogEntry, type Webhook, WebhookEvent } from "../../schema/jobs/webhook.ts";
import { ok, type Problem, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { eventsOf } from "../../turn/commit/events.ts";
import { type DeliveredEvent, deliveryId, type WebhookDeliveryBody } from "../../turn/commit/webhook-deliveries.ts";
import { readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { leaseDelivery } from "../lease.ts";
import { createConfirmLink, type LinkSettings } from "./confirm-links.ts";
import { recordDelivery } from "./delivery-log.ts";
import { postWebhook } from "./post-webhook.ts";
import { findWebhook, updateWebhook } from "./subscriptions.ts";

export type SendWebhookOptions = {
  readonly fetcher: Fetcher;
  readonly links: LinkSettings | null;
  readonly owner: string;
  readonly timeout_ms?: number;
};

export type WebhookResult =
  | { readonly kind: "not_acquired" | "gone" | "delivered" }
  | { readonly kind: "retry"; readonly reason: string; readonly due_at: number }
  | { readonly kind: "dead"; readonly reason: string };

const Row = z.object({
  kind: z.literal("webhook"),
  webhook: z.string(),
  version: z.int(),
  seq: z.int(),
  type: WebhookEvent,
  /** The time of the first attempt. */
  since: z.number().optional(),
});
type Row = z.infer<typeof Row>;

const LEASE_MS = 60_000;
const RETRY_DELAY_MAX_MS = 4 * 3_600_000;
const SPREAD = [0.8, 1.2] as const;
const BACKOFF: Backoff = { first_ms: 5_000, max_ms: RETRY_DELAY_MAX_MS, factor: 3, spread: SPREAD };
/** The longest delay between two attempts. */
export const LONGEST_WAIT_MS = SPREAD[1] * RETRY_DELAY_MAX_MS;
/** Retries end a day after the first attempt. */
const RETRY_WINDOW_MS = 86_400_000;

export async function sendWebhook(rt: Runtime, due: Delivery, options: SendWebhookOptions): Promise<WebhookResult> {
  const row = Row.parse(JSON.parse(due.body));
  const now = rt.clock.now();
  // If the clock was ahead at the first attempt, the retries must not last longer because of it.
  const attempted: Row = { ...row, since: Math.min(row.since ?? now, now) };
  const leased = leaseDelivery(rt, due, { lease_ms: LEASE_MS, busy_ms: 0 }, { ...attempted, owner: options.owner });
  const acquired = await rt.store.settleDelivery(due, leased);
  if (!acquired.ok || !acquired.value) return { kind: "not_acquired" };
  const webhook = await findWebhook(rt, due.tenant, row.webhook);
  if (!webhook.ok) {
    if (webhook.problem.code !== "webhook_not_found")
      return scheduleRetry(rt, leased, attempted, null, problemReason(webhook.problem));
    await rt.store.settleDelivery(leased, null);
    return { kind: "gone" };
  }
  if (!webhook.value.enabled) return deadLetter(rt, leased, attempted, null, "the webhook is switched off");
  const body = await buildPayload(rt, due, row, webhook.value, options.links);
  if (!body.ok) return scheduleRetry(rt, leased, attempted, null, problemReason(body.problem));
  if (body.value === null) {
    await rt.store.settleDelivery(leased, null);
    return { kind: "gone" };
  }
  const { fetcher, timeout_ms } = options;
  const response = await postWebhook(rt, fetcher, webhook.value, { id: due.id, body: body.value, timeout_ms });
  return settleResponse(rt, leased, attempted, response);
}

type PostResponse = Awaited<ReturnType<typeof postWebhook>>;

async function settleResponse(rt: Runtime, leased: Delivery, row: Row, response: PostResponse): Promise<WebhookResult> {
  if (!response.ok) return scheduleRetry(rt, leased, row, null, problemReason(response.problem));
  const { status, headers } = response.value;
  if (status >= 200 && status < 300) {
    await logAttempt(rt, leased, row, { status: "delivered", http_status: status, reason: null, next_at: null });
    await rt.store.settleDelivery(leased, null);
    return { kind: "delivered" };
  }
  if (status === 410) {
    const disabled = await updateWebhook(rt, leased.tenant, row.webhook, (webhook) =>
      ok({ ...webhook, enabled: false }),
    );
    // The webhook could not be disabled, so the delivery is retried. The endpoint will respond with 410 again.
    if (!disabled.ok && disabled.problem.code !== "webhook_not_found")
      return scheduleRetry(rt, leased, row, status, `answered ${status}, and ${problemReason(disabled.problem)}`);
    return deadLetter(rt, leased, row, status, "the endpoint is gone; the webhook was switched off");
  }
  const reason =
    status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`;
  return scheduleRetry(rt, leased, row, status, reason, parseRetryAfter(headers["retry-after"]));
}

/** Omits the message of the problem, which may contain a URL with a secret. */
const problemReason = ({ code, details }: Problem): string =>
  typeof details?.reason === "string" ? `${code} (${details.reason})` : code;

const parseRetryAfter = (retry_after: string | undefined): number =>
  retry_after && /^\d{1,6}$/.test(retry_after) ? Number(retry_after) : 0;

async function scheduleRetry(
  rt: Runtime,
  leased: Delivery,
  row: Row,
  http_status: number | null,
  reason: string,
  wait_s = 0,
): Promise<WebhookResult> {
  const now = rt.clock.now();
  const retryUntil = (row.since ?? now) + RETRY_WINDOW_MS;
  if (now >= retryUntil) return deadLetter(rt, leased, row, http_status, reason);
  const delay = Math.max(retryDelay(rt, leased), Math.min(wait_s * 1000, RETRY_DELAY_MAX_MS));
  const due_at = Math.min(now + delay, retryUntil);
  await logAttempt(rt, leased, row, { status: "retrying", http_status, reason, next_at: isoTime(due_at) });
  await rt.store.settleDelivery(leased, { ...leased, due_at, body: JSON.stringify(row) });
  return { kind: "retry", reason, due_at };
}

const retryDelay = (rt: Runtime, { id, attempts }: Delivery): number =>
  Math.round(backoffMs(BACKOFF, attempts, seededRandom(rt.hash, `${id} ${attempts}`)));

/** Keeps the delivery in the store as never due, so that it can be inspected and redelivered. */
async function deadLetter(
  rt: Runtime,
  leased: Delivery,
  row: Row,
  http_status: number | null,
  reason: string,
): Promise<WebhookResult> {
  const logged = await logAttempt(rt, leased, row, { status: "dead", http_status, reason, next_at: null });
  // A dead letter can be found only by its log line. If the line is missing, the delivery stays leased and is retried when the lease expires.
  if (!logged) return { kind: "retry", reason, due_at: leased.due_at };
  await rt.store.settleDelivery(leased, { ...leased, due_at: NEVER_DUE, body: JSON.stringify({ ...row, reason }) });
  return { kind: "dead", reason };
}

const logAttempt = (
  rt: Runtime,
  { tenant, thread, id, attempts }: Delivery,
  { webhook, type, version, seq }: Row,
  result: Pick<DeliveryLogEntry, "status" | "http_status" | "reason" | "next_at">,
): Promise<boolean> =>
  recordDelivery(rt, tenant, webhook, {
    id,
    thread,
    type,
    version,
    seq,
    attempts,
    at: isoTime(rt.clock.now()),
    ...result,
  });

/** Returns null if the record is gone, so there is nothing to send. */
async function buildPayload(
  rt: Runtime,
  { id, tenant, thread }: Delivery,
  row: WebhookDeliveryBody,
  webhook: Webhook,
  key: LinkSettings | null,
): Promise<Result<string | null>> {
  const at = { tenant, thread };
  const records = await readRecords(rt, at, row.version, row.version);
  if (!records.ok) return records.problem.code === "thread_not_found" ? ok(null) : records;
  const record = records.value[0];
  if (!record || !isOfRecord(rt, id, { webhook: row.webhook, thread, seq: row.seq }, record)) return ok(null);
  const event = eventsOf(thread, record).find(({ seq, type }) => seq === row.seq && type === row.type);
  return ok(event ? JSON.stringify(payloadBody(event, linkFor(at, event, webhook, key))) : null);
}

/** A thread that was removed and created again may have another record with this version. */
const isOfRecord = ({ hash }: Runtime, id: string, event: DeliveredEvent, { entry }: ThreadRecord): boolean =>
  [event, { ...event, commit: entry.commit_id }].some((one) => deliveryId(hash, one) === id);

function payloadBody({ type, at, ...data }: DurableEvent, link: string | null) {
  return { type, timestamp: at, data: link ? { ...data, links: { confirm: link } } : data };
}

const linkFor = (at: ThreadRef, event: DurableEvent, webhook: Webhook, key: LinkSettings | null): string | null =>
  event.type === "gate.opened" && webhook.links && key ? createConfirmLink(key, at, webhook, event.gate) : null;
