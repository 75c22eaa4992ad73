// Converts a committed record to parts for a chat client: text, tool calls and their results. Every protocol renders
// the same parts.
import type { Gate, StoredCall } from "../../schema/gate.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { PLAN_TOOL } from "../../schema/manifest.ts";
import type { SettledReceipt } from "../../schema/receipt.ts";
import type { Entry, Thread, ThreadRecord } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { loadArguments } from "../../turn/act/stored-call.ts";
import { loadClientTools } from "../../turn/client-tools.ts";
import type { Runtime } from "../../turn/runtime.ts";

export type TextPart = { readonly kind: "text"; readonly id: string; readonly turn: number; readonly text: string };
/** A tool call. `gate` is set if the call waits for an approver or for the client. */
export type CallPart = {
  readonly kind: "call";
  readonly id: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly gate: Gate | null;
};
export type ResultPart = {
  readonly kind: "result";
  readonly id: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly status: "ok" | "failed" | "denied" | "unknown";
  /** True if the client itself ran the call. */
  readonly by_client: boolean;
  readonly text: string;
  readonly raw: unknown;
};
export type Part = TextPart | CallPart | ResultPart;

/** Remembers which calls the client has seen, so that each call appears once and its result has the same id. */
export type PartReader = (record: ThreadRecord) => Promise<readonly Part[]>;

type PartState = Pick<ThreadState, "gate" | "client_tools_blob">;

export function createPartReader(rt: Runtime, at: ThreadRef, thread: Thread | null): PartReader {
  const proposed = new Set(thread ? proposedBefore(thread) : []);
  return async (record) => {
    const { entry } = record;
    const text = textPart(entry, record.version);
    const acts = [...(await resultParts(rt, at, record, proposed)), ...(await gateParts(rt, at, record, proposed))];
    // The text of a decision precedes its call. In any other record, the text is about a result and follows it.
    return entry.decision ? [...text, ...acts] : [...acts, ...text];
  };
}

const isProposal = (kind: string): boolean => kind === "confirmation" || kind === "external" || kind === "plan";

/** Yields the gates that an earlier response has shown. */
function* proposedBefore({ state, entries }: Thread): Generator<string> {
  if (state.gate && isProposal(state.gate.kind)) yield state.gate.id;
  for (const { entry } of entries)
    if (entry.closed_gate && isProposal(entry.closed_gate.kind)) yield entry.closed_gate.id;
}

function textPart(entry: Entry, version: number): readonly TextPart[] {
  if (!entry.speak) return [];
  const id = entry.model ? `txt_${entry.turn}` : `txt_${entry.turn}_${version}`;
  return [{ kind: "text", id, turn: entry.turn, text: entry.speak }];
}

async function gateParts(
  rt: Runtime,
  at: ThreadRef,
  { version, state }: ThreadRecord,
  proposed: Set<string>,
): Promise<readonly CallPart[]> {
  const { gate } = state;
  if (gate?.version !== version || !isProposal(gate.kind)) return [];
  proposed.add(gate.id);
  return proposalOf(rt, at, state);
}

/** A gate that is not about a call or a plan proposes nothing. */
export async function proposalOf(rt: Runtime, at: ThreadRef, state: PartState): Promise<readonly CallPart[]> {
  const { gate } = state;
  if (!gate) return [];
  if (gate.kind === "plan")
    return [{ kind: "call", id: gate.id, name: PLAN_TOOL, arguments: { steps: gate.steps }, gate }];
  if (gate.kind !== "confirmation" && gate.kind !== "external") return [];
  const name = gate.kind === "external" ? gate.client_name : await clientName(rt, at, state, gate.call.name);
  return [{ kind: "call", id: gate.id, name, arguments: await argumentsOf(rt, at, gate.call), gate }];
}

/** A client may call the tools that it declared by other names. */
async function clientName(rt: Runtime, at: ThreadRef, state: PartState, name: string): Promise<string> {
  if (rt.toolbox.catalog.get(name)) return name;
  const declared = await loadClientTools(rt, at, state);
  const tool = declared.ok ? declared.value.find(({ declaration }) => declaration.name === name) : undefined;
  return tool?.declaration.client_name ?? name;
}

async function resultParts(
  rt: Runtime,
  at: ThreadRef,
  { entry, state, version }: ThreadRecord,
  proposed: ReadonlySet<string>,
): Promise<readonly Part[]> {
  const closed = entry.closed_gate;
  if (closed?.kind === "plan")
    return [{ ...planResult(closed.how), kind: "result", id: closed.id, name: PLAN_TOOL, ...NOTHING }];
  // An approved call of a client's tool continues as another call with a separate id, for which the client then gets a
  // gate. The part with the id of the approval therefore ends here.
  if (closed?.kind === "confirmation" && state.gate?.kind === "external" && state.gate.version === version)
    return [{ ...APPROVED, kind: "result", id: closed.id, name: state.gate.client_name }];
  const settled = entry.receipts.find(
    (receipt): receipt is SettledReceipt =>
      receipt.kind === "settled" && receipt.source !== "user_reply" && !receipt.asked,
  );
  if (!settled) return [];
  const { gate_id, approval_id } = settled;
  const isKnown = gate_id !== null && approval_id === undefined && proposed.has(gate_id);
  const id = isKnown ? gate_id : (entry.operation?.id ?? settled.id);
  const name = settled.source === "client_reply" ? await clientName(rt, at, state, settled.name) : settled.name;
  const args = entry.call ? await argumentsOf(rt, at, entry.call) : {};
  const result: ResultPart = {
    kind: "result",
    id,
    name,
    arguments: args,
    by_client: settled.source === "client_reply",
    status: statusOf(settled, closed),
    text: entry.observation?.text ?? settled.summary,
    raw: entry.observation?.raw ?? null,
  };
  if (isKnown) return [result];
  return [{ kind: "call", id, name, arguments: args, gate: null }, result];
}

const NOTHING = { arguments: {}, by_client: false, raw: null };

const APPROVED = { ...NOTHING, status: "ok", text: "Approved. The client runs the call.", by_client: true } as const;

const planResult = (how: string): Pick<ResultPart, "status" | "text"> =>
  how === "approved"
    ? { status: "ok", text: "The plan was approved." }
    : { status: "denied", text: `The plan was ${how}.` };

function statusOf({ success }: SettledReceipt, closed: Entry["closed_gate"]): ResultPart["status"] {
  if (closed?.kind === "confirmation" && closed.how !== "approved") return "denied";
  if (success === null) return "unknown";
  return success ? "ok" : "failed";
}

/** If the blob that contains the arguments has expired, the call is shown without arguments. */
async function argumentsOf(rt: Runtime, at: ThreadRef, call: StoredCall): Promise<Record<string, unknown>> {
  const args = await loadArguments(rt, at, call);
  return args.ok ? args.value : {};
}
