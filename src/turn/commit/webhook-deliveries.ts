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

/** The same for every attempt, so that a receiver can detect duplicates. */
export const deliveryId = (hash: Hash, webhook: string, thread: string, seq: number): string =>
  `${DELIVERY_PREFIX}${hash.sha256(canonicalJson({ webhook, thread, seq })).slice(0, 26)}`;

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
          id: deliveryId(hash, id, at.thread, seq),
          due_at,
          attempts: 0,
          body: JSON.stringify(row),
        };
      }),
  );
}

const isWebhookEvent = (type: string): boolean => WEBHOOK_EVENTS.some((known) => known === type);
