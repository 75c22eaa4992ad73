// Implements client actions other than turns: stream a turn and disconnect, rename, remove and move threads, disable
// tools, change webhooks and inbound webhooks, and try to access another tenant's data.
import type { ThreadRef } from "../../../src/schema/ids.ts";
import { apiRequest } from "../api-request.ts";
import { chooseTurn } from "../choose-request.ts";
import { type Person, readEvents, sendWithRetries } from "../clients.ts";
import type { ClientRequest, Network } from "../network.ts";
import { type Random, roll, STREAMS } from "../random.ts";
import type { ApiRequest, SimRequest, SimResponse } from "../server.ts";
import type { World } from "../world.ts";
import type { ChangesState } from "./changes-state.ts";
import { changeInboundWebhook, changeWebhook } from "./subscriptions.ts";
import { exportThread, moveThread, removeThread, renameThread } from "./threads.ts";

export type ChangeContext = {
  readonly world: World;
  readonly network: Network;
  readonly changes: ChangesState;
  readonly person: Person;
  readonly random: Random;
  readonly i: number;
};

const RENAME_SHARE = 0.04;

/** Performs an action and returns whether it was of this kind. */
export async function actOnChanges(context: ChangeContext): Promise<boolean> {
  const { random, person } = context;
  const { threads } = person.shared;
  const at = threads.length > 0 ? { tenant: person.shared.tenant, thread: random.pick(threads) } : null;
  // The number is drawn from a separate stream, so that the other histories stay unchanged.
  if (at && roll(context.world.seed, STREAMS.rename, 100 * person.name.charCodeAt(1) + context.i) < RENAME_SHARE)
    return renameThread(context, at);
  const weights = { other: 24, stream: 9, webhook: 7, hook: 2, tool: 5, remove: 2, move: 2, export: 1, stranger: 4 };
  const kind = random.weighted(weights);
  if (kind === "other" || (!at && kind !== "webhook" && kind !== "stranger")) return false;
  switch (kind) {
    case "webhook":
      return changeWebhook(context);
    case "hook":
      return changeInboundWebhook(context);
    case "stranger":
      return accessOtherTenant(context);
    case "stream":
      return at !== null && streamTurn(context, at);
    case "tool":
      return at !== null && switchTool(context, at);
    case "remove":
      return at !== null && removeThread(context, at);
    case "move":
      return at !== null && moveThread(context, at);
    case "export":
      return at !== null && (await exportThread(context, at)) !== null;
  }
}

/**
 * Sends a request until it is accepted. Requests without a key are resent if their outcome is unknown, because all of
 * these are idempotent.
 */
export async function sendUntilAccepted(context: ChangeContext, request: SimRequest): Promise<SimResponse | null> {
  const { world, network, person, random } = context;
  const sent: ClientRequest = { client: person.name, request, tries: [] };
  network.clientRequests.push(sent);
  for (let tries = 0; tries < 4; tries += 1) {
    const answer = await sendWithRetries(world, network, person, random, sent);
    if (answer && !answer.problem?.details?.retry_after_s) return answer;
  }
  return null;
}

/** Streams the turn, possibly disconnects, reconnects for the rest, and often repeats the request. */
async function streamTurn(context: ChangeContext, at: ThreadRef): Promise<boolean> {
  const { world, network, person, random, i } = context;
  const seen = person.shared.views.get(at.thread);
  if (!seen) return false;
  const events: NonNullable<Extract<SimRequest, { kind: "turn" }>["stream"]>["events"] = [];
  const key = random.chance(0.8) ? `stream-${person.name.slice(1)}-${i}` : null;
  const turn = chooseTurn(random, person, at, seen, key, 50 + i);
  const disconnect_after = random.chance(0.5) ? random.int(4) : null;
  const sent: ClientRequest = {
    client: person.name,
    request: { ...turn, stream: { events, disconnect_after } } as SimRequest,
    tries: [],
  };
  network.clientRequests.push(sent);
  const answer = await sendWithRetries(world, network, person, random, sent);
  if (answer?.code === "hung_up" && key !== null && random.chance(0.5))
    await sendWithRetries(world, network, person, random, sent);
  // If no event was received before, the stream itself shows its position.
  const last = events.at(-1);
  if (!last || random.chance(0.3)) return true;
  if (random.chance(0.5)) await resumeStream(context, at, last.seq);
  else await readEvents(network, person, random, at);
  return true;
}

async function resumeStream({ network, person, random }: ChangeContext, at: ThreadRef, after: number): Promise<void> {
  const sent: ClientRequest = { client: person.name, request: { kind: "events", at, after }, tries: [] };
  network.clientRequests.push(sent);
  await network.sendOnce(sent, random.int(2), null);
}

const SWITCHED_TOOLS = ["look", "pay", "stamp", "note", "drop"];

/** Disables a tool just before an approval, and possibly enables it again. */
async function switchTool(context: ChangeContext, at: ThreadRef): Promise<boolean> {
  const { person, random, i } = context;
  const gate = person.shared.views.get(at.thread)?.thread.gate;
  const confirmation = gate?.kind === "confirmation" ? gate : null;
  const name = confirmation ? confirmation.call.name : random.pick(SWITCHED_TOOLS);
  const set = (enabled: boolean) =>
    sendUntilAccepted(
      context,
      apiRequest(context, { method: "PATCH", path: `/v1/tools/${name}`, body: JSON.stringify({ enabled }) }),
    );
  await set(confirmation ? false : random.chance(0.5));
  if (!confirmation) return true;
  if (random.chance(0.8)) {
    const { id: gate_id, digest } = confirmation;
    await sendUntilAccepted(context, {
      kind: "turn",
      at,
      actor: person.name,
      input: { type: "confirm", gate_id, digest, decision: "approve" },
      budget: null,
      if_match: null,
      key: random.chance(0.7) ? `switched-${person.name.slice(1)}-${i}` : null,
      until: random.chance(0.3) ? 2 : null,
    });
  }
  if (random.chance(0.5)) await set(true);
  return true;
}

/** Requests another tenant's ids, all of which must look nonexistent. */
async function accessOtherTenant(context: ChangeContext): Promise<boolean> {
  const { random, person, changes, network } = context;
  const other = changes.boards.find(({ tenant }) => tenant !== person.shared.tenant);
  if (!other || other.threads.length === 0) return false;
  const thread = `/v1/threads/${random.pick(other.threads)}`;
  const webhookId = random.pick(network.jobs?.endpoints.filter(({ tenant }) => tenant === other.tenant) ?? []).webhook
    .id;
  const message = JSON.stringify({ input: { type: "message", text: `mark-${person.shared.tenant} says stranger` } });
  const forbiddenRequests: readonly (readonly [ApiRequest["method"], string, string?])[] = [
    ["GET", thread],
    ["DELETE", thread],
    ["POST", `${thread}/turns`, message],
    ["POST", `${thread}/fork`, JSON.stringify({ turn: 0 })],
    ["GET", `${thread}/export`],
    ["GET", `${thread}/events`],
    ["GET", `${thread}/turns`],
    ["POST", `${thread}/run`],
    ["POST", `${thread}/pause`],
    ["GET", `/v1/webhooks/${webhookId}/deliveries`],
    ["PATCH", `/v1/webhooks/${webhookId}`, JSON.stringify({ enabled: false })],
    ["DELETE", `/v1/webhooks/${webhookId}`],
    ...other.schedules.map((id) => ["DELETE", `/v1/schedules/${id}`] as const),
  ];
  const [method, path, body = null] = random.pick(forbiddenRequests);
  await sendUntilAccepted(context, apiRequest(context, { method, path, body, other_tenant: true }));
  return true;
}
