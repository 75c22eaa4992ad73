// What people do beside talking: hear a turn as it happens and hang up, remove and move threads, switch tools, change
// webhooks and hooks, and try what belongs to somebody else.
import type { ThreadAt } from "../../../src/schema/ids.ts";
import { errandOf } from "../errand.ts";
import type { Network, Wish } from "../network.ts";
import { insistOn, listen, type Person } from "../people.ts";
import type { Random } from "../random.ts";
import type { Answer, Errand, Request } from "../server.ts";
import { wantTurn } from "../wants.ts";
import type { World } from "../world.ts";
import type { ChangesFacts } from "./facts.ts";
import { changeHook, changeWebhook } from "./subscriptions.ts";
import { exportThread, moveThread, removeThread } from "./threads.ts";

export type ChangeScene = {
  readonly world: World;
  readonly network: Network;
  readonly changes: ChangesFacts;
  readonly person: Person;
  readonly random: Random;
  readonly i: number;
};

/** Whether it was something of this kind. */
export async function actOnChanges(scene: ChangeScene): Promise<boolean> {
  const { random, person } = scene;
  const { threads } = person.board;
  const at = threads.length > 0 ? { tenant: person.board.tenant, thread: random.pick(threads) } : null;
  const weights = { other: 24, stream: 9, webhook: 7, hook: 2, tool: 5, remove: 2, move: 2, export: 1, stranger: 4 };
  const kind = random.weighted(weights);
  if (kind === "other" || (!at && kind !== "webhook" && kind !== "stranger")) return false;
  switch (kind) {
    case "webhook":
      return changeWebhook(scene);
    case "hook":
      return changeHook(scene);
    case "stranger":
      return tryOthers(scene);
    case "stream":
      return at !== null && streamTurn(scene, at);
    case "tool":
      return at !== null && switchTool(scene, at);
    case "remove":
      return at !== null && removeThread(scene, at);
    case "move":
      return at !== null && moveThread(scene, at);
    case "export":
      return at !== null && (await exportThread(scene, at)) !== null;
  }
}

/** Without a key it is sent again where nobody knows what became of it: all of these can be said twice. */
export async function insistThere(scene: ChangeScene, request: Request): Promise<Answer | null> {
  const { world, network, person, random } = scene;
  const wish: Wish = { client: person.name, request, tries: [] };
  network.wishes.push(wish);
  for (let tries = 0; tries < 4; tries += 1) {
    const answer = await insistOn(world, network, person, random, wish);
    if (answer && !answer.problem?.details?.retry_after_s) return answer;
  }
  return null;
}

/** Hears the turn as it happens, hangs up or not, comes back for what is missing, and often sends the same again. */
async function streamTurn(scene: ChangeScene, at: ThreadAt): Promise<boolean> {
  const { world, network, person, random, i } = scene;
  const seen = person.board.views.get(at.thread);
  if (!seen) return false;
  const told: NonNullable<Extract<Request, { kind: "turn" }>["stream"]>["told"] = [];
  const key = random.chance(0.8) ? `stream-${person.name.slice(1)}-${i}` : null;
  const wanted = wantTurn(random, person, at, seen, key, 50 + i);
  const hang_up = random.chance(0.5) ? random.int(4) : null;
  const wish: Wish = { client: person.name, request: { ...wanted, stream: { told, hang_up } } as Request, tries: [] };
  network.wishes.push(wish);
  const answer = await insistOn(world, network, person, random, wish);
  if (answer?.code === "hung_up" && key !== null && random.chance(0.5))
    await insistOn(world, network, person, random, wish);
  // Where nobody heard anything before, the stream tells how far it is.
  const last = told.at(-1);
  if (!last || random.chance(0.3)) return true;
  if (random.chance(0.5)) await resume(scene, at, last.seq);
  else await listen(network, person, random, at);
  return true;
}

async function resume({ network, person, random }: ChangeScene, at: ThreadAt, after: number): Promise<void> {
  const wish: Wish = { client: person.name, request: { kind: "events", at, after }, tries: [] };
  network.wishes.push(wish);
  await network.send(wish, random.int(2), null);
}

const SWITCHED = ["look", "pay", "stamp", "note", "drop"];

/** Off in the moment somebody is about to say yes, and on again, or not. */
async function switchTool(scene: ChangeScene, at: ThreadAt): Promise<boolean> {
  const { person, random, i } = scene;
  const gate = person.board.views.get(at.thread)?.thread.gate;
  const confirms = gate?.kind === "confirmation" ? gate : null;
  const name = confirms ? confirms.call.name : random.pick(SWITCHED);
  const set = (enabled: boolean) =>
    insistThere(
      scene,
      errandOf(scene, { method: "PATCH", path: `/v1/tools/${name}`, body: JSON.stringify({ enabled }) }),
    );
  await set(confirms ? false : random.chance(0.5));
  if (!confirms) return true;
  if (random.chance(0.8)) {
    const { id: gate_id, digest } = confirms;
    await insistThere(scene, {
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

/** Another tenant's names, guessed or found somewhere: nobody is at home there. */
async function tryOthers(scene: ChangeScene): Promise<boolean> {
  const { random, person, changes, network } = scene;
  const other = changes.boards.find(({ tenant }) => tenant !== person.board.tenant);
  if (!other || other.threads.length === 0) return false;
  const thread = `/v1/threads/${random.pick(other.threads)}`;
  const hooked = random.pick(network.jobs?.endpoints.filter(({ tenant }) => tenant === other.tenant) ?? []).webhook.id;
  const message = JSON.stringify({ input: { type: "message", text: `mark-${person.board.tenant} says stranger` } });
  const ways: readonly (readonly [Errand["method"], string, string?])[] = [
    ["GET", thread],
    ["DELETE", thread],
    ["POST", `${thread}/turns`, message],
    ["POST", `${thread}/fork`, JSON.stringify({ turn: 0 })],
    ["GET", `${thread}/export`],
    ["GET", `${thread}/events`],
    ["GET", `${thread}/turns`],
    ["POST", `${thread}/run`],
    ["POST", `${thread}/pause`],
    ["GET", `/v1/webhooks/${hooked}/deliveries`],
    ["PATCH", `/v1/webhooks/${hooked}`, JSON.stringify({ enabled: false })],
    ["DELETE", `/v1/webhooks/${hooked}`],
    ...other.schedules.map((id) => ["DELETE", `/v1/schedules/${id}`] as const),
  ];
  const [method, path, body = null] = random.pick(ways);
  await insistThere(scene, errandOf(scene, { method, path, body, stranger: true }));
  return true;
}
