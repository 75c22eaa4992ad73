// Tests where live events are placed among those of the log for a reader that connects during a model call.
import { describe, expect, test } from "vitest";
import type { Hub, Listener } from "../../../src/http/live/hub.ts";
import { tailThread } from "../../../src/http/live/tail.ts";
import type { DurableEvent, LiveEvent } from "../../../src/schema/event.ts";
import { eventsAfter } from "../../../src/threads/find-turn.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

/** More turns than a page holds. */
const TURNS = 105;
const started = (turn: number): LiveEvent => ({ type: "turn.started", thread: "thr", turn });
const delta = (turn: number): LiveEvent => ({ type: "speak.delta", thread: "thr", turn, text: "…" });

/**
 * Creates a thread of many turns and returns the events sent to a reader. The hub emits `said` when it subscribes and
 * when it first reads.
 */
async function aReader(
  from: number,
  said: { listening?: LiveEvent[]; reading?: (log: DurableEvent[]) => LiveEvent[] },
) {
  const rt = createTestRuntime(
    Array.from({ length: TURNS }, (_, n) => callTool("look", { at: String(n) })),
    [look],
  );
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct", budget: { turns: TURNS + 1 } });
  for (let n = 0; n < TURNS; n++) unwrap(await thread.turn());
  const log = [...unwrap(await eventsAfter(rt, thread.at, -1, 1_000))];
  let hear: Listener = () => undefined;
  const hub: Hub = {
    publish: () => undefined,
    subscribe(_at, listener) {
      hear = listener;
      for (const event of said.listening ?? []) listener(event);
      return () => undefined;
    },
  };
  let sentWhileReading = false;
  const store: typeof rt.store = {
    ...rt.store,
    async records(...asked) {
      const found = await rt.store.records(...asked);
      if (!sentWhileReading) for (const event of said.reading?.(log) ?? []) hear(event);
      sentWhileReading = true;
      return found;
    },
  };
  const sent: LiveEvent[] = [];
  const whole =
    log.length - 1 - from + (said.listening?.length ?? 0) + (said.reading?.(log) ?? []).filter(isLive).length;
  let disconnect = (): void => undefined;
  const out = {
    send: async (event: LiveEvent) => {
      if (sent.push(event) >= whole) disconnect();
    },
    keepAlive: async () => undefined,
    isClosed: () => sent.length >= whole,
    onClose: (wake: () => void) => {
      disconnect = wake;
    },
  };
  await tailThread({ rt: { ...rt, store }, hub, stopping: new AbortController().signal }, thread.at, from, out);
  return { sent, log };
}

const isLive = (event: LiveEvent): boolean => !("seq" in event);
const seqs = (events: readonly LiveEvent[]) => events.flatMap((event) => ("seq" in event ? [event.seq] : []));
/** Returns the durable event just before the first live one. */
const before = (sent: readonly LiveEvent[]): LiveEvent | undefined => sent[sent.findIndex(isLive) - 1];

describe("a reader that connects during a model call", () => {
  test.each([-1, 40])("receives all missed events after %i before live ones", async (from) => {
    const now = [started(TURNS + 1), delta(TURNS + 1)];
    const { sent, log } = await aReader(from, { listening: now });
    expect(sent).toEqual([...log.slice(from + 1), ...now]);
  });

  test("receives a turn that was committed meanwhile: first its live events, then its result", async () => {
    const { sent, log } = await aReader(-1, { listening: [started(TURNS)] });
    expect(before(sent)).toMatchObject({ type: "turn.committed", turn: TURNS - 1 });
    expect(seqs(sent)).toEqual(log.map(({ seq }) => seq));
  });

  test("receives both in the order in which they were pushed", async () => {
    const newest = (log: DurableEvent[]) => log.filter(({ turn }) => turn === TURNS);
    const pushed = (log: DurableEvent[]) => [delta(TURNS), ...newest(log), started(TURNS + 1)];
    const { sent, log } = await aReader(-1, { listening: [started(TURNS)], reading: pushed });
    const end = [started(TURNS), delta(TURNS), ...newest(log), started(TURNS + 1)];
    expect(sent.slice(-end.length)).toEqual(end);
    expect(seqs(sent)).toEqual(log.map(({ seq }) => seq));
  });
});
