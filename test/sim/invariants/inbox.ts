// I12: an accepted message is passed to exactly one turn, and so is an external event; neither interrupts a running
// call.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { keyHash } from "../../../src/turn/commit/idempotency-keys.ts";
import { wasRemoved } from "../changes/changes-state.ts";
import type { Evidence, StoredThread } from "../evidence.ts";

export function messagesAreConsumed(evidence: Evidence): readonly string[] {
  if (!evidence.jobs) return [];
  return [
    ...evidence.jobs.facts.ledger.leaseViolations.map((name) => `I11 ${name} was taken from its owner`),
    ...queuedMessagesAreConsumed(evidence),
    ...inboundEventsAreConsumedOnce(evidence),
    ...evidence.threads.flatMap(notInterrupted),
  ];
}

/** Checks that queued messages are consumed. Pending messages count, because a message may have to wait for a gate. */
function queuedMessagesAreConsumed({ threads, clientRequests, jobs, changes }: Evidence): readonly string[] {
  return clientRequests.flatMap(({ client, request, tries }) => {
    if (request.kind !== "turn" || request.input?.type !== "message") return [];
    if (wasRemoved(changes, request.at.thread)) return [];
    const times = tries.filter(({ response }) => response?.code === "queued").length;
    if (times === 0) return [];
    const { at, key, input, actor } = request;
    const message = JSON.stringify(input);
    const thread = threads.find((one) => one.at.thread === at.thread && one.at.tenant === at.tenant);
    const consumed = (thread?.records ?? []).filter(
      ({ entry }) => entry.actor === actor && JSON.stringify(entry.input) === message,
    ).length;
    const waits = (jobs?.outbox ?? []).filter(
      ({ id, thread: of, body }) => id.startsWith("msg_") && of === at.thread && body.includes(message),
    ).length;
    const least = key === null ? times : 1;
    return consumed + waits >= least
      ? []
      : [
          `I12 ${client} got ${times} acknowledgements that ${message} is queued in ${at.thread}; it was consumed ${consumed} times`,
        ];
  });
}

/**
 * Checks that inbound events are consumed once. They are identified by their own id, however often they were sent and
 * whether or not they were acknowledged.
 */
function inboundEventsAreConsumedOnce({ threads, clientRequests, jobs, changes }: Evidence): readonly string[] {
  return clientRequests.flatMap(({ request, tries }) => {
    if (request.kind !== "api" || !request.sign) return [];
    const { id } = request.sign;
    const mark = `${id};`;
    const consumed = threads
      .filter(({ at }) => at.tenant === request.tenant)
      .flatMap(({ records }) => records.filter(({ entry }) => isAbout(entry, mark)))
      .map(({ entry }) => entry.commit_id);
    const count = new Set(consumed).size;
    const waits = (jobs?.outbox ?? []).some((row) => row.id.startsWith("msg_") && row.body.includes(mark));
    const accepted = tries.some(
      ({ response }) => response?.code === "ok" && !wasRemoved(changes, threadIn(response.body)),
    );
    if (count > 1) return [`I12 ${id} was consumed ${count} times`];
    return accepted && count === 0 && !waits ? [`I12 ${id} was accepted but never consumed`] : [];
  });
}

const threadIn = (body: string): string => (JSON.parse(body) as { thread?: string }).thread ?? "";

type Entry = StoredThread["records"][number]["entry"];
const isAbout = (entry: Entry, mark: string): boolean =>
  (entry.input?.type === "message" && entry.input.text.includes(mark)) || (entry.create?.goal?.includes(mark) ?? false);

const notInterrupted = ({ at, records }: StoredThread): readonly string[] =>
  records.flatMap(({ version, entry }, i) =>
    records[i - 1]?.state.acting && entry.input?.type === "message"
      ? [`I12 record ${version} of ${at.thread} interrupts a running call`]
      : [],
  );

/** Returns the idempotency key with which a due time is sent to a thread. */
export const dueKey = (schedule: string, due: string): string => keyHash(nodeHash, `${schedule}:${due}`);
