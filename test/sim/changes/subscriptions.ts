// Changes webhooks and inbound webhooks during runs: disables, enables and deletes them, and changes their events, URLs
// or secrets.
import { WEBHOOK_EVENTS } from "../../../src/schema/jobs/webhook.ts";
import { apiRequest } from "../api-request.ts";
import type { JobsState } from "../jobs/jobs-state.ts";
import { type ChangeContext, sendUntilAccepted } from "./actions.ts";

const ownEndpoints = ({ network, person }: ChangeContext) =>
  (network.jobs?.endpoints ?? []).filter(({ tenant }) => tenant === person.shared.tenant);

export async function changeWebhook(context: ChangeContext): Promise<boolean> {
  const { random, network } = context;
  const { webhook } = random.pick(ownEndpoints(context));
  const path = `/v1/webhooks/${webhook.id}`;
  const patch = (body: object) =>
    sendUntilAccepted(context, apiRequest(context, { method: "PATCH", path, body: JSON.stringify(body) }));
  switch (random.weighted({ off: 4, on: 4, events: 2, address: 2, rotate: 2, gone: 1, fresh: 2 })) {
    case "off":
      await patch({ enabled: false });
      return true;
    case "on":
      await patch({ enabled: true });
      return true;
    case "events":
      await patch({ events: WEBHOOK_EVENTS.filter(() => random.chance(0.5)) });
      return true;
    case "address":
      await patch({ url: createAddress(context, network.jobs, webhook) });
      return true;
    case "rotate": {
      const body = JSON.stringify({ grace_s: random.pick([0, 60, 3600]) });
      await sendUntilAccepted(context, apiRequest(context, { path: `${path}/rotate`, body }));
      return true;
    }
    case "gone":
      await sendUntilAccepted(context, apiRequest(context, { method: "DELETE", path }));
      return true;
    case "fresh":
      return subscribe(context);
  }
}

/** Creates an endpoint before any webhook is sent to it. */
function createAddress(
  { person, i, random, world }: ChangeContext,
  jobs: JobsState | null,
  webhook: JobsState["endpoints"][number]["webhook"],
): string {
  const url = `https://${person.shared.tenant}.test/${person.name}-${i}`;
  const gone = random.chance(0.2) ? { gone_from: world.time() + random.int(60_000) } : {};
  jobs?.endpoints.push({ url, tenant: person.shared.tenant, webhook, down_until: 0, ...gone });
  return url;
}

/** Adds a webhook for one thread or for all threads. Changes find it by its URL. */
async function subscribe(context: ChangeContext): Promise<boolean> {
  const { random, network, person, i } = context;
  const [template] = ownEndpoints(context);
  if (!template || !network.jobs) return false;
  const url = createAddress(context, network.jobs, template.webhook);
  const thread = person.shared.threads.length > 0 && random.chance(0.5) ? random.pick(person.shared.threads) : null;
  const events = WEBHOOK_EVENTS.filter((type) => random.chance(type === "turn.committed" ? 0.2 : 0.7));
  const input = {
    name: `new-${person.name}-${i}`,
    url,
    events,
    links: random.chance(0.5),
    ...(thread ? { thread } : {}),
  };
  await sendUntilAccepted(context, apiRequest(context, { path: "/v1/webhooks", body: JSON.stringify(input) }));
  return true;
}

/** Disables an inbound webhook, and possibly enables it again. */
export async function changeInboundWebhook(context: ChangeContext): Promise<boolean> {
  const { random, network, person } = context;
  const inboundWebhooks = (network.jobs?.inboundWebhooks ?? []).filter(({ tenant }) => tenant === person.shared.tenant);
  if (inboundWebhooks.length === 0) return false;
  const [, id] = /\.(hok_[0-9a-z]{26})\./.exec(random.pick(inboundWebhooks).path) ?? [];
  const body = JSON.stringify({ enabled: random.chance(0.5) });
  await sendUntilAccepted(context, apiRequest(context, { method: "PATCH", path: `/v1/hooks/${id}`, body }));
  return true;
}
