// Prepares and completes a "changes" history, before and after its faults.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { NEVER_DUE } from "../../../src/ports/thread-store.ts";
import { apiRequest } from "../api-request.ts";
import type { SharedState } from "../clients.ts";
import type { JobsState } from "../jobs/jobs-state.ts";
import { outboxOf } from "../jobs/settle-jobs.ts";
import type { ClientRequest, Network } from "../network.ts";
import { createRandom, STREAMS } from "../random.ts";
import type { World } from "../world.ts";

/** Lets some endpoints respond with 410 Gone from some time on. */
export function retireEndpoints(world: World, { endpoints }: JobsState): void {
  const random = createRandom(world.seed, STREAMS.changes, 1);
  endpoints.forEach((endpoint, n) => {
    if (random.chance(0.3)) endpoints[n] = { ...endpoint, gone_from: random.pick([0, 5_000, 60_000]) };
  });
}

/** Removes threads that no longer exist from the clients' state. */
export function dropRemovedThreads(data: MemoryData, boards: Iterable<SharedState>): void {
  for (const { tenant, threads } of boards)
    for (const thread of [...threads])
      if (!data.records.has(`${tenant}/${thread}`)) threads.splice(threads.indexOf(thread), 1);
}

/** Sends dead letters once more, if their webhook still exists. */
export async function redeliverIfSubscribed(network: Network, data: MemoryData, found: string[]): Promise<void> {
  for (const row of outboxOf(data)) {
    if (!row.id.startsWith("dlv_") || row.due_at !== NEVER_DUE) continue;
    const { webhook, reason } = JSON.parse(row.body) as { webhook?: string; reason?: string };
    if (!webhook) continue;
    if (!reason) found.push(`I10 ${row.id} is dead-lettered without a reason`);
    const person = { name: "zz", shared: { tenant: row.tenant } as SharedState, actions: 0 };
    const body = JSON.stringify({ delivery: row.id });
    const request = apiRequest({ person }, { path: `/v1/webhooks/${webhook}/redeliver`, body });
    const sent: ClientRequest = { client: "zz", request, tries: [] };
    const answer = await network.sendOnce(sent, 0, null);
    if (answer?.code !== "ok" && answer?.code !== "webhook_not_found")
      found.push(`I10 ${row.id} cannot be redelivered: ${answer?.code}`);
  }
}
