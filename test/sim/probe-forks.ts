// I1 for forks: a key that a client used on a thread is free on the thread's forks.
import type { ThreadId } from "../../src/schema/ids.ts";
import { wasRemoved } from "./changes/changes-state.ts";
import type { ClientRequest, Network } from "./network.ts";
import type { SimRequest } from "./server.ts";

const KEYS_MAX = 8;
/** A version that no thread reaches, so that the request stores nothing. It is checked after the key. */
const NO_VERSION = 1_000_000;

type Keyed = ClientRequest & { readonly request: Extract<SimRequest, { kind: "turn" }> };
const isKeyedTurn = (sent: ClientRequest): sent is Keyed => sent.request.kind === "turn" && sent.request.key !== null;

export async function probeForks(network: Network, found: string[]): Promise<void> {
  for (const { request, tries } of [...network.clientRequests]) {
    const fork = tries.find(({ response }) => response?.outcome)?.response?.outcome?.thread.id;
    if (request.kind !== "fork" || !fork || wasRemoved(network.changes, fork)) continue;
    const used = network.clientRequests
      .filter(isKeyedTurn)
      .filter(
        (one) => one.request.at.thread === request.at.thread && one.tries.some(({ response }) => response?.outcome),
      )
      .slice(0, KEYS_MAX);
    for (const { request: one } of used)
      await probeKey(network, { ...one, at: { ...request.at, thread: fork } }, found);
  }
}

async function probeKey(network: Network, used: Keyed["request"], found: string[]): Promise<void> {
  const { at, actor, key } = used;
  const request: SimRequest = {
    ...{ kind: "turn", at: { ...at, thread: at.thread as ThreadId }, actor, key },
    ...{ input: { type: "cancel" }, budget: null, if_match: NO_VERSION, until: null },
  };
  const answer = await network.sendOnce({ client: "zz", request, tries: [] }, 0, null);
  if (answer?.replayed || answer?.code === "idempotency_mismatch")
    found.push(`I1 ${key} was used on the origin of ${at.thread}, and the fork remembers it: ${answer.code}`);
}
