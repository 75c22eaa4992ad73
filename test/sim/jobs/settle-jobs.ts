// Completes histories with background runs after the faults. All due work must be done, and no run may have stopped
// silently.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { acceptsMessage } from "../../../src/jobs/inbox/inbox.ts";
import { type Delivery, NEVER_DUE } from "../../../src/ports/thread-store.ts";
import { ThreadId, type ThreadRef } from "../../../src/schema/ids.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import { findKey } from "../../../src/turn/commit/idempotency-keys.ts";
import { nextAction } from "../../../src/turn/view.ts";
import { apiRequest } from "../api-request.ts";
import { wasReimported, wasRemoved } from "../changes/changes-state.ts";
import type { SharedState } from "../clients.ts";
import type { ClientRequest, Network } from "../network.ts";
import type { SimRequest } from "../server.ts";
import { parseStored } from "../shared-cache.ts";
import type { World } from "../world.ts";

type ThreadHead = { readonly at: ThreadRef; readonly head: ThreadRecord };

export function headsOf(world: World, data: MemoryData): readonly ThreadHead[] {
  return [...data.records].flatMap(([key, rows]) => {
    const [tenant = "", thread = ""] = key.split("/");
    const last = rows.at(-1);
    // An interrupted copy is not listed, so it does not exist for any client.
    const isThere = thread.startsWith("thr_") && data.metas.get(tenant)?.has(thread);
    const head = isThere && last ? parseStored(world, thread, last) : null;
    if (!head?.ok) return [];
    return [{ at: { tenant: tenant as ThreadRef["tenant"], thread: ThreadId.parse(thread) }, head: head.value }];
  });
}

export const outboxOf = (data: MemoryData): readonly Delivery[] =>
  [...data.outbox.values()].map(({ delivery }) => delivery);

/**
 * Finds forgotten work once nothing is due: a thread that is not at a gate, ended, paused, or dead with a reason was
 * forgotten.
 */
export function findForgottenWork(
  world: World,
  network: Network,
  data: MemoryData,
  interruptedFirings: ReadonlySet<string>,
): readonly string[] {
  const waiting = outboxOf(data);
  const wrong = waiting
    .filter(({ due_at }) => due_at !== NEVER_DUE)
    .map(({ id, thread }) => `I11 ${id} of ${thread} is due but not processed`);
  for (const { at, head } of headsOf(world, data)) {
    const { background } = head.state;
    if (background?.status === "dead" && !background.reason) wrong.push(`I11 ${at.thread} is dead without a reason`);
    if (background?.status !== "on") continue;
    // A client that got no response has to retry before the run starts.
    if (head.version === 0 && !wasAnnounced(network, at)) continue;
    if (nextAction(head.state) === "advance") wrong.push(`I11 ${at.thread} stopped in ${head.state.machine.state}`);
    const unconsumed = waiting.filter(
      (row) =>
        row.thread === at.thread &&
        row.id.startsWith("msg_") &&
        wasAccepted(network, row) &&
        !interruptedFirings.has(scheduleOf(row)) &&
        !wasConsumed(head, row),
    );
    if (unconsumed.length > 0 && acceptsMessage(head.state, world.now()))
      wrong.push(`I12 ${at.thread} does not consume ${unconsumed.length} messages`);
  }
  return wrong;
}

const wasAnnounced = ({ clientRequests, changes }: Network, at: ThreadRef): boolean =>
  // A delayed create request may bring a removed thread back without being acknowledged.
  (!wasRemoved(changes, at.thread) || wasReimported(changes, at.thread)) &&
  clientRequests.some(({ tries }) => tries.some(({ response }) => response?.body.includes(at.thread)));

/** Reports whether a message was acknowledged. Otherwise its client has to resend it, which also wakes the run. */
const wasAccepted = ({ clientRequests }: Network, { body, tenant }: Delivery): boolean =>
  (body.includes('"actor":"schedule-') && !clientRequests.some((sent) => changesSchedule(sent, tenant))) ||
  clientRequests.some(({ request, tries }) => {
    if (!tries.some(({ response }) => response?.code === "ok" || response?.code === "queued")) return false;
    if (request.kind === "api") return request.sign !== null && body.includes(`${request.sign.id};`);
    return request.kind === "turn" && request.input?.type === "message" && body.includes(request.input.text);
  });

/**
 * Reports whether a request changes a schedule. An interrupted firing is not repeated if its schedule has changed
 * meanwhile.
 */
const changesSchedule = ({ request }: ClientRequest, tenant: string): boolean =>
  request.kind === "api" &&
  request.tenant === tenant &&
  request.method !== "POST" &&
  request.path.startsWith("/v1/schedules/");

/**
 * Reports whether a message was already consumed. Its row was written late, after the request had been reported as
 * failed and the message had been consumed without it. The next worker of the thread removes the row.
 */
const wasConsumed = ({ state }: ThreadRecord, { body }: Delivery): boolean =>
  findKey(state.key_ring, (JSON.parse(body) as { key: { hash: string } }).key.hash) !== null;

/**
 * Resumes paused and dead runs. Also wakes runs for which a message was stored without an acknowledgement to its
 * sender, because any later wake-up would process it, for example that of a repeated create request.
 */
export async function resumeBackgroundRuns(
  world: World,
  network: Network,
  data: MemoryData,
  found: string[],
  interruptedFirings: ReadonlySet<string>,
): Promise<void> {
  for (const { at, head } of headsOf(world, data)) {
    const status = head.state.background?.status;
    if (
      !status ||
      (status === "on" && head.version > 0 && !hasUnacknowledgedMessage(network, data, at, interruptedFirings))
    )
      continue;
    const to = status === "paused" ? "resume" : "run";
    const request: SimRequest = { kind: "switch", at, actor: "zz", key: null, to };
    const sent: ClientRequest = { client: "zz", request, tries: [] };
    network.clientRequests.push(sent);
    const answer = await network.sendOnce(sent, 0, null);
    if (answer?.code !== "ok") found.push(`I11 ${at.thread} cannot be resumed: ${answer?.code}`);
  }
}

const hasUnacknowledgedMessage = (
  network: Network,
  data: MemoryData,
  at: ThreadRef,
  interruptedFirings: ReadonlySet<string>,
): boolean =>
  outboxOf(data).some(
    (row) =>
      row.tenant === at.tenant &&
      row.thread === at.thread &&
      row.id.startsWith("msg_") &&
      (!wasAccepted(network, row) || interruptedFirings.has(scheduleOf(row))),
  );

/**
 * Returns the schedules with a firing that has begun and not ended. It is not repeated if the schedule is disabled now.
 */
export const firingSchedules = (data: MemoryData): ReadonlySet<string> =>
  new Set(
    outboxOf(data).flatMap(({ thread, attempts }) => (thread.startsWith("sch_") && attempts > 0 ? [thread] : [])),
  );

/** Returns the schedule that sent a message. The key of the message contains the schedule and the due time. */
const scheduleOf = ({ body }: Delivery): string => /"name":"(sch_[^:"]+):/.exec(body)?.[1] ?? "";

export async function disableSchedules(network: Network, data: MemoryData): Promise<void> {
  for (const key of [...data.records.keys()].filter((one) => one.includes("/sch_"))) {
    const [tenant = "", id = ""] = key.split("/");
    const request = apiRequestFor(tenant as ThreadRef["tenant"], "PATCH", `/v1/schedules/${id}`, { enabled: false });
    await network.sendOnce({ client: "zz", request: request, tries: [] }, 0, null);
  }
}

const apiRequestFor = (tenant: ThreadRef["tenant"], method: "POST" | "PATCH", path: string, body: object): SimRequest =>
  apiRequest({ person: { name: "zz", shared: { tenant } } }, { method, path, body: JSON.stringify(body) });

/** Sends dead letters once more, with their original ids. */
export async function redeliverDeadLetters(network: Network, data: MemoryData, found: string[]): Promise<void> {
  for (const row of outboxOf(data)) {
    if (!row.id.startsWith("dlv_") || row.due_at !== NEVER_DUE) continue;
    const { webhook, reason } = JSON.parse(row.body) as { webhook?: string; reason?: string };
    if (!webhook) continue;
    if (!reason) found.push(`I10 ${row.id} is dead-lettered without a reason`);
    const request = apiRequestFor(row.tenant, "POST", `/v1/webhooks/${webhook}/redeliver`, { delivery: row.id });
    const answer = await network.sendOnce({ client: "zz", request, tries: [] }, 0, null);
    if (answer?.code !== "ok") found.push(`I10 ${row.id} cannot be redelivered: ${answer?.code}`);
  }
}

/** Adds threads created by schedules, events and rollbacks to the clients' shared state. */
export function addDiscoveredThreads(world: World, data: MemoryData, boards: ReadonlySet<SharedState>): void {
  for (const { at } of headsOf(world, data)) {
    for (const { tenant, threads } of boards)
      if (tenant === at.tenant && !threads.includes(at.thread)) threads.push(at.thread);
  }
}
