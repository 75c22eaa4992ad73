// What people and systems outside do where runs work by themselves: switch, schedule, bring events, click on links.
import { isoTime } from "../../../src/ports/clock.ts";
import type { ThreadAt } from "../../../src/schema/ids.ts";
import type { ScheduleInput, ScheduleWhen } from "../../../src/schema/jobs/schedule.ts";
import { errandOf } from "../errand.ts";
import type { Network, Wish } from "../network.ts";
import { insistOn, type Person } from "../people.ts";
import type { Random } from "../random.ts";
import type { Answer, Request } from "../server.ts";
import { markOf } from "../wants.ts";
import type { World } from "../world.ts";
import type { JobsFacts } from "./facts.ts";

type Scene = {
  readonly world: World;
  readonly network: Network;
  readonly jobs: JobsFacts;
  readonly person: Person;
  readonly random: Random;
  readonly i: number;
};

/** Whether it was something of this kind. */
export async function actOnJobs(scene: Scene): Promise<boolean> {
  const { random, world, network, jobs } = scene;
  const weights = {
    other: 26,
    switch: 4,
    schedule: 3,
    change: 2,
    event: 4,
    door: 1,
    link: linksOf(scene).length > 0 ? 30 : 0,
    again: 2,
    deploy: 1,
    wait: 2,
  };
  switch (random.weighted(weights)) {
    case "other":
      return false;
    case "switch":
      return switchRun(scene);
    case "schedule":
      return makeSchedule(scene);
    case "change":
      return changeSchedule(scene);
    case "event":
      return bringEvent(scene);
    case "door":
      return openDoor(scene);
    case "link":
      return clickLink(scene);
    case "again":
      return sendAgain(scene);
    case "deploy":
      network.deploy(random.int(jobs.slots));
      return true;
    case "wait":
      await world.wait(null, "wait", random.pick([2000, 30_000, 600_000]));
      return true;
  }
}

export async function insistHere({ world, network, person, random }: Scene, request: Request): Promise<Answer | null> {
  const wish: Wish = { client: person.name, request, tries: [] };
  network.wishes.push(wish);
  return insistOn(world, network, person, random, wish);
}

async function switchRun(scene: Scene): Promise<boolean> {
  const { random, person, i } = scene;
  const { board } = person;
  if (board.threads.length === 0) return false;
  const at: ThreadAt = { tenant: board.tenant, thread: random.pick(board.threads) };
  const to = random.pick(["run", "run", "pause", "resume"] as const);
  const key = random.chance(0.7) ? `switch-${person.name.slice(1)}-${i}` : null;
  await insistHere(scene, { kind: "switch", at, actor: person.name, key, to });
  return true;
}

async function makeSchedule(scene: Scene): Promise<boolean> {
  const { world, random, person, i } = scene;
  const { board } = person;
  const says = `${markOf(board.tenant)} says schedule ${person.name} ${i}`;
  const to = board.threads.length > 0 && random.chance(0.4) ? random.pick(board.threads) : null;
  const every_s = random.pick([10, 30, 300]);
  const ends_at = isoTime(world.now() + every_s * 1000 * (1 + random.int(4)) + 500);
  const input: ScheduleInput = {
    name: `schedule-${person.name}-${i}`,
    when: rhythm(world, random, every_s),
    what: to
      ? { kind: "message", thread: to, message: { type: "message", text: says } }
      : { kind: "thread", create: { goal: says, mode: "direct" } },
    missed: random.pick(["skip", "run_once"]),
    ends_at,
    ...(random.chance(0.3) ? { jitter_s: 5 } : {}),
  };
  const key = random.chance(0.9) ? `schedule-${person.name.slice(1)}-${i}` : null;
  const answer = await insistHere(scene, errandOf(scene, { path: "/v1/schedules", body: JSON.stringify(input), key }));
  if (answer?.code === "ok")
    board.schedules.push((JSON.parse(answer.body) as { schedule: { id: string } }).schedule.id);
  return true;
}

function rhythm(world: World, random: Random, every_s: number): ScheduleWhen {
  switch (random.weighted({ interval: 6, once: 2, cron: 1 })) {
    case "interval":
      return { kind: "interval", every_s };
    case "once":
      return { kind: "once", at: isoTime(world.now() + random.int(every_s * 1000)) };
    case "cron":
      return { kind: "cron", expression: "*/20 * * * * *", time_zone: "Europe/Berlin" };
  }
}

async function changeSchedule(scene: Scene): Promise<boolean> {
  const { random, person } = scene;
  const { schedules } = person.board;
  if (schedules.length === 0) return false;
  const path = `/v1/schedules/${random.pick(schedules)}`;
  const change = random.weighted({ off: 2, on: 2, rhythm: 2, gone: 1 });
  if (change === "gone") await insistHere(scene, errandOf(scene, { method: "DELETE", path }));
  else {
    const body = {
      off: { enabled: false },
      on: { enabled: true },
      rhythm: { when: { kind: "interval", every_s: random.pick([15, 60]) } },
    }[change];
    await insistHere(scene, errandOf(scene, { method: "PATCH", path, body: JSON.stringify(body) }));
  }
  return true;
}

/** A sender outside tries until it is told that the event was taken. */
async function bringEvent(scene: Scene): Promise<boolean> {
  const { random, jobs, person, i } = scene;
  const doors = jobs.doors.filter(({ tenant }) => tenant === person.board.tenant);
  const { path, secret } = random.pick(doors);
  const id = `evt-${person.name}-${i}`;
  const body = JSON.stringify({ event: `${id};`, of: markOf(person.board.tenant) });
  const answer = await insistHere(scene, errandOf(scene, { path, body, sign: { secret, id } }));
  if (answer?.code !== "ok") return true;
  const { thread } = JSON.parse(answer.body) as { thread: ThreadAt["thread"] };
  const { threads } = person.board;
  if (threads.length < 4 && !threads.includes(thread)) threads.push(thread);
  return true;
}

async function openDoor(scene: Scene): Promise<boolean> {
  const { random, jobs, person, i } = scene;
  const { board } = person;
  if (board.threads.length === 0) return false;
  const text = `${markOf(board.tenant)} says hook ${person.name} ${i}`;
  const what = { kind: "message", thread: random.pick(board.threads), text };
  const body = JSON.stringify({ name: `door-${person.name}-${i}`, what });
  const answer = await insistHere(scene, errandOf(scene, { path: "/v1/hooks", body }));
  if (answer?.code !== "ok") return true;
  const { path, secret } = JSON.parse(answer.body) as { path: string; secret: string };
  jobs.doors.push({ tenant: board.tenant, path, secret });
  return true;
}

type Opened = {
  readonly data: { readonly gate?: { readonly id: string }; readonly links?: { readonly confirm: string } };
};

/** The newest that were sent to somebody here. */
const linksOf = ({ jobs, person }: Scene): readonly { readonly gate: string; readonly path: string }[] =>
  jobs.posts
    .flatMap(({ tenant, body }) => {
      if (tenant !== person.board.tenant || !body.includes('"links"')) return [];
      const { data } = JSON.parse(body) as Opened;
      return data.gate && data.links ? [{ gate: data.gate.id, path: new URL(data.links.confirm).pathname }] : [];
    })
    .slice(-3);

/** Looks at the page or not, says yes or no, and often twice. */
async function clickLink(scene: Scene): Promise<boolean> {
  const { random } = scene;
  const newest = linksOf(scene);
  if (newest.length === 0) return false;
  const { gate, path } = random.pick(newest);
  if (random.chance(0.4)) await insistHere(scene, errandOf(scene, { method: "GET", path }));
  const decision = random.pick(["approve", "approve", "reject"] as const);
  const request = errandOf(scene, { path, body: `decision=${decision}`, form: true, gate: { id: gate, decision } });
  const clicks = random.weighted({ once: 5, twice: 2, again: 2 });
  if (clicks === "twice") await Promise.all([insistHere(scene, request), insistHere(scene, request)]);
  else await insistHere(scene, request);
  if (clicks === "again") await insistHere(scene, request);
  return true;
}

/** Somebody looks at the log of a webhook and has something sent again. */
async function sendAgain(scene: Scene): Promise<boolean> {
  const { random, jobs, person } = scene;
  const own = jobs.endpoints.filter(({ tenant }) => tenant === person.board.tenant);
  const { webhook } = random.pick(own);
  const path = `/v1/webhooks/${webhook.id}`;
  const answer = await insistHere(scene, errandOf(scene, { method: "GET", path: `${path}/deliveries` }));
  if (answer?.code !== "ok") return true;
  const { deliveries } = JSON.parse(answer.body) as { deliveries: readonly { id: string }[] };
  if (deliveries.length === 0) return true;
  const body = JSON.stringify({ delivery: random.pick(deliveries).id });
  await insistHere(scene, errandOf(scene, { path: `${path}/redeliver`, body }));
  return true;
}
