// Simulates clients that act on their last view, send twice, answer late, change their minds and retry.
import type { DurableEvent } from "../../src/schema/event.ts";
import type { Gate } from "../../src/schema/gate.ts";
import type { TenantId, ThreadId, ThreadRef } from "../../src/schema/ids.ts";
import { actOnChanges } from "./changes/actions.ts";
import { chooseCreate, chooseTurn, messageText, type ScreenState } from "./choose-request.ts";
import { actOnJobs } from "./jobs/actions.ts";
import { inBackground, whileBusy } from "./jobs/background-requests.ts";
import type { ClientRequest, Network } from "./network.ts";
import { SLOTS } from "./network.ts";
import { createRandom, type Random, STREAMS } from "./random.ts";
import type { SimRequest, SimResponse } from "./server.ts";
import type { World } from "./world.ts";

/** The state that clients of one tenant share, such as known threads and gates. */
export type SharedState = {
  readonly tenant: TenantId;
  readonly threads: ThreadId[];
  readonly views: Map<string, ScreenState>;
  readonly gates: Gate[];
  /** The events received so far, by thread, in order. */
  readonly receivedEvents: Map<string, DurableEvent[]>;
  /** Ids of the created schedules. */
  readonly schedules: string[];
};

export type Person = { readonly name: string; readonly shared: SharedState; readonly actions: number };

const TRIES_MAX = 6;
const THREADS_MAX = 3;
/** Tools that an administrator disables and enables. */
const TOGGLED_TOOLS = ["look", "pay", "stamp"];
/** Codes after which a client should retry. */
const RETRYABLE_CODES = new Set([
  "store_unavailable",
  "model_unavailable",
  "turn_deadline",
  "turn_running",
  "thread_moved",
]);

export async function simulatePerson(world: World, network: Network, person: Person, index: number): Promise<void> {
  for (let i = 0; i < person.actions; i += 1) {
    if (world.dropsAction(`${person.name}.${i}`)) continue;
    const random = createRandom(world.seed, STREAMS.client + index, i);
    const pause = random.weighted({ none: 12, short: 4, long: 1 });
    if (pause !== "none") await world.wait(null, "pause", pause === "short" ? random.int(800) : 120_000);
    const { changes } = network;
    const change = changes ? createRandom(world.seed, STREAMS.change, 100 * index + i) : null;
    if (changes && change && (await actOnChanges({ world, network, changes, person, random: change, i }))) continue;
    await takeAction(world, network, person, random, i);
  }
}

async function takeAction(world: World, network: Network, person: Person, random: Random, i: number): Promise<void> {
  const { shared } = person;
  const { jobs } = network;
  if (jobs && (await actOnJobs({ world, network, jobs, person, random, i }))) return;
  // Every tenant uses the same key names, which must never collide.
  const key = random.chance(0.8) ? `key-${person.name.slice(1)}-${i}` : null;
  if (shared.threads.length === 0 || (shared.threads.length < 2 && random.chance(0.1))) {
    const chosen = chooseCreate(random, person, key, i);
    const request = jobs ? inBackground(random, chosen) : chosen;
    const answer = await sendRequest(world, network, person, random, request);
    const id = answer?.outcome?.thread.id;
    if (id && !shared.threads.includes(id)) shared.threads.push(id);
    return;
  }
  const at: ThreadRef = { tenant: shared.tenant, thread: random.pick(shared.threads) };
  if (random.chance(0.3) || !shared.views.has(at.thread)) await readThread(network, person, random, at);
  if (random.chance(0.06)) await readEvents(network, person, random, at);
  const seen = shared.views.get(at.thread);
  if (!seen) return;
  if (random.chance(0.03)) await network.toggleTool(shared.tenant, random.pick(TOGGLED_TOOLS), random.chance(0.5));
  if (random.chance(0.04) && shared.threads.length < THREADS_MAX) return fork(network, person, random, at, seen);
  if (random.chance(0.08) && seen.thread.gate?.expires_at) {
    // The client continues around the time when the gate expires.
    const left = Date.parse(seen.thread.gate.expires_at) - world.now();
    await world.wait(null, "too late", Math.min(600_000, Math.max(0, left + random.int(3) - 1)));
  }
  const chosen = chooseTurn(random, person, at, seen, key, i);
  const request = jobs ? whileBusy(random, chosen, messageText(person, i)) : chosen;
  if (random.chance(0.15)) await doubleClick(world, network, person, random, request);
  else await sendRequest(world, network, person, random, request);
}

async function fork(network: Network, person: Person, random: Random, at: ThreadRef, seen: ScreenState): Promise<void> {
  const request: SimRequest = { kind: "fork", at, turn: random.int(seen.thread.turn + 1) };
  const sent: ClientRequest = { client: person.name, request, tries: [] };
  network.clientRequests.push(sent);
  const answer = await network.sendOnce(sent, random.int(SLOTS), null);
  updateShared(person.shared, answer);
  if (answer?.outcome) person.shared.threads.push(answer.outcome.thread.id);
}

export async function readThread(
  network: Network,
  person: Person,
  random: Random,
  at: ThreadRef,
): Promise<SimResponse | null> {
  const sent: ClientRequest = { client: person.name, request: { kind: "read", at }, tries: [] };
  network.clientRequests.push(sent);
  const answer = await network.sendOnce(sent, random.int(SLOTS), null);
  updateShared(person.shared, answer);
  return answer;
}

/** Continues reading where the last reader stopped. If two readers run concurrently, only one of them is recorded. */
export async function readEvents(network: Network, person: Person, random: Random, at: ThreadRef): Promise<number> {
  const received = person.shared.receivedEvents.get(at.thread) ?? [];
  const after = received.at(-1)?.seq ?? -1;
  const sent: ClientRequest = { client: person.name, request: { kind: "events", at, after }, tries: [] };
  network.clientRequests.push(sent);
  const answer = await network.sendOnce(sent, random.int(SLOTS), null);
  if (answer?.code !== "ok" || (person.shared.receivedEvents.get(at.thread)?.length ?? 0) !== received.length) return 0;
  const events = JSON.parse(answer.body) as DurableEvent[];
  person.shared.receivedEvents.set(at.thread, [...received, ...events]);
  return events.length;
}

function updateShared(board: SharedState, answer: SimResponse | null): void {
  if (!answer?.outcome) return;
  const { thread, next } = answer.outcome;
  const known = board.views.get(thread.id);
  if (known && known.thread.version > thread.version) return;
  board.views.set(thread.id, { thread, next });
  if (thread.gate) board.gates.push(thread.gate);
}

/**
 * Sends until there is a usable response. A request with a key is always repeated, one without a key only sometimes.
 */
async function sendRequest(
  world: World,
  network: Network,
  person: Person,
  random: Random,
  request: SimRequest,
): Promise<SimResponse | null> {
  const sent: ClientRequest = { client: person.name, request, tries: [] };
  network.clientRequests.push(sent);
  return sendWithRetries(world, network, person, random, sent);
}

export async function sendWithRetries(
  world: World,
  network: Network,
  person: Person,
  random: Random,
  sent: ClientRequest,
): Promise<SimResponse | null> {
  const keyed = "key" in sent.request && sent.request.key !== null;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const timeout_ms = random.chance(0.04) ? random.int(30_000) : null;
    const answer = await network.sendOnce(sent, random.int(SLOTS), timeout_ms);
    updateShared(person.shared, answer);
    if (answer && !RETRYABLE_CODES.has(answer.code)) return answer;
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
  request: SimRequest,
): Promise<void> {
  const sent: ClientRequest = { client: person.name, request, tries: [] };
  network.clientRequests.push(sent);
  const other = createRandom(Math.floor(random.next() * 2 ** 31), 0);
  await Promise.all([
    sendWithRetries(world, network, person, random, sent),
    sendWithRetries(world, network, person, other, sent),
  ]);
}
