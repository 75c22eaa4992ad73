// I10 for changing webhooks: a webhook that was enabled all the time is notified, a disabled one is not, and an
// endpoint that responded with 410 Gone gets no more requests.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { Webhook } from "../../../src/schema/jobs/webhook.ts";
import { eventsOf } from "../../../src/turn/commit/events.ts";
import { deliveryId } from "../../../src/turn/commit/webhook-deliveries.ts";
import {
  allWebhooks,
  type ChangesState,
  removedCommits,
  wasRemoved,
  webhookAt,
  webhookHistory,
} from "../changes/changes-state.ts";
import type { Evidence, JobsEvidence, StoredThread } from "../evidence.ts";
import { isLogFull, missingDelivery, retriedFor } from "./webhooks.ts";

/** The maximum time between reading the settings and acting on them. */
const SETTINGS_DELAY_MAX_MS = 260_000;
const DAY_MS = 86_400_000;

type WebhookHistory = ReturnType<typeof webhookHistory>;

export function webhookChangesApply(evidence: Evidence): readonly string[] {
  const { changes, jobs, threads } = evidence;
  if (!changes || !jobs) return [];
  const histories = new Map(
    [...allWebhooks(changes)].map(([id, { tenant }]) => [id, { tenant, course: webhookHistory(changes, tenant, id) }]),
  );
  const posted = new Set(jobs.facts.posts.map(({ id }) => id));
  return [
    ...[...histories].flatMap(([id, { tenant, course }]) =>
      course.at(-1)?.webhook && !isLogFull(jobs, id)
        ? missingDeliveries(
            changes,
            jobs,
            threads.filter(({ at }) => at.tenant === tenant),
            id,
            course,
            posted,
          )
        : [],
    ),
    ...disabledWebhooksAreSilent(changes, histories),
    ...goneEndpointsAreDisabled(changes, histories),
    ...deadLettersHaveReason(jobs, histories),
    ...retriesHaveSameBody(jobs, changes),
  ];
}

/** Returns all states during a period. */
function statesDuring(history: WebhookHistory, from: number, to: number): readonly (Webhook | null)[] {
  // A webhook from before the history existed from its start. One that was removed before the period does not count.
  const before = history.findLast(({ time }) => time <= Math.max(from, 0));
  return [
    before?.webhook ?? null,
    ...history.filter(({ time }) => time > from && time <= to).map(({ webhook }) => webhook),
  ];
}

function missingDeliveries(
  changes: ChangesState,
  jobs: JobsEvidence,
  threads: readonly StoredThread[],
  id: string,
  history: WebhookHistory,
  posted: ReadonlySet<string>,
): readonly string[] {
  const copied = new Set(removedCommits(changes));
  const wrong: string[] = [];
  for (const { at, records } of threads) {
    for (const record of records) {
      const { commit_id } = record.entry;
      const time = changes.committed.get(commit_id)?.time;
      if (copied.has(commit_id) || record.version === 0 || time === undefined) continue;
      copied.add(commit_id);
      const was = statesDuring(history, time - SETTINGS_DELAY_MAX_MS, time);
      for (const { type, seq } of eventsOf(at.thread, record)) {
        const subscribed = was.every(
          (one) =>
            one?.enabled &&
            one.events.some((event) => event === type) &&
            (one.thread === null || one.thread === at.thread),
        );
        const delivery = subscribed
          ? deliveryId(nodeHash, { webhook: id, thread: at.thread, seq, commit: commit_id })
          : "";
        if (subscribed && !posted.has(delivery)) wrong.push(...missingDelivery(jobs, at.thread, delivery, type));
      }
    }
  }
  return wrong;
}

type WebhookHistories = ReadonlyMap<string, { readonly tenant: string; readonly course: WebhookHistory }>;

function disabledWebhooksAreSilent(changes: ChangesState, histories: WebhookHistories): readonly string[] {
  return changes.arrivals.flatMap(({ url, time }) => {
    const id = webhookAt(changes, url)?.id;
    const history = id === undefined ? undefined : histories.get(id)?.course;
    if (!history) return [`I10 ${url} was notified without a subscription`];
    return statesDuring(history, time - SETTINGS_DELAY_MAX_MS, time).some((one) => one?.enabled)
      ? []
      : [`I10 ${id} was disabled, but ${url} was notified nevertheless`];
  });
}

/**
 * Checks that endpoints that are gone are disabled. If disabling could not be saved, the endpoint gets another request,
 * but not for a thread that was removed meanwhile.
 */
function goneEndpointsAreDisabled(changes: ChangesState, histories: WebhookHistories): readonly string[] {
  const gone = changes.goneResponses.filter(({ thread }) => !wasRemoved(changes, thread));
  return [...new Set(gone.map(({ url }) => url))].flatMap((url) => {
    const last = gone.findLast((one) => one.url === url)?.time ?? 0;
    const id = webhookAt(changes, url)?.id;
    const history = (id === undefined ? undefined : histories.get(id)?.course) ?? [];
    return statesDuring(history, last, Number.POSITIVE_INFINITY).some((one) => !one?.enabled || one.url !== url)
      ? []
      : [`I10 ${url} responded that it is gone, but ${id} is still enabled`];
  });
}

/** Checks that a delivery is dead-lettered within a day only if the webhook was disabled. */
const deadLettersHaveReason = (jobs: JobsEvidence, histories: WebhookHistories): readonly string[] =>
  jobs.facts.ledger.deadLettered.flatMap((dead) => {
    const { id, webhook, time: then, reason } = dead;
    const retried = retriedFor(jobs, dead);
    if (!reason.includes("switched off") && retried >= DAY_MS) return [];
    const history = histories.get(webhook)?.course ?? [];
    const made = history.findIndex(({ webhook: one }) => one !== null);
    return history.slice(made).some(({ webhook: one, time }) => time <= then && !one?.enabled)
      ? []
      : [`I10 ${id} was dead-lettered after ${retried} ms: ${reason}, but ${webhook} was not disabled`];
  });

function retriesHaveSameBody({ facts }: JobsEvidence, changes: ChangesState): readonly string[] {
  const first = new Map<string, string>();
  return facts.posts.flatMap(({ id, body }) => {
    const { thread = "" } = (JSON.parse(body) as { data: { thread?: string } }).data;
    const before = first.get(id) ?? body;
    first.set(id, before);
    return before === body || wasRemoved(changes, thread) ? [] : [`I10 ${id} was sent with another body`];
  });
}
