// Follows a thread for streams and sockets: sends missed events first, then new ones, until the reader disconnects.
import type { DurableEvent, EphemeralEvent, LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { hasPassed } from "../../schema/jobs/time-limit.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { eventsAfter } from "../../threads/find-turn.ts";
import { eventsOf } from "../../turn/commit/events.ts";
import { readRecords } from "../../turn/load.ts";
import type { AppOptions } from "../env.ts";
import { KEEP_ALIVE_MS } from "./event-stream.ts";

export const PAGE_RECORDS = 100;
/** The log is polled, because another process may commit without notifying this one. */
export const POLL_MS = 1000;

export type TailSink = {
  readonly send: (event: LiveEvent) => Promise<void>;
  /** Called after an idle period to keep the connection open. */
  readonly keepAlive: () => Promise<void>;
  readonly isClosed: () => boolean;
  readonly onClose: (wake: () => void) => void;
};

/** Durable events are read only from the log, so each is sent once and in order. The hub adds live events and wakes the reader after a commit. */
export async function tailThread(
  { rt, hub, stopping }: Pick<AppOptions, "rt" | "hub" | "stopping">,
  at: ThreadRef,
  from: number,
  sink: TailSink,
): Promise<void> {
  const live: BufferedEvent[] = [];
  const wakeSignal = createWakeSignal();
  let newestSeq: number | null = null;
  const stop = hub.subscribe(at, (event) => {
    if ("seq" in event) {
      // The first durable event shows where the log ended when the live events before it arrived.
      if (newestSeq === null) for (const buffered of live) buffered.after = event.seq - 1;
      newestSeq = event.seq;
    } else live.push({ event, after: newestSeq });
    wakeSignal.notify();
  });
  sink.onClose(wakeSignal.notify);
  stopping.addEventListener("abort", wakeSignal.notify);
  const next = createPager(rt, at, from);
  let sent = from;
  let lastSentAt = rt.clock.now();
  try {
    while (!sink.isClosed() && !stopping.aborted) {
      wakeSignal.reset();
      const events = await next();
      if (!events.ok) return;
      for (const event of mergeInOrder(live, events.value, sent)) {
        await sink.send(event);
        lastSentAt = rt.clock.now();
      }
      sent = events.value.at(-1)?.seq ?? sent;
      if (events.value.length > 0 || live.length > 0) continue;
      await rt.clock.sleep(POLL_MS, wakeSignal.signal());
      if (!hasPassed(lastSentAt, KEEP_ALIVE_MS, rt.clock.now())) continue;
      lastSentAt = rt.clock.now();
      await sink.keepAlive();
    }
  } finally {
    stop();
    stopping.removeEventListener("abort", wakeSignal.notify);
  }
}

/** `after` is the sequence number of the durable event before this one, or null if none was seen since the subscription. */
type BufferedEvent = { readonly event: EphemeralEvent; after: number | null };

/** A live event that follows a durable event which has not been read yet stays in the queue. */
function* mergeInOrder(live: BufferedEvent[], durable: readonly DurableEvent[], sent: number): Generator<LiveEvent> {
  const turnEnds = new Map(
    durable.flatMap((event) => (event.type === "turn.committed" ? [[event.turn, event.version]] : [])),
  );
  for (const event of durable) {
    while (live[0] && isBefore(live[0], event, turnEnds)) yield takeFirst(live);
    yield event;
  }
  const read = durable.at(-1)?.seq ?? sent;
  while (live[0] && (live[0].after === null ? durable.length === 0 : live[0].after <= read)) yield takeFirst(live);
}

/** If its preceding durable event is unknown, a live event precedes only the commit of its own turn and the events of later turns. */
function isBefore(
  { event: { turn }, after }: BufferedEvent,
  event: DurableEvent,
  turnEnds: ReadonlyMap<number, number>,
): boolean {
  if (after !== null) return after < event.seq && turn <= event.turn;
  return turn < event.turn || (turn === event.turn && turnEnds.get(turn) === event.version);
}

const takeFirst = (live: BufferedEvent[]): LiveEvent => (live.shift() as BufferedEvent).event;

/** Keeps a notification that arrives between reading and sleeping. Otherwise that event would wait for the next poll. */
function createWakeSignal() {
  let controller = new AbortController();
  return {
    reset: (): void => {
      controller = new AbortController();
    },
    notify: (): void => controller.abort(null),
    signal: (): AbortSignal => controller.signal,
  };
}

/** The first page is found by sequence number, later ones by version, which costs a single read per page. */
function createPager(
  rt: AppOptions["rt"],
  at: ThreadRef,
  from: number,
): () => Promise<Result<readonly DurableEvent[]>> {
  let seq = from;
  let version: number | null = null;
  return async () => {
    const page: Result<readonly DurableEvent[]> =
      version === null ? await eventsAfter(rt, at, seq, PAGE_RECORDS) : await eventsAfterVersion(rt, at, version, seq);
    if (!page.ok) return page;
    const last = page.value.at(-1);
    if (last) ({ seq, version } = last);
    return page;
  };
}

async function eventsAfterVersion(
  rt: AppOptions["rt"],
  at: ThreadRef,
  version: number,
  seq: number,
): Promise<Result<readonly DurableEvent[]>> {
  const records = await readRecords(rt, at, version + 1, version + PAGE_RECORDS);
  if (!records.ok) return records;
  return ok(records.value.flatMap((record) => eventsOf(at.thread, record)).filter((event) => event.seq > seq));
}
