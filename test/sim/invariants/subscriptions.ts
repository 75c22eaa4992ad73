// I10 where webhooks change: whoever was subscribed all the time is told, whoever is switched off is not, and an endpoint
// that said it is gone is asked no more.
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
import { isLogFull, missingDelivery } from "./webhooks.ts";

/** The longest from a look at the settings to what follows from it. */
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

/** What it was at every moment of a while. */
function statesDuring(history: WebhookHistory, from: number, to: number): readonly (Webhook | null)[] {
  const before = history.findLast(({ time }) => time <= from)?.webhook;
  // What was there when the history began was there before.
  const first = history.findLast(({ time }) => time === 0)?.webhook ?? null;
  return [before ?? first, ...history.filter(({ time }) => time > from && time <= to).map(({ webhook }) => webhook)];
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
        const wanted = was.every(
          (one) =>
            one?.enabled &&
            one.events.some((event) => event === type) &&
            (one.thread === null || one.thread === at.thread),
        );
        const delivery = wanted ? deliveryId(nodeHash, id, at.thread, seq) : "";
        if (wanted && !posted.has(delivery)) wrong.push(...missingDelivery(jobs, at.thread, delivery, type));
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
    if (!history) return [`I10 ${url} was told of something, and nobody subscribed there`];
    return statesDuring(history, time - SETTINGS_DELAY_MAX_MS, time).some((one) => one?.enabled)
      ? []
      : [`I10 ${id} was switched off, and ${url} was told all the same`];
  });
}

/** If that cannot be saved, the endpoint is asked again; but not about a thread that was removed meanwhile. */
function goneEndpointsAreDisabled(changes: ChangesState, histories: WebhookHistories): readonly string[] {
  const gone = changes.goneResponses.filter(({ thread }) => !wasRemoved(changes, thread));
  return [...new Set(gone.map(({ url }) => url))].flatMap((url) => {
    const last = gone.findLast((one) => one.url === url)?.time ?? 0;
    const id = webhookAt(changes, url)?.id;
    const history = (id === undefined ? undefined : histories.get(id)?.course) ?? [];
    return statesDuring(history, last, Number.POSITIVE_INFINITY).some((one) => !one?.enabled || one.url !== url)
      ? []
      : [`I10 ${url} said that it is gone, and ${id} is still switched on`];
  });
}

/** Before its day is over, only because the webhook was switched off. */
const deadLettersHaveReason = (jobs: JobsEvidence, histories: WebhookHistories): readonly string[] =>
  jobs.facts.ledger.deadLettered.flatMap(({ id, webhook, time: then, since, now, reason }) => {
    if (!reason.includes("switched off") && (jobs.clockJumped || now - since >= DAY_MS)) return [];
    const history = histories.get(webhook)?.course ?? [];
    const made = history.findIndex(({ webhook: one }) => one !== null);
    return history.slice(made).some(({ webhook: one, time }) => time <= then && !one?.enabled)
      ? []
      : [`I10 ${id} was given up after ${now - since} ms: ${reason}, and ${webhook} was not off`];
  });

function retriesHaveSameBody({ facts }: JobsEvidence, changes: ChangesState): readonly string[] {
  const first = new Map<string, string>();
  return facts.posts.flatMap(({ id, body }) => {
    const { thread = "" } = (JSON.parse(body) as { data: { thread?: string } }).data;
    const before = first.get(id) ?? body;
    first.set(id, before);
    return before === body || wasRemoved(changes, thread) ? [] : [`I10 ${id} was sent in other words`];
  });
}
