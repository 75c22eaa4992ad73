// Implements the clients of the target server. Each has a thread, sends turns with keys, and keeps every acknowledged
// response verbatim.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Acknowledged = {
  readonly path: string;
  readonly key: string;
  readonly body: string;
  readonly response: string;
};
export type KillClient = {
  readonly name: string;
  thread: string | null;
  acknowledged: Acknowledged[];
  /** A request without a response. The same key is sent again after the restart. */
  pending: { path: string; key: string; body: string } | null;
  /** The doubt gate that must be resolved before the thread can continue. */
  doubt: { gate_id: string; effect_id: string } | null;
  keys: number;
};

export const createKillClient = (name: string): KillClient => ({
  name,
  thread: null,
  acknowledged: [],
  pending: null,
  doubt: null,
  keys: 0,
});

type ResponseBody = {
  thread?: { id: string; gate: null | { id: string; kind: string; intended?: { effect_id: string } } };
  code?: string;
};

/** Sends one request. Returns "gone" if the server no longer responds. */
export async function sendNext(url: string, client: KillClient, folder: string): Promise<"ok" | "wait" | "gone"> {
  const request = client.pending ?? nextRequest(client, folder);
  client.pending = request;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}${request.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": request.key },
      body: request.body,
    });
    text = await response.text();
  } catch {
    return "gone";
  }
  const answer = JSON.parse(text) as ResponseBody;
  if (response.status === 409 && answer.code === "turn_running") return "wait";
  if (!response.ok)
    throw new Error(`${client.name}: ${request.path} ${request.body}: ${response.status} ${text.slice(0, 400)}`);
  client.pending = null;
  client.acknowledged.push({ ...request, response: text });
  client.thread = answer.thread?.id ?? client.thread;
  const gate = answer.thread?.gate;
  client.doubt =
    gate?.kind === "doubt" && gate.intended ? { gate_id: gate.id, effect_id: gate.intended.effect_id } : null;
  return "ok";
}

/**
 * The number of turns after which a client starts a new thread, because only the first turn of a thread reaches some
 * points.
 */
const TURNS_PER_THREAD = 12;

function nextRequest(client: KillClient, folder: string): NonNullable<KillClient["pending"]> {
  const key = `${client.name}-${client.keys++}`;
  if (client.doubt)
    return { path: turnsPath(client), key, body: JSON.stringify({ input: resolution(client, folder) }) };
  if (!client.thread || client.keys % TURNS_PER_THREAD === 0) {
    return { path: "/v1/threads", key, body: JSON.stringify({ goal: "Work on", mode: "direct" }) };
  }
  return { path: turnsPath(client), key, body: "{}" };
}

const turnsPath = (client: KillClient): string => `/v1/threads/${client.thread}/turns`;

/** Checks whether the effect happened and answers accordingly. */
function resolution(client: KillClient, folder: string) {
  const happened = ledgerLines(folder).some((line) => line.effect_id === client.doubt?.effect_id);
  return { type: "resolve", gate_id: client.doubt?.gate_id, outcome: happened ? "happened" : "not_happened" };
}

export type LedgerLine = { readonly effect: string; readonly effect_id: string; readonly n: string };

export function ledgerLines(folder: string): readonly LedgerLine[] {
  try {
    const text = readFileSync(join(folder, "effects.txt"), "utf8");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const [effect = "", effect_id = "", n = ""] = line.split(" ");
        return { effect, effect_id, n };
      });
  } catch {
    return [];
  }
}
