// Converts the events of a run to chunks of the AI SDK's message stream. Text is sent only after it was committed,
// because older versions of the SDK cannot retract text.
import type { Gate } from "../../schema/gate.ts";
import type { Problem } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { DOUBT_OUTCOMES } from "../shared/answer-gate.ts";
import type { CallPart, Part, PartReader, ResultPart } from "../shared/parts.ts";
import { endProblem, errorText } from "../shared/problems.ts";
import type { RunEvent } from "../shared/run-thread.ts";

export type Chunk = { readonly type: string; readonly [field: string]: unknown };

export type ChatSource = {
  readonly events: AsyncIterable<RunEvent>;
  readonly read: PartReader;
  /** False if the page does not support approvals. Gates are then shown as text. */
  readonly approvals: boolean;
  /** The message of the page that the stream continues. If null, the stream begins a new message. */
  readonly message_id: string | null;
};

export const messageId = (version: number): string => `msg_${version}`;

export async function* chatChunks({ events, read, approvals, message_id }: ChatSource): AsyncGenerator<Chunk> {
  let head: ThreadRecord | null = null;
  let failure: Problem | null = null;
  for await (const event of events) {
    if (event.type === "problem") failure = event.problem;
    if (event.type !== "record") continue;
    if (!head) yield { type: "start", messageId: message_id ?? messageId(event.record.version) };
    head = event.record;
    const parts = await read(head);
    const chunks = [
      ...planChunks(head),
      ...parts.flatMap((part) => partChunks(part, approvals)),
      ...gateText(head, approvals),
    ];
    if (chunks.length > 0) yield* [{ type: "start-step" }, ...chunks, { type: "finish-step" }];
  }
  if (!head) yield { type: "start", ...(message_id && { messageId: message_id }) };
  const ended = failure ?? endProblem(head);
  if (ended) yield { type: "error", errorText: errorText(ended) };
  else if (head?.state.machine.outcome === "cancelled") yield { type: "abort" };
  else yield { type: "finish", finishReason: finishReason(head) };
}

/** Returns "tool-calls" if a call is waiting for the user, so that the client asks for an answer. */
const finishReason = (head: ThreadRecord | null): string =>
  ["confirmation", "plan", "external"].includes(head?.state.gate?.kind ?? "") ? "tool-calls" : "stop";

/** The data part replaces an earlier one of the page that has the same id. */
function planChunks({ entry, state }: ThreadRecord): readonly Chunk[] {
  const changed = entry.signals.some((signal) => signal === "plan.approved" || signal === "step.advanced");
  if (!changed || !state.plan) return [];
  const { step, steps } = state.machine;
  return [{ type: "data-pawl-plan", id: "plan", data: { plan: state.plan, step, steps } }];
}

export const textChunks = (id: string, text: string): readonly Chunk[] => [
  { type: "text-start", id },
  { type: "text-delta", id, delta: text },
  { type: "text-end", id },
];

function partChunks(part: Part, approvals: boolean): readonly Chunk[] {
  if (part.kind === "text") return textChunks(part.id, part.text);
  return part.kind === "call" ? callChunks(part, approvals) : [resultChunk(part, approvals)];
}

export function callChunks(
  { id, name, arguments: input, gate }: CallPart,
  approvals: boolean,
  approvalId = id,
): readonly Chunk[] {
  const call = { toolCallId: id, toolName: name, dynamic: true };
  const asks = gate !== null && gate.kind !== "external";
  const request = asks && "digest" in gate ? { approvalId, toolCallId: id, signature: gate.digest } : null;
  return [
    { type: "tool-input-start", ...call },
    { type: "tool-input-available", ...call, input },
    ...(request && approvals ? [{ type: "tool-approval-request", ...request }] : []),
  ];
}

function resultChunk({ id, status, text, raw }: ResultPart, approvals: boolean): Chunk {
  const call = { toolCallId: id, dynamic: true };
  if (status === "ok") return { type: "tool-output-available", ...call, output: raw ?? text };
  if (status === "denied" && approvals) return { type: "tool-output-denied", toolCallId: id };
  return { type: "tool-output-error", ...call, errorText: text };
}

/** Some gates can be shown by no other part of the stream. */
function gateText({ version, state: { gate } }: ThreadRecord, approvals: boolean): readonly Chunk[] {
  const text = gate?.version === version ? textOf(gate, approvals) : null;
  return gate && text ? textChunks(`gate_${gate.id}`, text) : [];
}

function textOf(gate: Gate, approvals: boolean): string | null {
  if (gate.kind === "suspend") return gate.text;
  if (gate.kind === "doubt")
    return `${gate.text} Answer with one of: ${DOUBT_OUTCOMES.join(", ").replaceAll("_", " ")}.`;
  if (approvals || (gate.kind !== "plan" && gate.kind !== "confirmation")) return null;
  return "This waits for approval in the console.";
}
