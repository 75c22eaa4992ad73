// The events of a thread: a page as JSON, or a stream that first tells what was missed and then what happens.
import { streamSSE } from "hono/streaming";
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadAt } from "../schema/ids.ts";
import { eventsAfter } from "../turn/turns.ts";
import type { AppOptions, Ctx } from "./env.ts";
import { wantsStream, wholeNumber } from "./headers.ts";
import { respondProblem } from "./respond.ts";
import { frameOf } from "./stream-turn.ts";
import { threadAt } from "./threads.ts";

const PAGE_RECORDS = 100;
/** Another process may have committed: without a push from it, the log is asked this often. */
export const POLL_MS = 1000;
const KEEP_ALIVE_MS = 15_000;

export async function getEvents(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const after = wholeNumber(c, "after", lastEventId(c), -1, Number.MAX_SAFE_INTEGER);
  if (!after.ok) return respondProblem(c, after.problem);
  const first = await eventsAfter(rt, at.value, after.value, PAGE_RECORDS);
  if (!first.ok) return respondProblem(c, first.problem);
  if (!wantsStream(c)) return c.json({ events: first.value, after: first.value.at(-1)?.seq ?? after.value });
  return streamSSE(c, async (stream) => {
    await tail(c.get("options"), at.value, after.value, {
      send: async (event) => stream.writeSSE(frameOf(event)),
      idle: async () => void (await stream.write(": keep-alive\n\n")),
      gone: () => stream.aborted || stream.closed,
      onGone: (wake) => stream.onAbort(wake),
    });
  });
}

const lastEventId = (c: Ctx): number => {
  const id = c.req.header("last-event-id") ?? "";
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
};

export type Tail = {
  readonly send: (event: LiveEvent) => Promise<void>;
  readonly idle: () => Promise<void>;
  readonly gone: () => boolean;
  readonly onGone: (wake: () => void) => void;
};

/** Durable events come from the log alone, so each is sent once and in order; the hub only wakes and adds the live ones. */
export async function tail(
  options: Pick<AppOptions, "rt" | "hub">,
  at: ThreadAt,
  from: number,
  out: Tail,
): Promise<void> {
  const { rt, hub } = options;
  const live: LiveEvent[] = [];
  let wake = (): void => undefined;
  const stop = hub.listen(at, (event) => {
    if (!("seq" in event)) live.push(event);
    wake();
  });
  out.onGone(() => wake());
  let after = from;
  let quiet = 0;
  try {
    while (!out.gone()) {
      for (const event of live.splice(0)) await out.send(event);
      const events = await eventsAfter(rt, at, after, PAGE_RECORDS);
      if (!events.ok) return;
      for (const event of events.value) {
        await out.send(event);
        after = event.seq;
      }
      if (events.value.length > 0 || live.length > 0) continue;
      const nudge = new AbortController();
      wake = () => nudge.abort();
      await rt.clock.sleep(POLL_MS, nudge.signal);
      quiet += POLL_MS;
      if (quiet >= KEEP_ALIVE_MS) {
        quiet = 0;
        await out.idle();
      }
    }
  } finally {
    stop();
  }
}
