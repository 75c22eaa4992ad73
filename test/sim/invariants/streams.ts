// I2 over the line: what a stream tells is what is committed, in order and each once; whoever comes back with the last
// event it heard gets exactly what came after it.
import type { DurableEvent } from "../../../src/schema/event.ts";
import { eventsOf } from "../../../src/turn/commit/events.ts";
import { wasRemoved } from "../changes/facts.ts";
import type { Evidence } from "../evidence.ts";

export function streamsAreWhole({ threads, wishes, changes }: Evidence): readonly string[] {
  if (!changes) return [];
  const stored = new Map(
    threads.map(({ at, records }) => [
      at.thread as string,
      records.flatMap((record) => eventsOf(at.thread, record)).map((event) => JSON.stringify(event)),
    ]),
  );
  return wishes.flatMap(({ client, request, tries }) => {
    if (request.kind === "turn" && request.stream)
      return asCommitted(
        stored,
        request.stream.told.filter(({ thread }) => !wasRemoved(changes, thread)),
      ).map((flaw) => `I2 ${client} was told as it happened: ${flaw}`);
    if (request.kind !== "events" || wasRemoved(changes, request.at.thread)) return [];
    const log = stored.get(request.at.thread) ?? [];
    return tries.flatMap(({ answer }) => {
      if (answer?.code !== "ok") return [];
      const events = (JSON.parse(answer.body) as DurableEvent[]).map((event) => JSON.stringify(event));
      const expected = log.slice(request.after + 1, request.after + 1 + events.length);
      return events.join() === expected.join()
        ? []
        : [`I2 ${client} came back after ${request.after} and did not get what follows: ${events.join().slice(0, 80)}`];
    });
  });
}

/** Of its own turn only, so events of others may lie between; every try of the call tells its own. */
function asCommitted(stored: ReadonlyMap<string, readonly string[]>, told: readonly DurableEvent[]): readonly string[] {
  const last = new Map<string, number>();
  return told.flatMap((event) => {
    const before = last.get(event.thread) ?? -1;
    last.set(event.thread, event.seq);
    if (stored.get(event.thread)?.[event.seq] !== JSON.stringify(event))
      return [`event ${event.seq} of ${event.thread} is not what is committed`];
    return event.seq <= before ? [`event ${event.seq} of ${event.thread} came after ${before}`] : [];
  });
}
