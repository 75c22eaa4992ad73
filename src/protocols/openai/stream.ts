// Streams a response: each item once it is committed, and finally the complete response.
import type { Problem } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import type { PartReader } from "../shared/parts.ts";
import type { Frame } from "../shared/respond.ts";
import type { RunEvent } from "../shared/run-thread.ts";
import { itemsOf, type OutputItem } from "./items.ts";
import { endedResponse, type ResponseFacts, type ResponseObject, type startedResponse } from "./response.ts";

type Started = ReturnType<typeof startedResponse>;
type StreamPart = { readonly item: OutputItem } | { readonly response: ResponseObject };

export async function* streamParts(
  facts: ResponseFacts,
  events: AsyncIterable<RunEvent>,
  read: PartReader,
): AsyncGenerator<StreamPart> {
  const records: ThreadRecord[] = [];
  const output: OutputItem[] = [];
  let failure: Problem | null = null;
  for await (const event of events) {
    if (event.type === "problem") failure = event.problem;
    if (event.type !== "record") continue;
    records.push(event.record);
    for (const item of itemsOf(facts.at.thread, await read(event.record), event.record)) {
      output.push(item);
      yield { item };
    }
  }
  yield { response: endedResponse(facts, { head: records.at(-1) ?? facts.first, records, output, failure }) };
}

export async function* responseFrames(started: Started, parts: AsyncIterable<StreamPart>): AsyncGenerator<Frame> {
  let sequence_number = 0;
  const frame = (type: string, fields: object): Frame => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: sequence_number++, ...fields }),
  });
  yield frame("response.created", { response: started });
  yield frame("response.in_progress", { response: started });
  let output_index = 0;
  for await (const part of parts) {
    if ("response" in part) yield frame(`response.${endType(part.response.status)}`, { response: part.response });
    else {
      for (const [type, fields] of itemFrames(part.item)) yield frame(type, { output_index, ...fields });
      output_index += 1;
    }
  }
}

const endType = (status: string): string => (status === "failed" || status === "incomplete" ? status : "completed");

type ItemFrame = readonly [type: string, fields: object];

function* itemFrames(item: OutputItem): Generator<ItemFrame> {
  yield ["response.output_item.added", { item: withoutContent(item) }];
  if (item.type === "message") yield* messageFrames(item);
  if (item.type === "mcp_call") yield* callFrames(item);
  if (item.type === "function_call")
    yield* argumentFrames(item, "response.function_call_arguments", { name: item.name });
  yield ["response.output_item.done", { item }];
}

function withoutContent(item: OutputItem): OutputItem {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "mcp_call") return { ...item, status: "in_progress", arguments: "", output: null, error: null };
  return item.type === "function_call" ? { ...item, status: "in_progress", arguments: "" } : item;
}

function* messageFrames({ id: item_id, content }: OutputItem): Generator<ItemFrame> {
  const [part] = content as readonly { readonly text: string }[];
  if (!part) return;
  const place = { item_id, content_index: 0 };
  yield ["response.content_part.added", { ...place, part: { ...part, text: "" } }];
  yield ["response.output_text.delta", { ...place, delta: part.text, logprobs: [] }];
  yield ["response.output_text.done", { ...place, text: part.text, logprobs: [] }];
  yield ["response.content_part.done", { ...place, part }];
}

function* callFrames(item: OutputItem): Generator<ItemFrame> {
  yield ["response.mcp_call.in_progress", { item_id: item.id }];
  yield* argumentFrames(item, "response.mcp_call_arguments");
  yield [`response.mcp_call.${item.status === "failed" ? "failed" : "completed"}`, { item_id: item.id }];
}

function* argumentFrames(
  { id: item_id, arguments: args }: OutputItem,
  type: string,
  more: object = {},
): Generator<ItemFrame> {
  yield [`${type}.delta`, { item_id, delta: args }];
  yield [`${type}.done`, { item_id, arguments: args, ...more }];
}
