// The parts of a record as output items. A tool that Pawl runs is an mcp_call: a function_call would ask the client to run it.
import type { Gate } from "../../schema/gate.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { DOUBT_OUTCOMES } from "../shared/answer-gate.ts";
import { type CallPart, type Part, PLAN_TOOL, type ResultPart } from "../shared/parts.ts";

export type OutputItem = { readonly id: string; readonly type: string; readonly [field: string]: unknown };

export const messageItem = (id: string, text: string): OutputItem => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

export function itemsOf(parts: readonly Part[], record: ThreadRecord): readonly OutputItem[] {
  // A call that ran at once is one item together with its result.
  const results = new Set(parts.flatMap((part) => (part.kind === "result" ? [part.id] : [])));
  const items = parts.flatMap((part): OutputItem[] => {
    if (part.kind === "text") return [messageItem(part.id, part.text)];
    if (part.kind === "result")
      return part.name === PLAN_TOOL || part.by_client ? [] : [callItem(part, !isNew(parts, part))];
    return results.has(part.id) ? [] : [gateItem(part)];
  });
  const { gate } = record.state;
  return gate?.version === record.version ? [...items, ...questionItems(gate)] : items;
}

const isNew = (parts: readonly Part[], { id }: ResultPart): boolean =>
  parts.some((part) => part.kind === "call" && part.id === id);

const callItem = ({ id, name, arguments: args, status, text }: ResultPart, approved: boolean): OutputItem => ({
  id: `mcp_${id}`,
  type: "mcp_call",
  server_label: "pawl",
  name,
  arguments: JSON.stringify(args),
  output: status === "ok" ? text : null,
  error: status === "ok" ? null : `${status}: ${text}`,
  status: status === "ok" ? "completed" : "failed",
  approval_request_id: approved ? `mcpr_${id}` : null,
});

function gateItem({ id, name, arguments: args, gate }: CallPart): OutputItem {
  const call = { name, arguments: JSON.stringify(args) };
  if (gate?.kind === "external")
    return { id: `fc_${id}`, type: "function_call", call_id: id, ...call, status: "completed" };
  return { id: `mcpr_${id}`, type: "mcp_approval_request", server_label: "pawl", ...call };
}

/** What no other item says. */
function questionItems(gate: Gate): readonly OutputItem[] {
  if (gate.kind === "suspend") return [messageItem(gate.id, gate.text)];
  if (gate.kind !== "doubt") return [];
  return [messageItem(gate.id, `${gate.text} Answer with one of: ${DOUBT_OUTCOMES.join(", ")}.`)];
}
