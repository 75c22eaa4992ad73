// Implements actions in histories with background runs: switch runs, manage schedules, send external events and click
// links.
import { isoTime } from "../../../src/ports/clock.ts";
import type { ThreadRef } from "../../../src/schema/ids.ts";
import type { ScheduleInput, ScheduleWhen } from "../../../src/schema/jobs/schedule.ts";
import { apiRequest } from "../api-request.ts";
import { tenantMarker } from "../choose-request.ts";
import { type Person, sendWithRetries } from "../clients.ts";
import type { ClientRequest, Network } from "../network.ts";
import type { Random } from "../random.ts";
import type { SimRequest, SimResponse } from "../server.ts";
import type { World } from "../world.ts";
import type { JobsState } from "./jobs-state.ts";

type JobsContext = {
  readonly world: World;
  readonly network: Network;
  readonly jobs: JobsState;
  readonly person: Person;
  readonly random: Random;
  readonly i: number;
};

/** Performs an action and returns whether it was of this kind. */
export async function actOnJobs(context: JobsContext): Promise<boolean> {
  const { random, world, network, jobs } = context;
  const weights = {
    other: 26,
    switch: 4,
    schedule: 3,
    change: 2,
    event: 4,
    door: 1,
    link: linksOf(context).length > 0 ? 30 : 0,
    again: 2,
    deploy: 1,
    wait: 2,
  };
  switch (random.weighted(weights)) {
    case "other":
      return false;
    case "switch":
      return switchRun(context);
    case "schedule":
      return makeSchedule(context);
    case "change":
      return changeSchedule(context);
    case "event":
      return sendInboundEvent(context);
    case "door":
      return createInboundWebhook(context);
    case "link":
      return clickLink(context);
    case "again":
      return redeliverOne(context);
    case "deploy":
      network.deploy(random.int(jobs.slots));
      return true;
    case "wait":
      await world.wait(null, "wait", random.pick([2000, 30_000, 600_000]));
      return true;
  }
}

export async function sendUntilAnswered(
  { world, network, person, random }: JobsContext,
  request: SimRequest,
): Promise<SimResponse | null> {
  const sent: ClientRequest = { client: person.name, request, tries: [] };
  network.clientRequests.push(sent);
  return sendWithRetries(world, network, person, random, sent);
}

async function switchRun(context: JobsContext): Promise<boolean> {
  const { random, person, i } = context;
  const { shared } = person;
  if (shared.threads.length === 0) return false;
  const at: ThreadRef = { tenant: shared.tenant, thread: random.pick(shared.threads) };
  const to = random.pick(["run", "run", "pause", "resume"] as const);
  const key = random.chance(0.7) ? `switch-${person.name.slice(1)}-${i}` : null;
  await sendUntilAnswered(context, { kind: "switch", at, actor: person.name, key, to });
  return true;
}

async function makeSchedule(context: JobsContext): Promise<boolean> {
  const { world, random, person, i } = context;
  const { shared } = person;
  const text = `${tenantMarker(shared.tenant)} says schedule ${person.name} ${i}`;
  const to = shared.threads.length > 0 && random.chance(0.4) ? random.pick(shared.threads) : null;
  const every_s = random.pick([10, 30, 300]);
  const ends_at = isoTime(world.now() + every_s * 1000 * (1 + random.int(4)) + 500);
  const input: ScheduleInput = {
    name: `schedule-${person.name}-${i}`,
    when: randomTiming(world, random, every_s),
    what: to
      ? { kind: "message", thread: to, message: { type: "message", text: text } }
      : { kind: "thread", create: { goal: text, mode: "direct" } },
    missed: random.pick(["skip", "run_once"]),
    ends_at,
    ...(random.chance(0.3) ? { jitter_s: 5 } : {}),
  };
  const key = random.chance(0.9) ? `schedule-${person.name.slice(1)}-${i}` : null;
  const answer = await sendUntilAnswered(
    context,
    apiRequest(context, { path: "/v1/schedules", body: JSON.stringify(input), key }),
  );
  if (answer?.code === "ok")
    shared.schedules.push((JSON.parse(answer.body) as { schedule: { id: string } }).schedule.id);
  return true;
}

function randomTiming(world: World, random: Random, every_s: number): ScheduleWhen {
  switch (random.weighted({ interval: 6, once: 2, cron: 1 })) {
    case "interval":
      return { kind: "interval", every_s };
    case "once":
      return { kind: "once", at: isoTime(world.now() + random.int(every_s * 1000)) };
    case "cron":
      return { kind: "cron", expression: "*/20 * * * * *", time_zone: "Europe/Berlin" };
  }
}

async function changeSchedule(context: JobsContext): Promise<boolean> {
  const { random, person } = context;
  const { schedules } = person.shared;
  if (schedules.length === 0) return false;
  const path = `/v1/schedules/${random.pick(schedules)}`;
  const change = random.weighted({ off: 2, on: 2, rhythm: 2, gone: 1 });
  if (change === "gone") await sendUntilAnswered(context, apiRequest(context, { method: "DELETE", path }));
  else {
    const body = {
      off: { enabled: false },
      on: { enabled: true },
      rhythm: { when: { kind: "interval", every_s: random.pick([15, 60]) } },
    }[change];
    await sendUntilAnswered(context, apiRequest(context, { method: "PATCH", path, body: JSON.stringify(body) }));
  }
  return true;
}

/** Sends an external event and retries until it is acknowledged. */
async function sendInboundEvent(context: JobsContext): Promise<boolean> {
  const { random, jobs, person, i } = context;
  const inboundWebhooks = jobs.inboundWebhooks.filter(({ tenant }) => tenant === person.shared.tenant);
  const { path, secret } = random.pick(inboundWebhooks);
  const id = `evt-${person.name}-${i}`;
  const body = JSON.stringify({ event: `${id};`, of: tenantMarker(person.shared.tenant) });
  const answer = await sendUntilAnswered(context, apiRequest(context, { path, body, sign: { secret, id } }));
  if (answer?.code !== "ok") return true;
  const { thread } = JSON.parse(answer.body) as { thread: ThreadRef["thread"] };
  const { threads } = person.shared;
  if (threads.length < 4 && !threads.includes(thread)) threads.push(thread);
  return true;
}

async function createInboundWebhook(context: JobsContext): Promise<boolean> {
  const { random, jobs, person, i } = context;
  const { shared } = person;
  if (shared.threads.length === 0) return false;
  const text = `${tenantMarker(shared.tenant)} says hook ${person.name} ${i}`;
  const what = { kind: "message", thread: random.pick(shared.threads), text };
  const body = JSON.stringify({ name: `door-${person.name}-${i}`, what });
  const answer = await sendUntilAnswered(context, apiRequest(context, { path: "/v1/hooks", body }));
  if (answer?.code !== "ok") return true;
  const { path, secret } = JSON.parse(answer.body) as { path: string; secret: string };
  jobs.inboundWebhooks.push({ tenant: shared.tenant, path, secret });
  return true;
}

type GateOpenedEvent = {
  readonly data: { readonly gate?: { readonly id: string }; readonly links?: { readonly confirm: string } };
};

/** Returns the newest links sent to this tenant. */
const linksOf = ({ jobs, person }: JobsContext): readonly { readonly gate: string; readonly path: string }[] =>
  jobs.posts
    .flatMap(({ tenant, body }) => {
      if (tenant !== person.shared.tenant || !body.includes('"links"')) return [];
      const { data } = JSON.parse(body) as GateOpenedEvent;
      return data.gate && data.links ? [{ gate: data.gate.id, path: new URL(data.links.confirm).pathname }] : [];
    })
    .slice(-3);

/** Opens the page or not, approves or rejects, and often repeats the request. */
async function clickLink(context: JobsContext): Promise<boolean> {
  const { random } = context;
  const newest = linksOf(context);
  if (newest.length === 0) return false;
  const { gate, path } = random.pick(newest);
  if (random.chance(0.4)) await sendUntilAnswered(context, apiRequest(context, { method: "GET", path }));
  const decision = random.pick(["approve", "approve", "reject"] as const);
  const request = apiRequest(context, { path, body: `decision=${decision}`, form: true, gate: { id: gate, decision } });
  const clicks = random.weighted({ once: 5, twice: 2, again: 2 });
  if (clicks === "twice") await Promise.all([sendUntilAnswered(context, request), sendUntilAnswered(context, request)]);
  else await sendUntilAnswered(context, request);
  if (clicks === "again") await sendUntilAnswered(context, request);
  return true;
}

/** Reads the log of a webhook and repeats one delivery. */
async function redeliverOne(context: JobsContext): Promise<boolean> {
  const { random, jobs, person } = context;
  const own = jobs.endpoints.filter(({ tenant }) => tenant === person.shared.tenant);
  const { webhook } = random.pick(own);
  const path = `/v1/webhooks/${webhook.id}`;
  const answer = await sendUntilAnswered(context, apiRequest(context, { method: "GET", path: `${path}/deliveries` }));
  if (answer?.code !== "ok") return true;
  const { deliveries } = JSON.parse(answer.body) as { deliveries: readonly { id: string }[] };
  if (deliveries.length === 0) return true;
  const body = JSON.stringify({ delivery: random.pick(deliveries).id });
  await sendUntilAnswered(context, apiRequest(context, { path: `${path}/redeliver`, body }));
  return true;
}
