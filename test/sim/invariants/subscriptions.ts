// I10 where webhooks change: whoever was subscribed all the time is told, whoever is switched off is not, and an endpoint
// that said it is gone is asked no more.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { Webhook } from "../../../src/schema/jobs/webhook.ts";
import { eventsOf } from "../../../src/turn/commit/events.ts";
import { deliveryId } from "../../../src/turn/commit/webhook-deliveries.ts";
import { type ChangesFacts, commitsRemoved, courseOf, knownAt, wasRemoved, webhooksOf } from "../changes/facts.ts";
import type { Evidence, JobsEvidence, StoredThread } from "../evidence.ts";
import { isFull, missing } from "./webhooks.ts";

/** The longest from a look at the settings to what follows from it. */
const SLOWNESS_MS = 260_000;
const DAY_MS = 86_400_000;

type Course = ReturnType<typeof courseOf>;

export function changesAreFollowed(evidence: Evidence): readonly string[] {
  const { changes, jobs, threads } = evidence;
  if (!changes || !jobs) return [];
  const courses = new Map(
    [...webhooksOf(changes)].map(([id, { tenant }]) => [id, { tenant, course: courseOf(changes, tenant, id) }]),
  );
  const posted = new Set(jobs.facts.posts.map(({ id }) => id));
  return [
    ...[...courses].flatMap(([id, { tenant, course }]) =>
      course.at(-1)?.webhook && !isFull(jobs, id)
        ? owed(
            changes,
            jobs,
            threads.filter(({ at }) => at.tenant === tenant),
            id,
            course,
            posted,
          )
        : [],
    ),
    ...silentWhenOff(changes, courses),
    ...goneIsOff(changes, courses),
    ...givenUpWithReason(jobs, courses),
    ...sameBody(jobs, changes),
  ];
}

/** What it was at every moment of a while. */
function during(course: Course, from: number, to: number): readonly (Webhook | null)[] {
  const before = course.findLast(({ time }) => time <= from)?.webhook;
  // What was there when the history began was there before.
  const first = course.findLast(({ time }) => time === 0)?.webhook ?? null;
  return [before ?? first, ...course.filter(({ time }) => time > from && time <= to).map(({ webhook }) => webhook)];
}

function owed(
  changes: ChangesFacts,
  jobs: JobsEvidence,
  threads: readonly StoredThread[],
  id: string,
  course: Course,
  posted: ReadonlySet<string>,
): readonly string[] {
  const copied = new Set(commitsRemoved(changes));
  const wrong: string[] = [];
  for (const { at, records } of threads) {
    for (const record of records) {
      const { commit_id } = record.entry;
      const time = changes.committed.get(commit_id)?.time;
      if (copied.has(commit_id) || record.version === 0 || time === undefined) continue;
      copied.add(commit_id);
      const was = during(course, time - SLOWNESS_MS, time);
      for (const { type, seq } of eventsOf(at.thread, record)) {
        const wanted = was.every(
          (one) =>
            one?.enabled &&
            one.events.some((event) => event === type) &&
            (one.thread === null || one.thread === at.thread),
        );
        const delivery = wanted ? deliveryId(nodeHash, id, at.thread, seq) : "";
        if (wanted && !posted.has(delivery)) wrong.push(...missing(jobs, at.thread, delivery, type));
      }
    }
  }
  return wrong;
}

type Courses = ReadonlyMap<string, { readonly tenant: string; readonly course: Course }>;

function silentWhenOff(changes: ChangesFacts, courses: Courses): readonly string[] {
  return changes.arrived.flatMap(({ url, time }) => {
    const id = knownAt(changes, url)?.id;
    const course = id === undefined ? undefined : courses.get(id)?.course;
    if (!course) return [`I10 ${url} was told of something, and nobody subscribed there`];
    return during(course, time - SLOWNESS_MS, time).some((one) => one?.enabled)
      ? []
      : [`I10 ${id} was switched off, and ${url} was told all the same`];
  });
}

/** If that cannot be saved, the endpoint is asked again; but not about a thread that was removed meanwhile. */
function goneIsOff(changes: ChangesFacts, courses: Courses): readonly string[] {
  const gone = changes.gone.filter(({ thread }) => !wasRemoved(changes, thread));
  return [...new Set(gone.map(({ url }) => url))].flatMap((url) => {
    const last = gone.findLast((one) => one.url === url)?.time ?? 0;
    const id = knownAt(changes, url)?.id;
    const course = (id === undefined ? undefined : courses.get(id)?.course) ?? [];
    return during(course, last, Number.POSITIVE_INFINITY).some((one) => !one?.enabled || one.url !== url)
      ? []
      : [`I10 ${url} said that it is gone, and ${id} is still switched on`];
  });
}

/** Before its day is over, only because the webhook was switched off. */
const givenUpWithReason = (jobs: JobsEvidence, courses: Courses): readonly string[] =>
  jobs.facts.ledger.buried.flatMap(({ id, webhook, time: then, since, now, reason }) => {
    if (!reason.includes("switched off") && (jobs.jumped || now - since >= DAY_MS)) return [];
    const course = courses.get(webhook)?.course ?? [];
    const made = course.findIndex(({ webhook: one }) => one !== null);
    return course.slice(made).some(({ webhook: one, time }) => time <= then && !one?.enabled)
      ? []
      : [`I10 ${id} was given up after ${now - since} ms: ${reason}, and ${webhook} was not off`];
  });

function sameBody({ facts }: JobsEvidence, changes: ChangesFacts): readonly string[] {
  const first = new Map<string, string>();
  return facts.posts.flatMap(({ id, body }) => {
    const { thread = "" } = (JSON.parse(body) as { data: { thread?: string } }).data;
    const before = first.get(id) ?? body;
    first.set(id, before);
    return before === body || wasRemoved(changes, thread) ? [] : [`I10 ${id} was sent in other words`];
  });
}
