// A client that follows a run loses its connection after event 5, reconnects, and gets events 6 to n, each once and in
// order.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEvents, type ServerSentEvent } from "../../src/client/server-sent-events.ts";
import { unwrap } from "../support/runtime.ts";
import { approval, type Story, startStory } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory();
});
afterAll(() => story.end());

/** Reads durable events of a stream until one matches, then disconnects. */
async function follow(
  path: string,
  init: RequestInit,
  until: (event: ServerSentEvent) => boolean,
): Promise<ServerSentEvent[]> {
  const cut = new AbortController();
  const response = await fetch(`${story.url}${path}`, { ...init, signal: cut.signal });
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(response)) {
    if (event.id === null) continue;
    events.push(event);
    if (until(event)) break;
  }
  cut.abort();
  return events;
}

const idsOf = (events: readonly ServerSentEvent[]): number[] => events.map(({ id }) => Number(id));

test("no event is lost or repeated", async () => {
  const { client } = story;
  const goal = "Move the essay outline to Thursday of week 2";
  const { thread } = unwrap(await client.create({ goal, plan_approval: "auto" }));
  const turns = `/v1/threads/${thread.id}/turns?until=pause`;
  const streaming = { accept: "text/event-stream", "content-type": "application/json" };
  const before = await follow(turns, { method: "POST", headers: streaming, body: "{}" }, ({ id }) => id === "5");
  expect(idsOf(before)).toEqual([2, 3, 4, 5]);

  // The run does not depend on the reader: it continues to its gate and then to its end.
  const gate = await untilGate(thread.id);
  unwrap(await client.advanceUntilPause(thread.id, approval(gate)));
  const after = await follow(
    `/v1/threads/${thread.id}/events`,
    { headers: { accept: "text/event-stream", "last-event-id": "5" } },
    ({ type, data }) => type === "turn.committed" && (data as { state: string }).state === "rest",
  );
  const ids = idsOf(after);
  expect(ids[0]).toBe(6);
  expect(ids).toEqual(ids.map((_, i) => i + 6));
  expect(after.filter(({ type }) => type === "run.delivered")).toHaveLength(1);

  const all = unwrap(
    await client.call<{ events: { seq: number }[] }>("GET", `/v1/threads/${thread.id}/events?after=-1`),
  );
  expect(all.events.map(({ seq }) => seq)).toEqual([0, 1, ...idsOf(before), ...ids]);
});

async function untilGate(thread: string) {
  for (let n = 0; n < 100; n++) {
    const { gate } = unwrap(await story.client.get(thread)).thread;
    if (gate) return gate;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no gate was opened");
}
