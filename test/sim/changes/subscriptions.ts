// Webhooks and hooks that change while runs are at work: off and on, other events, other addresses, other secrets, gone.
import { WEBHOOK_EVENTS } from "../../../src/schema/jobs/webhook.ts";
import { errandOf } from "../errand.ts";
import type { JobsFacts } from "../jobs/facts.ts";
import { type ChangeScene, insistThere } from "./actions.ts";

const ownEndpoints = ({ network, person }: ChangeScene) =>
  (network.jobs?.endpoints ?? []).filter(({ tenant }) => tenant === person.board.tenant);

export async function changeWebhook(scene: ChangeScene): Promise<boolean> {
  const { random, network } = scene;
  const { webhook } = random.pick(ownEndpoints(scene));
  const path = `/v1/webhooks/${webhook.id}`;
  const patch = (body: object) =>
    insistThere(scene, errandOf(scene, { method: "PATCH", path, body: JSON.stringify(body) }));
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
      await patch({ url: anAddress(scene, network.jobs, webhook) });
      return true;
    case "rotate": {
      const body = JSON.stringify({ grace_s: random.pick([0, 60, 3600]) });
      await insistThere(scene, errandOf(scene, { path: `${path}/rotate`, body }));
      return true;
    }
    case "gone":
      await insistThere(scene, errandOf(scene, { method: "DELETE", path }));
      return true;
    case "fresh":
      return subscribe(scene);
  }
}

/** Somebody is at home there before anybody can be sent to it. */
function anAddress(
  { person, i, random, world }: ChangeScene,
  jobs: JobsFacts | null,
  webhook: JobsFacts["endpoints"][number]["webhook"],
): string {
  const url = `https://${person.board.tenant}.test/${person.name}-${i}`;
  const gone = random.chance(0.2) ? { gone_from: world.time() + random.int(60_000) } : {};
  jobs?.endpoints.push({ url, tenant: person.board.tenant, webhook, down_until: 0, ...gone });
  return url;
}

/** One more who is told, of one thread or of all; found again by its address when it changes. */
async function subscribe(scene: ChangeScene): Promise<boolean> {
  const { random, network, person, i } = scene;
  const [like] = ownEndpoints(scene);
  if (!like || !network.jobs) return false;
  const url = anAddress(scene, network.jobs, like.webhook);
  const thread = person.board.threads.length > 0 && random.chance(0.5) ? random.pick(person.board.threads) : null;
  const events = WEBHOOK_EVENTS.filter((type) => random.chance(type === "turn.committed" ? 0.2 : 0.7));
  const input = {
    name: `new-${person.name}-${i}`,
    url,
    events,
    links: random.chance(0.5),
    ...(thread ? { thread } : {}),
  };
  await insistThere(scene, errandOf(scene, { path: "/v1/webhooks", body: JSON.stringify(input) }));
  return true;
}

/** A door that is shut, and perhaps opened again. */
export async function changeHook(scene: ChangeScene): Promise<boolean> {
  const { random, network, person } = scene;
  const doors = (network.jobs?.doors ?? []).filter(({ tenant }) => tenant === person.board.tenant);
  if (doors.length === 0) return false;
  const [, id] = /\.(hok_[0-9a-z]{26})\./.exec(random.pick(doors).path) ?? [];
  const body = JSON.stringify({ enabled: random.chance(0.5) });
  await insistThere(scene, errandOf(scene, { method: "PATCH", path: `/v1/hooks/${id}`, body }));
  return true;
}
