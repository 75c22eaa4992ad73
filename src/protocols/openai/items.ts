// Converts the parts of a record to output items. A call of a tool that Pawl runs becomes an mcp_call, because a
// function_call would ask the client to run it.
import type { Gate } from "../../schema/gate.ts";
import { PLAN_TOOL } from "../../schema/manifest.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { DOUBT_OUTCOMES } from "../shared/answer-gate.ts";
import type { CallPart, Part, ResultPart } from "../shared/parts.ts";
import { itemId } from "./ids.ts";

export type OutputItem = { readonly id: string; readonly type: string; readonly [field: string]: unknown };

const messageItem = (id: string, text: string): OutputItem => ({
  id,
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

export function itemsOf(thread: string, parts: readonly Part[], record: ThreadRecord): readonly OutputItem[] {
  // If the record also contains the result of a call, both become one item.
  const results = new Set(parts.flatMap((part) => (part.kind === "result" ? [part.id] : [])));
  const items = parts.flatMap((part): OutputItem[] => {
    if (part.kind === "text") return [messageItem(itemId("msg", thread, part.id), part.text)];
    if (part.kind === "result")
      return part.name === PLAN_TOOL || part.by_client ? [] : [callItem(thread, part, !isNew(parts, part))];
    return results.has(part.id) ? [] : [gateItem(thread, part)];
  });
  const { gate } = record.state;
  return gate?.version === record.version ? [...items, ...questionItems(thread, gate)] : items;
}

const isNew = (parts: readonly Part[], { id }: ResultPart): boolean =>
  parts.some((part) => part.kind === "call" && part.id === id);

const callItem = (
  thread: string,
  { id, name, arguments: args, status, text }: ResultPart,
  approved: boolean,
): OutputItem => ({
  id: itemId("mcp", thread, id),
  type: "mcp_call",
  server_label: "pawl",
  name,
  arguments: JSON.stringify(args),
  output: status === "ok" ? text : null,
  error: status === "ok" ? null : `${status}: ${text}`,
  status: status === "ok" ? "completed" : "failed",
  approval_request_id: approved ? itemId("mcpr", thread, id) : null,
});

function gateItem(thread: string, { id, name, arguments: args, gate }: CallPart): OutputItem {
  const call = { name, arguments: JSON.stringify(args) };
  if (gate?.kind === "external")
    return {
      id: itemId("fc", thread, id),
      type: "function_call",
      call_id: itemId("call", thread, id),
      ...call,
      status: "completed",
    };
  return { id: itemId("mcpr", thread, id), type: "mcp_approval_request", server_label: "pawl", ...call };
}

/** Some gates are shown by no other item. */
function questionItems(thread: string, gate: Gate): readonly OutputItem[] {
  if (gate.kind === "suspend") return [messageItem(itemId("msg", thread, gate.id), gate.text)];
  if (gate.kind !== "doubt") return [];
  const text = `${gate.text} Answer with one of: ${DOUBT_OUTCOMES.join(", ")}.`;
  return [messageItem(itemId("msg", thread, gate.id), text)];
}
