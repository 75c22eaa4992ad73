// Creates the webhook deliveries of a record: one outbox row per subscription and event, in the same commit, so that a crash cannot lose any.
import type { Hash } from "../../ports/hash.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from "../../schema/jobs/webhook.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { eventsOf } from "./events.ts";

/** The body of an outbox row. It names the event without containing it, because events are derived from records when they are sent. */
export type WebhookDeliveryBody = {
  readonly kind: "webhook";
  readonly webhook: string;
  readonly version: number;
  readonly seq: number;
  readonly type: WebhookEvent;
};

export const DELIVERY_PREFIX = "dlv_";

/** An event of a thread. `commit` is absent for deliveries that were stored before their ids depended on it. */
export type DeliveredEvent = {
  readonly webhook: string;
  readonly thread: string;
  readonly seq: number;
  readonly commit?: string;
};

/**
 * The same for every attempt, so that a receiver can detect duplicates. The commit distinguishes the events of threads that had the same id, of which
 * one was removed.
 */
export const deliveryId = (hash: Hash, event: DeliveredEvent): string =>
  `${DELIVERY_PREFIX}${hash.sha256(canonicalJson(event)).slice(0, 26)}`;

export function webhookDeliveries(
  hash: Hash,
  at: ThreadRef,
  webhooks: readonly Webhook[],
  record: ThreadRecord,
): readonly Delivery[] {
  const subscribed = webhooks.filter(({ enabled, thread }) => enabled && (thread === null || thread === at.thread));
  if (subscribed.length === 0) return [];
  const published = eventsOf(at.thread, record).filter(({ type }) => isWebhookEvent(type));
  return published.flatMap(({ type, seq, version }) =>
    subscribed
      .filter(({ events }) => events.includes(type as WebhookEvent))
      .map(({ id }) => {
        const row: WebhookDeliveryBody = { kind: "webhook", webhook: id, version, seq, type: type as WebhookEvent };
        const due_at = Date.parse(record.entry.at);
        return {
          ...at,
          id: deliveryId(hash, { webhook: id, thread: at.thread, seq, commit: record.entry.commit_id }),
          due_at,
          attempts: 0,
          body: JSON.stringify(row),
        };
      }),
  );
}

const isWebhookEvent = (type: string): boolean => WEBHOOK_EVENTS.some((known) => known === type);
