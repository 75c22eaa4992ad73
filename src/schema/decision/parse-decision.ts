// Turns a raw reply of the model into a decision, or into a problem that the model can act on. Never throws and never guesses.
import { exceedsBytes } from "../byte-length.ts";
import { type Failed, ok, type Result } from "../problem.ts";
import type { ExecuteDecision, PlanDecision } from "./decision.ts";
import { isObject, type JsonObject } from "./fields.ts";
import { DEPTH_MAX, findObject } from "./find-object.ts";
import { excerptAt, invalidDecision } from "./parse-issue.ts";
import { readExecuteDecision } from "./read-execute.ts";
import { readPlanDecision } from "./read-plan.ts";
import { readStrictJson } from "./strict-json.ts";

const REPLY_BYTES_MAX = 256 * 1024;

// Matches replies without visible characters. Trimming alone would treat a reply of zero-width characters as non-empty.
const INVISIBLE = /^[\s\u200b-\u200d\u2060\ufeff]*$/;

export function parseDecision(raw: string): Result<ExecuteDecision> {
  const reply = readReply(raw);
  return reply.ok ? readExecuteDecision(reply.value) : reply;
}

export function parsePlanDecision(raw: string): Result<PlanDecision> {
  const reply = readReply(raw);
  return reply.ok ? readPlanDecision(reply.value) : reply;
}

function readReply(raw: string): Result<JsonObject> {
  // The type forbids this, but callers from plain JavaScript must get a problem as well.
  if (typeof raw !== "string") return refuseReply("", `a ${typeof raw}`, "text");
  if (exceedsBytes(raw, REPLY_BYTES_MAX)) return refuseReply(raw, "more than 256 KB", "a shorter reply");
  if (INVISIBLE.test(raw)) return refuseReply("(empty)", "an empty reply", "one JSON object");
  const found = findObject(raw);
  if ("found" in found) return invalidDecision(found);
  const read = readStrictJson(raw.slice(found.start, found.end), DEPTH_MAX);
  if (!read.ok) return invalidDecision(read.issue);
  return isObject(read.value) ? ok(read.value) : refuseReply(raw, "no object", "one JSON object");
}

const refuseReply = (raw: string, found: string, legal: string): Failed =>
  invalidDecision({ field: "", found, legal, excerpt: excerptAt(raw, 0) });
