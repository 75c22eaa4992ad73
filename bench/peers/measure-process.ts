// Runs as a separate process that measures one workload of one system. Its arguments are the file of the system, the
// workload, a folder and the size as JSON.
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "@hono/node-server";
import { logUseOf } from "../../test/support/wal-log.ts";
import { median } from "../support/bench-runtime.ts";
import type { OpenSession, Session } from "./system.ts";
import type { Size, WorkloadName } from "./workloads.ts";

const [file = "", workload = "", folder = "", size = "{}"] = process.argv.slice(2);
const path = join(folder, "bench.db");

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/** The time limit for turns of an old thread. Some systems need seconds for one. */
const OLD_MS_MAX = 6_000;
const APPROVALS_MS_MAX = 5_000;
const SAMPLES_MIN = 4;

/** Returns the median time of a turn at that age, in milliseconds. */
async function measureOldThread(session: Session, { turns, samples }: Size): Promise<object> {
  const id = await session.create();
  if (session.age) await session.age(id, turns);
  else for (let n = 0; n < turns; n += 1) await session.turn(id);
  const times: number[] = [];
  const end = performance.now() + OLD_MS_MAX;
  for (let n = 0; n < samples && (n < SAMPLES_MIN || performance.now() < end); n += 1)
    times.push(await timeOf(() => session.turn(id)));
  // The first half is dropped, because those turns compile the code.
  return { value: median(times.slice(times.length / 2)) };
}

/** Returns the median milliseconds from creating a thread to the answer after an approval, and what was written. */
async function measureApproval(session: Session, { approvals }: Size): Promise<object> {
  const once = async (): Promise<void> => {
    const id = await session.create();
    await session.pause(id);
    await session.resume(id);
  };
  await once();
  const { bytes, commits } = await logUseOf(path, once);
  const times: number[] = [];
  const end = performance.now() + APPROVALS_MS_MAX;
  for (let n = 0; n < 2 * approvals && (n < SAMPLES_MIN || performance.now() < end); n += 1)
    times.push(await timeOf(once));
  return { value: median(times.slice(times.length / 2)), kilobytes: bytes / 1000, commits };
}

/** The time limit of this workload. A slow system or a slow disk gets fewer threads. */
const SHORT_MS = 8_000;
const WARM_UP_MS = 8_000;

/** Creates all threads, then each takes its first turn, then each its second, and so on. */
async function runThreads(session: Session, count: number): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await session.create());
  for (let turn = 0; turn < 5; turn += 1) for (const id of ids) await session.turn(id);
}

/** Measures threads per second in a process that has just started. */
async function measureShortThreads(session: Session, { threads }: Size): Promise<object> {
  const warmUp = threads / 8;
  const rate = warmUp / (await timeOf(() => runThreads(session, warmUp)));
  const count = Math.max(warmUp, Math.min(threads, Math.round(rate * SHORT_MS)));
  const ms = await timeOf(() => runThreads(session, count));
  return { value: (count * 1000) / ms };
}

/** Measures threads per second in a process that has served for some seconds, so that its code is compiled. */
async function measureLaterThreads(session: Session, size: Size): Promise<object> {
  const end = performance.now() + WARM_UP_MS;
  while (performance.now() < end) await runThreads(session, size.threads / 8);
  return measureShortThreads(session, size);
}

async function serveThreads(session: Session, { connections }: Size): Promise<object> {
  const ids: string[] = [];
  for (let n = 0; n < connections * 4; n += 1) ids.push(await session.create());
  const listening = Promise.withResolvers<number>();
  const { fetch } = session;
  if (fetch) {
    serve({ fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => listening.resolve(port));
  } else {
    const server = createServer(async (request, response) => {
      await session.turn(request.url?.split("/")[3] ?? "");
      response.setHeader("content-type", "application/json").end('{"kind":"advanced"}');
    });
    server.listen(0, "127.0.0.1", () => listening.resolve((server.address() as { port: number }).port));
  }
  return { port: await listening.promise, ids };
}

const measure: Record<WorkloadName, (session: Session, size: Size) => Promise<object>> = {
  old: measureOldThread,
  approval: measureApproval,
  short: measureShortThreads,
  later: measureLaterThreads,
  http: serveThreads,
};

const { open } = (await import(pathToFileURL(file).href)) as { readonly open: OpenSession };
const result = await measure[workload as WorkloadName](await open(path), JSON.parse(size) as Size);
// The parent process ends this one.
process.send?.(result);
