// I10: a subscriber receives every committed event at least once, always with the same id and body, or finds it among
// the dead letters with a reason; and no uncommitted event is sent.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { LOG_LINES_MAX } from "../../../src/jobs/webhooks/delivery-log.ts";
import { NEVER_DUE } from "../../../src/ports/thread-store.ts";
import { eventsOf } from "../../../src/turn/commit/events.ts";
import { deliveryId } from "../../../src/turn/commit/webhook-deliveries.ts";
import type { Evidence, JobsEvidence, StoredThread } from "../evidence.ts";
import type { Endpoint, Post } from "../jobs/jobs-state.ts";

const DAY_MS = 86_400_000;

export function webhooksAreDelivered({ threads, jobs, changes }: Evidence): readonly string[] {
  if (!jobs) return [];
  const { posts, endpoints } = jobs.facts;
  return [
    ...posts.flatMap(({ url, id, violation }) => (violation ? [`I10 ${url} was sent ${id}: ${violation}`] : [])),
    ...(changes ? [] : retriesHaveSameBody(posts)),
    // With changing webhooks, subscriptions.ts checks which events must be delivered.
    ...(changes ? [] : endpoints.flatMap((endpoint) => allEventsDelivered(endpoint, threads, jobs))),
    ...(changes ? [] : notDeadLetteredEarly(jobs)),
  ];
}

function retriesHaveSameBody(posts: readonly Post[]): readonly string[] {
  const first = new Map<string, string>();
  return posts.flatMap(({ url, id, body }) => {
    const before = first.get(id);
    first.set(id, before ?? `${url} ${body}`);
    return before === undefined || before === `${url} ${body}` ? [] : [`I10 ${id} was sent with another body`];
  });
}

function allEventsDelivered(
  endpoint: Endpoint,
  threads: readonly StoredThread[],
  jobs: JobsEvidence,
): readonly string[] {
  const { webhook, tenant, url } = endpoint;
  if (isLogFull(jobs, webhook.id)) return [];
  const taken = new Set(jobs.facts.posts.filter((post) => post.url === url).map(({ id }) => id));
  const copied = new Set<string>();
  const wrong: string[] = [];
  for (const { at, records } of threads) {
    for (const record of records) {
      // A fork begins with events of another thread.
      if (copied.has(record.entry.commit_id) || at.tenant !== tenant) continue;
      copied.add(record.entry.commit_id);
      for (const event of eventsOf(at.thread, record)) {
        if (record.version === 0 || !webhook.events.some((type) => type === event.type)) continue;
        const id = deliveryId(nodeHash, {
          webhook: webhook.id,
          thread: at.thread,
          seq: event.seq,
          commit: record.entry.commit_id,
        });
        if (!taken.has(id)) wrong.push(...missingDelivery(jobs, at.thread, id, event.type));
      }
    }
  }
  return wrong;
}

/** Reports whether the log of a webhook is full. It is bounded, and a dead letter is dropped with its line. */
export const isLogFull = ({ outbox }: JobsEvidence, webhook: string): boolean =>
  outbox.filter(({ id, thread }) => id.startsWith("log_") && String(thread) === webhook).length >= LOG_LINES_MAX;

export function missingDelivery({ outbox }: JobsEvidence, thread: string, id: string, type: string): readonly string[] {
  const row = outbox.find((one) => one.thread === thread && one.id === id);
  if (!row) return [`I10 ${type} of ${thread} is missing and was not delivered (${id})`];
  if (row.due_at !== NEVER_DUE) return [`I10 ${type} of ${thread} is still pending (${id})`];
  return (JSON.parse(row.body) as { reason?: string }).reason ? [] : [`I10 ${id} is dead-lettered without a reason`];
}

/**
 * Checks that a delivery is dead-lettered no earlier than a day after the first attempt, unless the webhook was
 * removed.
 */
const notDeadLetteredEarly = (jobs: JobsEvidence): readonly string[] =>
  jobs.facts.ledger.deadLettered.flatMap((dead) => {
    const retried = retriedFor(jobs, dead);
    return retried >= DAY_MS ? [] : [`I10 ${dead.id} was dead-lettered after ${retried} ms: ${dead.reason}`];
  });

/** The maximum time in a history between an attempt and its result. */
const ATTEMPT_MAX_MS = 260_000;

/** Returns how long a delivery was retried, by the highest reading of the clock during its last attempt. */
export const retriedFor = (
  { clockRange }: JobsEvidence,
  { time, since }: JobsEvidence["facts"]["ledger"]["deadLettered"][number],
): number => clockRange(Math.max(0, time - ATTEMPT_MAX_MS), time).highest - since;
