// The worker inside a simulated process: the real one, on unreliable ports, told of the same thing twice now and then.
import { drive } from "../../../src/jobs/drive.ts";
import type { WorkKind } from "../../../src/jobs/due.ts";
import { fire } from "../../../src/jobs/schedules/fire.ts";
import { sendWebhook } from "../../../src/jobs/webhooks/send.ts";
import { startWorker, type Work, type Worker } from "../../../src/jobs/worker.ts";
import type { Fetcher } from "../../../src/ports/fetcher.ts";
import type { LiveEvent } from "../../../src/schema/event.ts";
import type { ThreadAt } from "../../../src/schema/ids.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import type { Process, World } from "../world.ts";
import type { JobsFacts } from "./facts.ts";

const POLL_MS = 500;

export type Works = Readonly<Record<WorkKind, Work>>;
/** The work itself made wrong on purpose. */
export type Botch = (rt: Runtime, works: Works) => Works;

export type Hiring = {
  readonly world: World;
  readonly process: Process;
  readonly rt: Runtime;
  readonly jobs: JobsFacts;
  readonly fetcher: Fetcher;
  readonly emit: (at: ThreadAt, event: LiveEvent) => void;
  readonly onBug: (error: unknown) => void;
  readonly botch: Botch;
};

export function startDriver({ world, process, rt, jobs, fetcher, emit, onBug, botch }: Hiring): Worker {
  const idle = {
    now: rt.clock.now,
    sleep: (ms: number, signal?: AbortSignal) => world.idle(process, ms, jobs.nextDue, signal),
  };
  const works = botch(rt, worksOf(rt, process, jobs, fetcher, emit));
  const twice =
    (work: Work): Work =>
    async (due, stopping) => {
      if (!world.fault(`trigger ${due.id.slice(0, 4)}`, { twice: 1 }, 2)) return work(due, stopping);
      const [first] = await Promise.all([work(due, stopping), work(due, stopping)]);
      return first;
    };
  return startWorker(
    { ...rt, clock: idle },
    {
      concurrency: jobs.concurrency,
      poll_ms: POLL_MS,
      work: { wake: twice(works.wake), tick: twice(works.tick), webhook: twice(works.webhook) },
      onBug: (_due, error) => onBug(error),
    },
  );
}

function worksOf(rt: Runtime, process: Process, jobs: JobsFacts, fetcher: Fetcher, emit: Hiring["emit"]): Works {
  const owner = `worker-${process.id}`;
  const { lease_ms, slice_turns, attempts_max, links } = jobs;
  const call = (at: ThreadAt) => ({
    at,
    actor: owner,
    input: null,
    budget: null,
    if_match: null,
    key: null,
    last_turn: true,
    deadline: rt.clock.now() + rt.config.turn_deadline_ms,
    signal: new AbortController().signal,
    emit: (event: LiveEvent) => emit(at, event),
  });
  return {
    wake: (due, stopping) =>
      drive(rt, due, {
        owner,
        lease_ms,
        slice_turns,
        until: Number.POSITIVE_INFINITY,
        attempts_max,
        emit,
        stopping,
      }),
    tick: (due) => fire(rt, due, { owner, lease_ms, call }),
    webhook: (due) => sendWebhook(rt, due, { fetcher, links, owner }),
  };
}
