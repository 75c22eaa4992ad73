// Sets up a history with background runs: webhooks and inbound webhooks.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createIds } from "../../../src/adapters/ids-random.ts";
import { createInboundWebhook } from "../../../src/jobs/webhooks/inbound-webhooks.ts";
import { createWebhook } from "../../../src/jobs/webhooks/subscriptions.ts";
import type { TenantId } from "../../../src/schema/ids.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../../src/schema/jobs/webhook.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { tenantMarker } from "../choose-request.ts";
import { bytesOf, createRandom, type Random, STREAMS } from "../random.ts";
import type { DurableState } from "../server.ts";
import type { World } from "../world.ts";
import { allowAllGuard } from "./endpoints.ts";
import type { JobsState } from "./jobs-state.ts";

const HOUR_MS = 3_600_000;
const DOWNTIMES_MS = [0, 0, 0, 0, 0, 0, 0, 0, 600_000, HOUR_MS, 40 * HOUR_MS];

export async function prepareJobs(
  world: World,
  durable: DurableState,
  jobs: JobsState,
  tenants: readonly TenantId[],
): Promise<void> {
  const random = createRandom(world.seed, STREAMS.jobs);
  const clock = world.clockOf(null);
  const rt: Runtime = {
    ...createTestRuntime([]),
    store: durable.store(world.spawn(-1)),
    settings: durable.settings,
    clock,
    ids: createIds(clock, (size) => bytesOf(random, size)),
    hash: nodeHash,
  };
  for (const tenant of tenants) {
    const count = random.pick([1, 1, 2]);
    for (let n = 0; n < count; n += 1) await subscribe(rt, random, jobs, tenant, n);
    const create = { goal: `${tenantMarker(tenant)} says hook`, mode: "direct" as const };
    const input = { name: "in", what: { kind: "thread" as const, create } };
    const { token, secret } = unwrap(await createInboundWebhook(rt, tenant, "admin", input));
    jobs.inboundWebhooks.push({ tenant, path: `/v1/hooks/${token}`, secret });
  }
}

async function subscribe(rt: Runtime, random: Random, jobs: JobsState, tenant: TenantId, n: number): Promise<void> {
  const url = `https://${tenant}.test/${n}`;
  const down_until = random.pick(DOWNTIMES_MS);
  // Subscribing to every turn is expensive, especially with an endpoint that is down, so only some histories do so.
  const events: readonly WebhookEvent[] =
    down_until > HOUR_MS
      ? [random.pick(["gate.opened", "run.delivered"] as const)]
      : WEBHOOK_EVENTS.filter((type) => random.chance(type === "turn.committed" ? 0.12 : 0.7));
  const input = { name: `hook-${n}`, url, events: [...events], links: random.chance(0.7) };
  const { webhook } = unwrap(await createWebhook(rt, allowAllGuard, { tenant, actor: "admin", input }));
  jobs.endpoints.push({ url, tenant, webhook, down_until });
}
