// I13: every due time of a schedule starts one run, or none for a recorded reason; none is skipped without a reason.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { nextDue } from "../../../src/jobs/schedules/next-due.ts";
import { Schedule } from "../../../src/schema/jobs/schedule.ts";
import { keyedThreadId } from "../../../src/threads/create.ts";
import { removedCommits, wasRemoved } from "../changes/changes-state.ts";
import type { Evidence, JobsEvidence } from "../evidence.ts";
import { dueKey } from "./inbox.ts";

export function dueTimesRunOnce(evidence: Evidence): readonly string[] {
  const { jobs } = evidence;
  if (!jobs) return [];
  return [
    ...jobs.schedules.flatMap(({ key, rows }) => {
      const versions = rows.map(({ state }) => Schedule.parse(JSON.parse(state)));
      return [
        ...firedDueTimesAreValid(evidence, versions),
        ...noDueTimeIsMissing(jobs, key, versions),
        ...followsMissedPolicy(jobs, versions),
        ...hasPendingTick(evidence, jobs, versions),
      ].map((flaw) => `I13 ${versions[0]?.id}: ${flaw}`);
    }),
    ...noRunTwice(evidence),
  ];
}

type FiredDueTime = {
  readonly due_at: string;
  readonly thread: string | null;
  readonly outcome: string;
  readonly by: Schedule;
};

/** Returns the processed due times in order. */
const firedDueTimes = (versions: readonly Schedule[]): readonly FiredDueTime[] =>
  versions.flatMap((one, i) =>
    one.last && JSON.stringify(one.last) !== JSON.stringify(versions[i - 1]?.last) ? [{ ...one.last, by: one }] : [],
  );

function firedDueTimesAreValid({ threads, jobs, changes }: Evidence, versions: readonly Schedule[]): readonly string[] {
  const done = firedDueTimes(versions);
  const wrong = done.flatMap(({ due_at, thread, outcome, by }) => {
    const before = versions[versions.indexOf(by) - 1];
    if (before?.next_at !== due_at) return [`${due_at} was processed when ${before?.next_at} was due`];
    if (outcome !== "started" || wasRemoved(changes, thread ?? "")) return [];
    const records = threads.find(({ at }) => at.thread === thread)?.records ?? [];
    const { what } = before;
    if (what.kind === "thread") return records.length > 0 ? [] : [`${due_at} has no thread`];
    const hash = dueKey(by.id, due_at);
    const consumed = records.filter(({ entry }) => entry.key?.hash === hash && entry.input !== null).length;
    const waits = (jobs?.outbox ?? []).filter(({ id, thread: of }) => of === thread && id === `msg_${hash}`).length;
    // A row that was stored again while it was consumed is recognized by its key and removed by the next worker.
    return consumed === 1 || (consumed === 0 && waits === 1)
      ? []
      : [`${due_at} was consumed ${consumed} times, and ${waits} are pending`];
  });
  if (new Set(done.map(({ due_at }) => due_at)).size !== done.length) wrong.push("a due time was processed twice");
  return wrong;
}

/**
 * Checks that no due time is missed. Due times between two processed ones had already passed, by the clock of that
 * time, when the first was processed.
 */
function noDueTimeIsMissing(
  { facts, clockRange }: JobsEvidence,
  key: string,
  versions: readonly Schedule[],
): readonly string[] {
  return firedDueTimes(versions).flatMap(({ due_at, by }) => {
    const version = versions.indexOf(by);
    const saved = facts.ledger.saved.find(({ at, version: n }) => `${at.tenant}/${at.thread}` === key && n === version);
    const next = nextDue(by.when, Date.parse(due_at), Date.parse(by.created_at));
    const recorded = by.next_at === null ? Number.POSITIVE_INFINITY : Date.parse(by.next_at);
    const end = by.ends_at === null ? Number.POSITIVE_INFINITY : Date.parse(by.ends_at);
    if (next === null || next > end || recorded === next) return [];
    const claimed = claimOf(facts, by.id, due_at)?.time ?? 0;
    const latest = saved ? clockRange(claimed, saved.time).highest : Number.NEGATIVE_INFINITY;
    // Before its creation by the present clock, an interval counts from the time at which the due time was processed.
    const every = by.when.kind === "interval" && !by.when.from ? by.when.every_s * 1000 : 0;
    const isBeforeCreation = Date.parse(due_at) < Date.parse(by.created_at);
    if (isBeforeCreation && recorded > next && recorded <= latest + every) return [];
    return latest >= next ? [] : [`after ${due_at} comes ${by.next_at} instead of ${new Date(next).toISOString()}`];
  });
}

const LATE_MS = 60_000;
/** The maximum time in a history between reading a due time and claiming it. */
const CLAIM_DELAY_MAX_MS = 260_000;

const claimOf = ({ ledger }: JobsEvidence["facts"], id: string, due_at: string) =>
  ledger.claimed.find(({ schedule, due }) => schedule === id && due === due_at);

function followsMissedPolicy({ facts, clockRange }: JobsEvidence, versions: readonly Schedule[]): readonly string[] {
  return firedDueTimes(versions).flatMap(({ due_at, outcome, by }) => {
    const taken = claimOf(facts, by.id, due_at)?.time;
    const due = Date.parse(due_at) + by.jitter_s * 1000;
    const clock = taken === undefined ? null : clockRange(Math.max(0, taken - CLAIM_DELAY_MAX_MS), taken);
    const latest = clock ? clock.highest - due : 0;
    const earliest = clock ? clock.lowest - due : 0;
    if (outcome === "skipped" && (by.missed !== "skip" || latest <= LATE_MS))
      return [`${due_at} was skipped ${latest} ms after its time`];
    if (outcome === "started" && by.missed === "skip" && earliest > LATE_MS)
      return [`${due_at} was started ${earliest} ms after its time`];
    return [];
  });
}

const isAbout = (body: string, { id, created_at }: Schedule): boolean => body.includes(id) && body.includes(created_at);

/**
 * Reports whether an acknowledged schedule has a pending tick. A schedule whose creation was interrupted was never
 * acknowledged. A create request that takes effect after the schedule was created again and removed stores a schedule
 * with a different creation time.
 */
function hasPendingTick(
  { clientRequests }: Evidence,
  { outbox }: JobsEvidence,
  versions: readonly Schedule[],
): readonly string[] {
  const newest = versions.at(-1);
  if (!newest?.next_at || outbox.some(({ id, thread }) => id === "tick" && String(thread) === newest.id)) return [];
  const acknowledged = clientRequests.some(
    ({ request, tries }) =>
      request.kind === "api" &&
      tries.some(({ response: given }) => given?.code === "ok" && isAbout(given.body, newest)),
  );
  return acknowledged ? [`${newest.next_at} is next, but has no pending tick`] : [];
}

/**
 * Returns the names of acknowledged schedules that no longer exist. A lost schedule that was created again has the same
 * name.
 */
function removedScheduleNames({ clientRequests, jobs }: Evidence): ReadonlySet<string> {
  const there = (jobs?.schedules ?? []).map(({ key }) => key.split("/")[1] ?? key);
  return new Set(
    clientRequests.flatMap(({ request, tries }) => {
      if (request.kind !== "api" || request.method !== "POST" || request.path !== "/v1/schedules") return [];
      const gone = tries.some(
        ({ response }) => response?.code === "ok" && !there.some((id) => response.body.includes(id)),
      );
      return gone ? [(JSON.parse(request.body ?? "{}") as { name: string }).name] : [];
    }),
  );
}

/** Checks that no due time has two threads, however the schedule ended. */
function noRunTwice(evidence: Evidence): readonly string[] {
  const { threads, jobs, changes } = evidence;
  const made = threads.filter(({ records }) => records[0]?.entry.actor.startsWith("schedule-"));
  const names = (jobs?.schedules ?? []).flatMap(({ rows, key }) => {
    const versions = rows.map(({ state }) => Schedule.parse(JSON.parse(state)));
    const [tenant = ""] = key.split("/");
    return versions.flatMap(({ id, next_at, name }) => ({
      name,
      thread: keyedThreadId(nodeHash, tenant as Parameters<typeof keyedThreadId>[1], `${id}:${next_at}`) as string,
    }));
  });
  const removed = removedScheduleNames(evidence);
  const known = new Set(names.map(({ name }) => name).filter((name) => !removed.has(name)));
  const due = new Set(names.map(({ thread }) => thread));
  // A removed schedule leaves nothing to compare with, and copies have their own origin.
  const commits = new Set(removedCommits(changes));
  return made.flatMap(({ at, records }) => {
    const first = records[0]?.entry;
    if (!first || commits.has(first.commit_id) || !known.has(first.actor)) return [];
    commits.add(first.commit_id);
    return due.has(at.thread) ? [] : [`I13 ${first.actor} started ${at.thread}, which had no due time`];
  });
}
