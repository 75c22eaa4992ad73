// Completes a history after the faults. Every thread is advanced until it ends, fails or waits for a user; then every
// request with a response is repeated and must get the same bytes.
import type { MemoryData } from "../../src/adapters/store-memory.ts";
import { CALL_LEASE_MAX_S } from "../../src/schema/gate.ts";
import { ThreadId, type ThreadRef } from "../../src/schema/ids.ts";
import type { TurnInput } from "../../src/schema/input.ts";
import { KEY_RING_MAX, type ThreadState } from "../../src/schema/thread.ts";
import { wasRemoved } from "./changes/changes-state.ts";
import { chooseAnswer, type ScreenState } from "./choose-request.ts";
import { type Person, readEvents, readThread } from "./clients.ts";
import type { ClientRequest, Network } from "./network.ts";
import { probeForks } from "./probe-forks.ts";
import { createRandom, type Random } from "./random.ts";
import type { DurableState, SimRequest, SimResponse } from "./server.ts";
import type { World } from "./world.ts";

/** A number of requests that brings any thread to an end, whatever its state. */
const REQUESTS_MAX = 60;
/** The longest plausible Retry-After, which exceeds the time that any call takes. */
const WAIT_MAX_S = 120;
/**
 * The longest wait for a lease. The clock may have jumped back since the lease was given, and clocks may also differ by
 * a minute.
 */
const LEASE_WAIT_MAX_S = CALL_LEASE_MAX_S + 60;

export async function finishThreads(
  world: World,
  network: Network,
  people: readonly Person[],
  found: string[],
): Promise<void> {
  const boards = new Set(people.map(({ shared }) => shared));
  let n = 0;
  for (const board of boards) {
    for (const thread of board.threads) {
      const finisher: Person = { name: `${board.tenant.slice(0, 1)}z`, shared: board, actions: 0 };
      const flaw = await finishThread(world, network, finisher, { tenant: board.tenant, thread }, n++);
      if (flaw) found.push(`I6 ${thread}: ${flaw}`);
    }
  }
}

async function finishThread(
  world: World,
  network: Network,
  finisher: Person,
  at: ThreadRef,
  n: number,
): Promise<string | null> {
  const random = createRandom(world.seed, 8, n);
  let last = "";
  let seen: ScreenState | null = null;
  for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
    seen ??= (await readThread(network, finisher, random, at))?.outcome ?? null;
    if (!seen) return "cannot be read";
    if (seen.thread.state === "rest") return null;
    if (seen.thread.state === "failed" && random.chance(0.5)) return null;
    const gate = seen.thread.gate;
    if (gate && gate.expires_at === null && random.chance(0.4)) return null;
    const input =
      last === "stuck" ? ({ type: "cancel" } as const) : nextInput(world, random, finisher, seen, requests, last);
    const answer = await sendTurn(network, finisher, at, input);
    if (!answer) return "a request was lost after the faults stopped";
    const result = await followAnswer(world, answer);
    // A cancelled run is not retried, so a different outcome is needed.
    if (answer.code === "signal_refused" && input?.type === "resolve" && input.outcome === "try_again") continue;
    if (result === "refused")
      return `${JSON.stringify(input)} in ${seen.thread.state}.${seen.thread.at} gave ${answer.body}`;
    last = result;
    seen = answer.outcome;
  }
  return `not completed after ${REQUESTS_MAX} requests`;
}

function nextInput(
  world: World,
  random: Random,
  finisher: Person,
  seen: ScreenState,
  n: number,
  last: string,
): TurnInput | null {
  const { gate, state } = seen.thread;
  if (state === "failed") return { type: "reset" };
  if (!gate || (gate.expires_at !== null && world.now() >= Date.parse(gate.expires_at))) return null;
  if (gate.kind === "confirmation" || gate.kind === "plan") {
    // A call whose tool was disabled meanwhile can only be rejected.
    if (last === "disabled") return { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "reject" };
    const decision = random.pick(["approve", "reject"] as const);
    return { type: "confirm", gate_id: gate.id, digest: gate.digest, decision };
  }
  if (gate.kind === "question")
    return { type: "answer", gate_id: gate.id, text: `mark-${finisher.shared.tenant} says z ${n}` };
  if (gate.kind === "external")
    return { type: "tool_result", gate_id: gate.id, digest: gate.digest, output: "at last" };
  return chooseAnswer(random, finisher, gate, n);
}

/** Does what a sensible client does after this response. */
async function followAnswer(world: World, answer: SimResponse): Promise<"on" | "stuck" | "disabled" | "refused"> {
  switch (answer.code) {
    case "ok":
    case "decision_invalid":
    case "decision_refused":
    case "gate_expired":
    case "gate_closed":
    // Another worker was faster.
    case "thread_moved":
    case "nothing_to_do":
    case "gate_open":
      return "on";
    case "turn_running":
    case "gate_leased": {
      const wait = answer.problem?.details?.retry_after_s;
      const longest = answer.code === "gate_leased" ? LEASE_WAIT_MAX_S : WAIT_MAX_S;
      if (typeof wait !== "number" || wait > longest) return "refused";
      await world.wait(null, "retry", wait * 1000);
      return "on";
    }
    case "prompt_too_large":
      return "stuck";
    case "tool_disabled":
      return "disabled";
    default:
      return "refused";
  }
}

async function sendTurn(
  network: Network,
  finisher: Person,
  at: ThreadRef,
  input: TurnInput | null,
): Promise<SimResponse | null> {
  const request: SimRequest = {
    kind: "turn",
    at,
    actor: finisher.name,
    input,
    budget: null,
    if_match: null,
    key: null,
    until: null,
  };
  const sent: ClientRequest = { client: finisher.name, request, tries: [] };
  network.clientRequests.push(sent);
  return network.sendOnce(sent, 0, null);
}

/** Lets every reader continue until there are no new events. */
export async function drainEvents(world: World, network: Network, people: readonly Person[]): Promise<void> {
  const random = createRandom(world.seed, 9);
  for (const board of new Set(people.map((person) => person.shared))) {
    const listener: Person = { name: "zz", shared: board, actions: 0 };
    for (const thread of board.receivedEvents.keys()) {
      const at = { tenant: board.tenant, thread: ThreadId.parse(thread) };
      while ((await readEvents(network, listener, random, at)) > 0);
    }
  }
}

/** Checks that the prompt shown for one turn of every thread is one that the model received. */
export async function verifyPrompts(
  world: World,
  network: Network,
  durable: DurableState,
  data: MemoryData,
  found: string[],
): Promise<void> {
  const random = createRandom(world.seed, 10);
  // The check is expensive, so only some histories do it.
  if (!random.chance(0.2)) return;
  // The last message, which differs most between turns, is looked for first.
  const isSent = (body: string): boolean =>
    durable.models.prompts.some(
      ({ messages }) => body.includes(JSON.stringify(messages.at(-1))) && JSON.stringify(messages) === body,
    );
  for (const [key, rows] of data.records) {
    const [tenant, thread] = key.split("/") as [ThreadRef["tenant"], ThreadId];
    const prompted = rows.filter((row) => row.entry.includes('"prompt_hash":"'));
    // A recreated thread may contain a turn of its predecessor, whose prompt was removed.
    if (prompted.length === 0 || wasRemoved(network.changes, thread)) continue;
    const { turn } = random.pick(prompted);
    const request: SimRequest = { kind: "prompt", at: { tenant, thread }, turn };
    const shown = await network.sendOnce({ client: "zz", request, tries: [] }, 0, null);
    if (shown?.code !== "ok" || !isSent(shown.body))
      found.push(`I1 the prompt of turn ${turn} of ${thread} was never sent to the model: ${shown?.body}`);
  }
}

export async function resendRequests(network: Network, data: MemoryData, found: string[]): Promise<void> {
  const before = logSizes(data);
  let probed = "";
  for (const sent of [...network.clientRequests]) {
    const { request } = sent;
    if (!("key" in request) || request.key === null) continue;
    const first = sent.tries.find(({ response }) => response?.final)?.response;
    if (!first || mayBeEvicted(data, request) || targetWasRemoved(network, request, first)) continue;
    const again = await network.sendOnce({ client: "zz", request: withoutStream(request), tries: [] }, 0, null);
    if (!again?.replayed || again.body !== first.body)
      found.push(
        `I1 ${sent.client} ${request.key}: repeated, it got ${again?.body ?? "nothing"} instead of ${first.body}`,
      );
    if (request.kind !== "turn" || request.at.thread === probed || (request.if_busy ?? "reject") !== "reject") continue;
    probed = request.at.thread;
    await probeIsolation(network, request, found);
  }
  await probeForks(network, found);
  if (logSizes(data) !== before) found.push("I1 repeating requests stored something");
}

/**
 * Reports whether a key may have been evicted. A thread remembers a limited number of keys, and schedules that write to
 * it repeatedly evict the others.
 */
function mayBeEvicted(data: MemoryData, request: SimRequest): boolean {
  if (!("at" in request)) return false;
  const rows = data.records.get(`${request.at.tenant}/${request.at.thread}`) ?? [];
  const head = rows.at(-1);
  // A record adds at most one key.
  if (head === undefined || rows.length < KEY_RING_MAX) return false;
  return (JSON.parse(head.state) as ThreadState).key_ring.length >= KEY_RING_MAX;
}

/** Reports whether the target was removed, which also removes its remembered keys. */
const targetWasRemoved = ({ changes }: Network, request: SimRequest, first: SimResponse): boolean =>
  wasRemoved(changes, first.outcome?.thread.id ?? "") || ("at" in request && wasRemoved(changes, request.at.thread));

/** Returns the same request without streaming, which must get the same bytes. */
function withoutStream(request: SimRequest): SimRequest {
  if (request.kind !== "turn") return request;
  const { stream: _, ...rest } = request;
  return rest;
}

/** Checks that another body with the same key is refused, and that another tenant finds nothing. */
async function probeIsolation(
  network: Network,
  request: Extract<SimRequest, { kind: "turn" }>,
  found: string[],
): Promise<void> {
  const other: SimRequest = { ...request, input: { type: "message", text: "something else" } };
  const mismatch = await network.sendOnce({ client: "zz", request: other, tries: [] }, 0, null);
  if (mismatch?.code !== "idempotency_mismatch")
    found.push(`I1 ${request.key} accepted another body: ${mismatch?.code}`);
  const tenant = request.at.tenant === "acme" ? "borg" : "acme";
  const stranger: SimRequest = {
    ...request,
    at: { tenant: tenant as ThreadRef["tenant"], thread: ThreadId.parse(request.at.thread) },
  };
  const seen = await network.sendOnce({ client: "zz", request: stranger, tries: [] }, 0, null);
  if (seen?.code !== "thread_not_found") found.push(`I7 ${request.at.thread} is shown to ${tenant}: ${seen?.code}`);
}

const logSizes = (data: MemoryData): string =>
  JSON.stringify([...data.records].map(([key, rows]) => [key, rows.length]));
