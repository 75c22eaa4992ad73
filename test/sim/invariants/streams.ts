// I2 for streams: streamed events are committed, in order and each once, and a client that reconnects with its last
// event id gets exactly the events after it.
import type { DurableEvent } from "../../../src/schema/event.ts";
import { eventsOf } from "../../../src/turn/commit/events.ts";
import { wasRemoved } from "../changes/changes-state.ts";
import type { Evidence } from "../evidence.ts";

export function streamsMatchLog({ threads, clientRequests, changes }: Evidence): readonly string[] {
  if (!changes) return [];
  const stored = new Map(
    threads.map(({ at, records }) => [
      at.thread as string,
      records.flatMap((record) => eventsOf(at.thread, record)).map((event) => JSON.stringify(event)),
    ]),
  );
  return clientRequests.flatMap(({ client, request, tries }) => {
    if (request.kind === "turn" && request.stream)
      return differencesFromLog(
        stored,
        request.stream.events.filter(({ thread }) => !wasRemoved(changes, thread)),
      ).map((flaw) => `I2 ${client} received in a stream: ${flaw}`);
    if (request.kind !== "events" || wasRemoved(changes, request.at.thread)) return [];
    const log = stored.get(request.at.thread) ?? [];
    return tries.flatMap(({ response }) => {
      if (response?.code !== "ok") return [];
      const events = (JSON.parse(response.body) as DurableEvent[]).map((event) => JSON.stringify(event));
      const expected = log.slice(request.after + 1, request.after + 1 + events.length);
      return events.join() === expected.join()
        ? []
        : [
            `I2 ${client} reconnected after ${request.after} but did not get the next events: ${events.join().slice(0, 80)}`,
          ];
    });
  });
}

/**
 * Compares a stream with the log. It contains only events of its own turn, so others may be in between; every attempt
 * has its own stream.
 */
function differencesFromLog(
  stored: ReadonlyMap<string, readonly string[]>,
  events: readonly DurableEvent[],
): readonly string[] {
  const last = new Map<string, number>();
  return events.flatMap((event) => {
    const before = last.get(event.thread) ?? -1;
    last.set(event.thread, event.seq);
    if (stored.get(event.thread)?.[event.seq] !== JSON.stringify(event))
      return [`event ${event.seq} of ${event.thread} differs from the committed one`];
    return event.seq <= before ? [`event ${event.seq} of ${event.thread} came after ${before}`] : [];
  });
}
