// I1 for requests: a refused one stored nothing, and a request for one turn creates one turn, however often it is sent.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import { keyHash } from "../../../src/turn/commit/idempotency-keys.ts";
import { wasRemoved } from "../changes/changes-state.ts";
import type { Evidence } from "../evidence.ts";
import type { ClientRequest } from "../network.ts";

type KeyedTurnRequest = ClientRequest & { readonly request: Extract<ClientRequest["request"], { kind: "turn" }> };
const isKeyedTurn = (sent: ClientRequest): sent is KeyedTurnRequest =>
  sent.request.kind === "turn" && sent.request.key !== null;

export function requestsAreAtomic({ threads, clientRequests, changes }: Evidence): readonly string[] {
  return clientRequests.filter(isKeyedTurn).flatMap((sent) => {
    const { at, key } = sent.request;
    if (wasRemoved(changes, at.thread)) return [];
    const hash = keyHash(nodeHash, key ?? "");
    const thread = threads.find((one) => one.at.thread === at.thread && one.at.tenant === at.tenant);
    const own = (thread?.records ?? []).filter(({ entry }) => entry.key?.hash === hash);
    // The original thread only records the rollback, which is not the request itself.
    const here = own.filter(({ entry }) => !entry.rolled_back);
    return [...refusedStoredNothing(sent, here), ...oneTurnOnly(sent, own)].map(
      (flaw) => `I1 ${sent.client} ${key}: ${flaw}`,
    );
  });
}

/**
 * Codes that are not refusals. A queued request is not refused, and the outcome of an unavailable store is unknown;
 * every other refusal stored nothing.
 */
const UNDECIDED = ["store_unavailable", "queued", "hung_up"];

function refusedStoredNothing(sent: KeyedTurnRequest, own: readonly ThreadRecord[]): readonly string[] {
  const refused = sent.tries.every(
    ({ response }) => response !== null && response.outcome === null && !UNDECIDED.includes(response.code),
  );
  // The request was recorded and interrupted, and a later attempt must resend it.
  const isStillRunning =
    own.at(-1)?.state.machine.at === "acting" && sent.tries.at(-1)?.response?.code === "turn_running";
  if (!refused || own.length === 0 || isStillRunning) return [];
  return [`was refused with ${sent.tries.map(({ response }) => response?.code)}, but has ${own.length} records`];
}

function oneTurnOnly(sent: KeyedTurnRequest, own: readonly ThreadRecord[]): readonly string[] {
  const { input, until } = sent.request;
  if (until !== null) return [];
  const thinks = input === null || input.type === "message" || input.type === "answer";
  const thought = own.filter(({ entry }) => entry.usage !== null && entry.decision !== null).length;
  const begun = own.flatMap(({ entry }) => entry.receipts.filter(({ kind }) => kind === "intended"));
  const effects = new Set(begun.map(({ effect_id }) => effect_id));
  return [
    ...(thought > (thinks ? 1 : 0) ? [`requested one turn but made ${thought} decisions`] : []),
    ...(effects.size > 1 ? [`requested one turn but has ${effects.size} effects`] : []),
  ];
}
