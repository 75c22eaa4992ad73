// People at their screens: they act on what they saw last, click twice, come late, change their minds, and try again.
import type { DurableEvent } from "../../src/schema/event.ts";
import type { Gate } from "../../src/schema/gate.ts";
import type { TenantId, ThreadAt, ThreadId } from "../../src/schema/ids.ts";
import { actOnChanges } from "./changes/actions.ts";
import { actOnJobs } from "./jobs/actions.ts";
import { inBackground, whileBusy } from "./jobs/wants.ts";
import type { Network, Wish } from "./network.ts";
import { SLOTS } from "./network.ts";
import { createRandom, type Random, STREAMS } from "./random.ts";
import type { Answer, Request } from "./server.ts";
import { type Seen, wantCreate, wantTurn, words } from "./wants.ts";
import type { World } from "./world.ts";

/** What the people of one tenant know together: the threads there are and the gates they have seen. */
export type Board = {
  readonly tenant: TenantId;
  readonly threads: ThreadId[];
  readonly views: Map<string, Seen>;
  readonly gates: Gate[];
  /** The events heard so far, by thread, in the order they were heard. */
  readonly heard: Map<string, DurableEvent[]>;
  /** Ids of the schedules they made. */
  readonly schedules: string[];
};

export type Person = { readonly name: string; readonly board: Board; readonly actions: number };

const TRIES_MAX = 6;
const THREADS_MAX = 3;
/** Tools that an administrator switches off and on. */
const TOGGLED = ["look", "pay", "stamp"];
/** Told to a client that should come again. */
const AGAIN = new Set(["store_unavailable", "model_unavailable", "turn_deadline", "turn_running", "thread_moved"]);

export async function live(world: World, network: Network, person: Person, index: number): Promise<void> {
  for (let i = 0; i < person.actions; i += 1) {
    if (world.dropsAction(`${person.name}.${i}`)) continue;
    const random = createRandom(world.seed, STREAMS.client + index, i);
    const pause = random.weighted({ none: 12, short: 4, long: 1 });
    if (pause !== "none") await world.wait(null, "pause", pause === "short" ? random.int(800) : 120_000);
    const { changes } = network;
    const change = changes ? createRandom(world.seed, STREAMS.change, 100 * index + i) : null;
    if (changes && change && (await actOnChanges({ world, network, changes, person, random: change, i }))) continue;
    await act(world, network, person, random, i);
  }
}

async function act(world: World, network: Network, person: Person, random: Random, i: number): Promise<void> {
  const { board } = person;
  const { jobs } = network;
  if (jobs && (await actOnJobs({ world, network, jobs, person, random, i }))) return;
  // The same names of keys in every tenant: they must never meet.
  const key = random.chance(0.8) ? `key-${person.name.slice(1)}-${i}` : null;
  if (board.threads.length === 0 || (board.threads.length < 2 && random.chance(0.1))) {
    const wanted = wantCreate(random, person, key, i);
    const request = jobs ? inBackground(random, wanted) : wanted;
    const answer = await insist(world, network, person, random, request);
    const id = answer?.outcome?.thread.id;
    if (id && !board.threads.includes(id)) board.threads.push(id);
    return;
  }
  const at: ThreadAt = { tenant: board.tenant, thread: random.pick(board.threads) };
  if (random.chance(0.3) || !board.views.has(at.thread)) await look(network, person, random, at);
  if (random.chance(0.06)) await listen(network, person, random, at);
  const seen = board.views.get(at.thread);
  if (!seen) return;
  if (random.chance(0.03)) await network.toggle(board.tenant, random.pick(TOGGLED), random.chance(0.5));
  if (random.chance(0.04) && board.threads.length < THREADS_MAX) return fork(network, person, random, at, seen);
  if (random.chance(0.08) && seen.thread.gate?.expires_at) {
    // Comes back when it is too late, or nearly.
    const left = Date.parse(seen.thread.gate.expires_at) - world.now();
    await world.wait(null, "too late", Math.min(600_000, Math.max(0, left + random.int(3) - 1)));
  }
  const wanted = wantTurn(random, person, at, seen, key, i);
  const request = jobs ? whileBusy(random, wanted, words(person, i)) : wanted;
  if (random.chance(0.15)) await doubleClick(world, network, person, random, request);
  else await insist(world, network, person, random, request);
}

async function fork(network: Network, person: Person, random: Random, at: ThreadAt, seen: Seen): Promise<void> {
  const request: Request = { kind: "fork", at, turn: random.int(seen.thread.turn + 1) };
  const wish: Wish = { client: person.name, request, tries: [] };
  network.wishes.push(wish);
  const answer = await network.send(wish, random.int(SLOTS), null);
  remember(person.board, answer);
  if (answer?.outcome) person.board.threads.push(answer.outcome.thread.id);
}

export async function look(network: Network, person: Person, random: Random, at: ThreadAt): Promise<Answer | null> {
  const wish: Wish = { client: person.name, request: { kind: "read", at }, tries: [] };
  network.wishes.push(wish);
  const answer = await network.send(wish, random.int(SLOTS), null);
  remember(person.board, answer);
  return answer;
}

/** Goes on hearing where it stopped. Of two who listen at once for the same board only one is believed. */
export async function listen(network: Network, person: Person, random: Random, at: ThreadAt): Promise<number> {
  const heard = person.board.heard.get(at.thread) ?? [];
  const after = heard.at(-1)?.seq ?? -1;
  const wish: Wish = { client: person.name, request: { kind: "events", at, after }, tries: [] };
  network.wishes.push(wish);
  const answer = await network.send(wish, random.int(SLOTS), null);
  if (answer?.code !== "ok" || (person.board.heard.get(at.thread)?.length ?? 0) !== heard.length) return 0;
  const events = JSON.parse(answer.body) as DurableEvent[];
  person.board.heard.set(at.thread, [...heard, ...events]);
  return events.length;
}

function remember(board: Board, answer: Answer | null): void {
  if (!answer?.outcome) return;
  const { thread, next } = answer.outcome;
  const held = board.views.get(thread.id);
  if (held && held.thread.version > thread.version) return;
  board.views.set(thread.id, { thread, next });
  if (thread.gate) board.gates.push(thread.gate);
}

/** Sends until there is an answer worth having: with a key always the same call, without one only sometimes again. */
async function insist(
  world: World,
  network: Network,
  person: Person,
  random: Random,
  request: Request,
): Promise<Answer | null> {
  const wish: Wish = { client: person.name, request, tries: [] };
  network.wishes.push(wish);
  return insistOn(world, network, person, random, wish);
}

export async function insistOn(
  world: World,
  network: Network,
  person: Person,
  random: Random,
  wish: Wish,
): Promise<Answer | null> {
  const keyed = "key" in wish.request && wish.request.key !== null;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const patience = random.chance(0.04) ? random.int(30_000) : null;
    const answer = await network.send(wish, random.int(SLOTS), patience);
    remember(person.board, answer);
    if (answer && !AGAIN.has(answer.code)) return answer;
    if (!keyed && random.chance(0.7)) return answer;
    const wait = answer?.problem?.details?.retry_after_s;
    await world.wait(null, "retry", typeof wait === "number" ? Math.min(wait, 60) * 1000 : random.int(3000));
  }
  return null;
}

async function doubleClick(
  world: World,
  network: Network,
  person: Person,
  random: Random,
  request: Request,
): Promise<void> {
  const wish: Wish = { client: person.name, request, tries: [] };
  network.wishes.push(wish);
  const other = createRandom(Math.floor(random.next() * 2 ** 31), 0);
  await Promise.all([insistOn(world, network, person, random, wish), insistOn(world, network, person, other, wish)]);
}
