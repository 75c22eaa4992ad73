// Converts the log of a thread to OpenAI's items: the inputs and what they produced. Lists are returned in pages with a
// cursor, as in OpenAI's API.
import type { Ctx } from "../../http/env.ts";
import type { Answer } from "../../http/route.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { readRecords } from "../../turn/load.ts";
import { createPartReader } from "../shared/parts.ts";
import { findConversation } from "./conversations.ts";
import { unsupported } from "./errors.ts";
import { itemId } from "./ids.ts";
import { itemsOf, type OutputItem } from "./items.ts";
import { findResponse } from "./stored-response.ts";

const RECORDS_PER_READ = 100;
const LIMIT = 20;
const LIMIT_MAX = 100;

export async function listInputItems(c: Ctx): Promise<Answer> {
  const stored = await findResponse(c);
  return stored.ok ? respondPage(c, inputItems(stored.value.at.thread, stored.value.facts.first)) : stored;
}

export async function listConversationItems(c: Ctx): Promise<Answer> {
  const items = await conversationItems(c);
  return items.ok ? respondPage(c, items.value) : items;
}

export async function getConversationItem(c: Ctx): Promise<Answer> {
  const items = await conversationItems(c);
  if (!items.ok) return items;
  const id = c.req.param("item") ?? "";
  const item = items.value.find((one) => one.id === id);
  return item ? c.json(item) : fail("thread_not_found", `There is no item ${JSON.stringify(id.slice(0, 80))}.`);
}

async function conversationItems(c: Ctx): Promise<Result<readonly OutputItem[]>> {
  const { rt } = c.get("options");
  const found = await findConversation(c);
  if (!found.ok) return found;
  const { at, thread } = found.value;
  const read = createPartReader(rt, at, null);
  const items: OutputItem[] = [];
  for (let first = 0; first <= thread.version; first += RECORDS_PER_READ) {
    const records = await readRecords(rt, at, first, Math.min(thread.version, first + RECORDS_PER_READ - 1));
    if (!records.ok) return records;
    for (const record of records.value)
      items.push(...inputItems(at.thread, record), ...itemsOf(at.thread, await read(record), record));
  }
  return ok(items);
}

/** The input may have come over another protocol. */
function inputItems(thread: string, { version, entry: { input, create } }: ThreadRecord): readonly OutputItem[] {
  const id = `in_${version}`;
  if (input?.type === "confirm") {
    const approval_request_id = itemId("mcpr", thread, input.gate_id);
    const approve = input.decision === "approve";
    return [{ id, type: "mcp_approval_response", approval_request_id, approve, reason: input.reason ?? null }];
  }
  if (input?.type === "tool_result") {
    const result = input.error ?? input.output ?? null;
    const output = typeof result === "string" ? result : JSON.stringify(result);
    const call_id = itemId("call", thread, input.gate_id);
    return [{ id, type: "function_call_output", call_id, output, status: "completed" }];
  }
  const text = input ? textOf(input) : create?.goal;
  if (!text) return [];
  return [{ id, type: "message", role: "user", status: "completed", content: [{ type: "input_text", text }] }];
}

function textOf(input: TurnInput): string | null {
  if (input.type === "message" || input.type === "poke") return input.text;
  if (input.type === "answer") return input.choice ?? input.text ?? null;
  if (input.type === "resolve") return input.outcome;
  return input.type === "resume" ? input.supplement : null;
}

function respondPage(c: Ctx, oldestFirst: readonly OutputItem[]): Answer {
  const limit = Number(c.req.query("limit") ?? LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    return unsupported("limit", `must be a number from 1 to ${LIMIT_MAX}.`);
  const order = c.req.query("order") ?? "desc";
  if (order !== "asc" && order !== "desc") return unsupported("order", "must be asc or desc.");
  const items = order === "asc" ? oldestFirst : oldestFirst.toReversed();
  const after = c.req.query("after");
  const begin = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && begin === 0) return unsupported("after", "there is no item with this id.");
  const data = items.slice(begin, begin + limit);
  const [first_id = null, last_id = null] = [data.at(0)?.id, data.at(-1)?.id];
  return c.json({ object: "list", data, first_id, last_id, has_more: begin + limit < items.length });
}
