// I2: versions and event numbers have no gaps, turns never decrease, and events are published as stored.
import type { DurableEvent } from "../../../src/schema/event.ts";
import { eventsOf } from "../../../src/turn/commit/events.ts";
import { wasRemoved } from "../changes/changes-state.ts";
import type { Evidence, StoredThread } from "../evidence.ts";
import { isSameJson } from "../same-json.ts";

export const logIsConsistent = ({ threads }: Evidence): readonly string[] => threads.flatMap(logViolations);

function logViolations({ at, rows, records }: StoredThread): readonly string[] {
  const wrong: string[] = [];
  rows.forEach((row, i) => {
    const before = rows[i - 1];
    if (row.version !== i) wrong.push(`I2 ${at.thread}: record ${i} says it is ${row.version}`);
    if (before && (row.turn < before.turn || row.turn > before.turn + 1))
      wrong.push(`I2 ${at.thread}: turn ${row.turn} follows turn ${before.turn}`);
  });
  records.forEach(({ entry, state }, i) => {
    if (entry.commit_id !== rows[i]?.commit_id) wrong.push(`I2 ${at.thread}: record ${i} has two commit ids`);
    if (entry.turn !== state.turn || entry.turn !== rows[i]?.turn)
      wrong.push(`I2 ${at.thread}: record ${i} has two turns`);
    // A record of a removed thread whose id exists again has another time.
    if (state.created_at !== records[0]?.state.created_at)
      wrong.push(`I2 ${at.thread}: record ${i} is of another thread`);
    if (state.machine.at === "acting" && !state.acting) wrong.push(`I2 ${at.thread}: record ${i} acts without a call`);
    if (state.acting && state.machine.state !== "confirm")
      wrong.push(`I2 ${at.thread}: record ${i} keeps a call in ${state.machine.state}`);
  });
  if (new Set(rows.map((row) => row.commit_id)).size !== rows.length)
    wrong.push(`I2 ${at.thread}: a duplicate commit id`);
  return wrong;
}

export function eventsAreDense({ threads, live, receivedEvents, changes }: Evidence): readonly string[] {
  const wrong: string[] = [];
  for (const { at, records } of threads) {
    let next = 0;
    const stored = new Map<number, DurableEvent>();
    for (const record of records) {
      const events = eventsOf(at.thread, record);
      if (record.entry.events.first !== next || events.length !== record.entry.events.count)
        wrong.push(
          `I2 ${at.thread}: events of record ${record.version} begin at ${record.entry.events.first}, not ${next}`,
        );
      for (const event of events) stored.set(event.seq, event);
      next += events.length;
      if (record.state.event_seq !== next)
        wrong.push(`I2 ${at.thread}: state ${record.version} counts ${record.state.event_seq} events of ${next}`);
    }
    // Events of a previous thread with this id may have been published.
    if (wasRemoved(changes, at.thread)) continue;
    const received = receivedEvents.get(at.thread);
    if (received && !isSameJson(received, [...stored.values()]))
      wrong.push(`I2 ${at.thread}: a reader received ${received.map(({ seq }) => seq)} of ${next} events`);
    const published = new Set<number>();
    for (const { event } of live.filter((one) => one.at.thread === at.thread && one.at.tenant === at.tenant)) {
      if (!("seq" in event)) continue;
      if (published.has(event.seq)) wrong.push(`I2 ${at.thread}: event ${event.seq} was published twice`);
      published.add(event.seq);
      if (!isSameJson(stored.get(event.seq), event))
        wrong.push(`I2 ${at.thread}: event ${event.seq} was not published as stored`);
    }
  }
  return wrong;
}
