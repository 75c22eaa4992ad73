// What a thread's object does when its alarm rings: slices of a background run, ticks of a schedule, webhooks, side by
// side, until nothing is due any more. An endpoint that hangs holds up neither the run nor another endpoint.
import type { ThreadRows } from "../../adapters/store-durable-object/thread-rows.ts";
import { type Driven, drive } from "../../jobs/drive.ts";
import { kindOf } from "../../jobs/due.ts";
import { fire } from "../../jobs/schedules/fire.ts";
import { sendWebhook } from "../../jobs/webhooks/send.ts";
import { withinLanes } from "../../jobs/worker.ts";
import { workerCall } from "../../jobs/worker-call.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { ThreadAt } from "../../schema/ids.ts";
import type { WorkerHost } from "./host.ts";

const OWNER = "alarm";
/** With growing pauses this is about an hour; then somebody has to look at it. */
const ATTEMPTS_MAX = 12;
/** The platform ends an alarm after fifteen minutes. */
const ALARM_MS = 10 * 60_000;
/** A turn of the longest time still begins. */
const SPARE_MS = 60_000;
const LOOK_AHEAD = 100;
/** Of each kind; the platform opens six connections at once. */
const AT_ONCE = 4;

export type WorkParts = {
  readonly rows: () => ThreadRows;
  /** Resolves when something else became due. */
  readonly nudged: () => Promise<void>;
  readonly onBug: (error: unknown) => void;
};

/** True when all went its way; false after a bug, which must not come again at once and for ever. */
export async function workOff(host: WorkerHost, at: ThreadAt, parts: WorkParts): Promise<boolean> {
  const { clock, config } = host.rt;
  const running = new Map<string, { readonly due: Delivery; readonly done: Promise<void> }>();
  const missed = new Set<string>();
  const until = clock.now() + Math.max(ALARM_MS, config.turn_deadline_ms + SPARE_MS);
  let sound = true;

  const begin = (due: Delivery): void => {
    const done = workOn(host, due, until)
      .then(({ kind }) => {
        if (kind === "taken") missed.add(due.id);
      })
      .catch((error: unknown) => {
        sound = false;
        missed.add(due.id);
        parts.onBug(error);
      })
      .finally(() => running.delete(due.id));
    running.set(due.id, { due, done });
  };

  for (;;) {
    const nudged = parts.nudged();
    const atWork = [...running.values()].map(({ due }) => due);
    const inTime = clock.now() + config.turn_deadline_ms <= until;
    const due = inTime ? parts.rows().due(clock.now(), LOOK_AHEAD) : [];
    const waiting = due.filter(({ id }) => !running.has(id) && !missed.has(id)).map((one) => ({ ...one, ...at }));
    for (const one of withinLanes(waiting, atWork, AT_ONCE)) begin(one);
    if (running.size === 0) return sound;
    await Promise.race([nudged, ...[...running.values()].map(({ done }) => done)]);
  }
}

/** An object that ends in the middle goes on when its claim is over: after a turn's time and the lease. */
async function workOn(host: WorkerHost, due: Delivery, until: number): Promise<{ readonly kind: string }> {
  const { rt, jobs } = host;
  const lease_ms = rt.config.turn_deadline_ms + jobs.lease_ms;
  switch (kindOf(due)) {
    case "tick":
      return fire(rt, due, {
        owner: OWNER,
        lease_ms,
        call: (at) => workerCall(rt, at, { owner: OWNER, emit: host.settings.hub.publish }),
      });
    case "webhook":
      return sendWebhook(rt, due, { fetcher: host.fetcher, links: host.links, owner: OWNER });
    case "wake": {
      const driven = await drive(rt, due, {
        owner: OWNER,
        lease_ms,
        slice_turns: jobs.slice_turns,
        until,
        attempts_max: ATTEMPTS_MAX,
        emit: host.settings.hub.publish,
        stopping: () => false,
      });
      tellTrouble(host, due, driven);
      return driven;
    }
  }
}

function tellTrouble({ settings }: WorkerHost, { tenant, thread }: Delivery, driven: Driven): void {
  if (driven.kind === "dead" || driven.kind === "retry")
    settings.log.warn({ msg: "run", tenant, thread, became: driven.kind, code: driven.problem.code });
}
