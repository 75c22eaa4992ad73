// Those who use the victim: each has a thread, sends turns under keys, and keeps what was acknowledged, byte for byte.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Acknowledged = {
  readonly path: string;
  readonly key: string;
  readonly body: string;
  readonly response: string;
};
export type Person = {
  readonly name: string;
  thread: string | null;
  acknowledged: Acknowledged[];
  /** Sent, and no answer came: the same key goes again after the restart. */
  pending: { path: string; key: string; body: string } | null;
  /** The doubt gate that has to be resolved before the thread goes on. */
  doubt: { gate_id: string; effect_id: string } | null;
  keys: number;
};

export const createPerson = (name: string): Person => ({
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

/** One request. "gone" when the server does not answer any more. */
export async function sendNext(url: string, person: Person, folder: string): Promise<"ok" | "wait" | "gone"> {
  const request = person.pending ?? nextRequest(person, folder);
  person.pending = request;
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
    throw new Error(`${person.name}: ${request.path} ${request.body}: ${response.status} ${text.slice(0, 400)}`);
  person.pending = null;
  person.acknowledged.push({ ...request, response: text });
  person.thread = answer.thread?.id ?? person.thread;
  const gate = answer.thread?.gate;
  person.doubt =
    gate?.kind === "doubt" && gate.intended ? { gate_id: gate.id, effect_id: gate.intended.effect_id } : null;
  return "ok";
}

/** A new thread now and then: some points are passed only by the first turn. */
const TURNS_PER_THREAD = 12;

function nextRequest(person: Person, folder: string): NonNullable<Person["pending"]> {
  const key = `${person.name}-${person.keys++}`;
  if (person.doubt)
    return { path: turnsPath(person), key, body: JSON.stringify({ input: resolution(person, folder) }) };
  if (!person.thread || person.keys % TURNS_PER_THREAD === 0) {
    return { path: "/v1/threads", key, body: JSON.stringify({ goal: "Work on", mode: "direct" }) };
  }
  return { path: turnsPath(person), key, body: "{}" };
}

const turnsPath = (person: Person): string => `/v1/threads/${person.thread}/turns`;

/** A person looks whether it happened, and says so. */
function resolution(person: Person, folder: string) {
  const happened = ledgerLines(folder).some((line) => line.effect_id === person.doubt?.effect_id);
  return { type: "resolve", gate_id: person.doubt?.gate_id, outcome: happened ? "happened" : "not_happened" };
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
