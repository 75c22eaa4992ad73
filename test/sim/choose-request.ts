// Chooses a client's next request from what it last saw. Most requests are sensible.
import type { Gate } from "../../src/schema/gate.ts";
import { GateId, type ThreadRef } from "../../src/schema/ids.ts";
import type { CreateInput, TurnInput } from "../../src/schema/input.ts";
import type { ThreadView } from "../../src/schema/turn-result.ts";
import type { Person } from "./clients.ts";
import type { Random } from "./random.ts";
import type { SimRequest } from "./server.ts";
import { CLIENT_TOOL, WRITER_NAMES } from "./tools.ts";

/** The client's last view of a thread. */
export type ScreenState = { readonly thread: ThreadView; readonly next: string };

export const tenantMarker = (tenant: string): string => `mark-${tenant}`;
export const messageText = (person: Person, i: number): string =>
  `${tenantMarker(person.shared.tenant)} says ${person.name} ${i}`;

export function chooseCreate(random: Random, person: Person, key: string | null, i: number): SimRequest {
  const input: CreateInput = {
    // Some goals are questions, because only then a lookup alone proves the run.
    ...(random.chance(0.9) ? { goal: `${messageText(person, i)} goal${i % 3 === 0 ? "?" : ""}` } : {}),
    mode: random.pick(["plan", "direct", "direct"]),
    plan_approval: random.pick(["ask", "auto", "ask_writes"]),
    ...(random.chance(0.3)
      ? { budget: random.pick([{ turns: 3 }, { tokens: 9000 }, { usd: 0.08 }, { seconds: 20 }]) }
      : {}),
    ...(random.chance(0.4) ? { auto_approve: [random.pick(WRITER_NAMES), random.pick(WRITER_NAMES)] } : {}),
    ...(random.chance(0.1) ? { tools: { look: false } } : {}),
    ...(random.chance(0.2) ? { metadata: { of: messageText(person, i) } } : {}),
    // The value is derived instead of drawn, so that older seeds keep their choices.
    ...(i % 2 === 0 ? { client_tools: [CLIENT_TOOL] } : {}),
  };
  return { kind: "create", tenant: person.shared.tenant, actor: person.name, input, key };
}

export function chooseTurn(
  random: Random,
  person: Person,
  at: ThreadRef,
  seen: ScreenState,
  key: string | null,
  i: number,
): SimRequest {
  const input = chooseInput(random, person, seen, i);
  const exhausted = seen.thread.outcome === "exhausted";
  return {
    kind: "turn",
    at,
    actor: person.name,
    input,
    budget: exhausted || random.chance(0.03) ? random.pick([{ turns: 30 }, { turns: 2 }, { tokens: 60_000 }]) : null,
    if_match: random.chance(0.15) ? seen.thread.version : null,
    key,
    until: random.chance(0.25) ? 1 + random.int(5) : null,
  };
}

function chooseInput(random: Random, person: Person, seen: ScreenState, i: number): TurnInput | null {
  const { gate, remembered_approvals: approvals } = seen.thread;
  const revocable = i % 3 === 0 ? approvals.at(0) : undefined;
  if (revocable) return { type: "revoke", approval_id: revocable.id };
  const staleGate = person.shared.gates.length > 0 && random.chance(0.05) ? random.pick(person.shared.gates) : null;
  if (staleGate) return chooseAnswer(random, person, staleGate, i);
  if (gate && !random.chance(0.12)) return chooseAnswer(random, person, gate, i);
  if (seen.thread.at === "acting" && random.chance(0.4)) return { type: "cancel" };
  if (seen.next === "none") return chooseInputAtRest(random, person, seen, i);
  switch (random.weighted({ go_on: 16, message: 3, replan: 1, cancel: 1 })) {
    case "go_on":
      return null;
    case "message":
      return { type: "message", text: messageText(person, i) };
    case "replan":
      return { type: "message", text: messageText(person, i), replan: true };
    case "cancel":
      return { type: "cancel" };
  }
}

function chooseInputAtRest(random: Random, person: Person, seen: ScreenState, i: number): TurnInput | null {
  if (seen.thread.state === "failed" && random.chance(0.7)) return { type: "reset" };
  if (seen.thread.outcome === "exhausted" && random.chance(0.5)) return null;
  const kind = random.weighted({ message: 12, cancel: 1, nothing: 1 });
  if (kind === "message") return { type: "message", text: messageText(person, i) };
  return kind === "cancel" ? { type: "cancel" } : null;
}

/** Chooses an answer to a gate: correct, wrong, late or edited. */
export function chooseAnswer(random: Random, person: Person, gate: Gate, i: number): TurnInput {
  const gate_id = random.chance(0.03) ? GateId.parse(`gat_${"0".repeat(26)}`) : gate.id;
  switch (gate.kind) {
    case "question":
      if (gate.choices.length > 0 && random.chance(0.5))
        return { type: "answer", gate_id, choice: random.chance(0.9) ? random.pick(gate.choices) : "up" };
      return random.chance(0.2)
        ? { type: "message", text: messageText(person, i) }
        : { type: "answer", gate_id, text: messageText(person, i) };
    case "doubt":
      return {
        type: "resolve",
        gate_id,
        outcome: random.pick(["happened", "not_happened", "try_again", "abort"]),
        note: messageText(person, i),
      };
    case "external":
      return clientAnswer(person, gate, gate_id, i);
    case "suspend":
      return { type: "resume", supplement: messageText(person, i) };
    case "plan":
    case "confirmation":
      return confirmation(random, person, gate, gate_id, i);
  }
}

function confirmation(
  random: Random,
  person: Person,
  gate: Extract<Gate, { kind: "plan" | "confirmation" }>,
  gate_id: Gate["id"],
  i: number,
): TurnInput {
  const kind = random.weighted({ approve: 14, reject: 3, wrong_digest: 2, edit: 3, bad_edit: 1 });
  const digest = gate.digest;
  switch (kind) {
    case "approve":
      return { type: "confirm", gate_id, digest, decision: "approve", ...rememberChoice(gate, i) };
    case "reject":
      return { type: "confirm", gate_id, digest, decision: "reject", reason: messageText(person, i) };
    case "wrong_digest":
      return {
        type: "confirm",
        gate_id,
        digest: digest.replace(/^./, (c) => (c === "a" ? "b" : "a")),
        decision: "approve",
      };
    case "edit": {
      const line = `${messageText(person, i)} edited${random.pick(["", "", " hookme"])}`;
      return { type: "confirm", gate_id, digest, decision: "approve", edited_arguments: { line } };
    }
    case "bad_edit":
      return { type: "confirm", gate_id, digest, decision: "approve", edited_arguments: { line: 5 } };
  }
}

/** Chooses a result, an error, a lease or a wrong digest. A lease without a result expires. */
function clientAnswer(
  person: Person,
  gate: Extract<Gate, { kind: "external" }>,
  gate_id: Gate["id"],
  i: number,
): TurnInput {
  const { digest } = gate;
  const lease_id = `lease of ${person.name}`;
  const result = { type: "tool_result", gate_id, digest } as const;
  if (i % 5 === 0) return { type: "lease", gate_id, lease_id, lease_s: i % 2 === 0 ? 30 : 0 };
  if (i % 5 === 1) return { ...result, error: messageText(person, i), lease_id };
  if (i % 7 === 2) return { ...result, digest: digest.replace(/^./, (c) => (c === "a" ? "b" : "a")), output: 1 };
  return { ...result, output: { said: messageText(person, i), wrote: true }, lease_id };
}

/**
 * The choice is derived from the number of the action instead of drawn, so that older seeds keep their histories up to
 * here.
 */
function rememberChoice(gate: Gate, i: number): { readonly remember?: "run" | "thread" } {
  if (gate.kind !== "confirmation" || i % 3 === 0) return {};
  return { remember: i % 3 === 1 ? "run" : "thread" };
}
