// Accepts other forms in which models write a tool call. Each form names one tool and one set of arguments, so nothing is guessed.
import { isObject, isPlaceholder, type JsonObject, ownValue } from "./fields.ts";

const CALL_KEYS = ["tool_calls", "toolCall", "function_call", "tool_use", "tool", "function"] as const;
const NAME_KEYS = ["name", "tool", "tool_name", "function"] as const;
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input", "params"] as const;
/** The actions that may have a call. For any other action these keys are unknown, and unknown keys are dropped. */
const CALLING = new Set<unknown>(["continue", "confirm", "plan_done"]);

export function withCallKey(object: JsonObject): JsonObject {
  const action = ownValue(object, "action");
  if (
    !isPlaceholder(ownValue(object, "tool_call")) ||
    !CALLING.has(typeof action === "string" ? action.trim() : action)
  )
    return object;
  const call = callUnderOtherKey(object) ?? callBesideAction(object);
  return call === null ? object : { ...object, tool_call: call };
}

export const looksLikeCall = (object: JsonObject): boolean =>
  ["tool_call", ...CALL_KEYS, ...ARGUMENT_KEYS].some((key) => !isPlaceholder(ownValue(object, key)));

export function withUsualKeys(call: JsonObject): JsonObject {
  const inner = ownValue(call, "function");
  if (isObject(inner) && isPlaceholder(ownValue(call, "name"))) return withUsualKeys(inner);
  const name = firstText(call, NAME_KEYS);
  const args = firstGiven(call, ARGUMENT_KEYS);
  return { ...call, ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) };
}

function callUnderOtherKey(object: JsonObject): unknown {
  for (const key of CALL_KEYS) {
    const value = ownValue(object, key);
    const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (isObject(one) && (isObject(ownValue(one, "function")) || firstText(one, NAME_KEYS) !== undefined)) return one;
    // Keep a list of several calls, so that the parser refuses it and says that only one call is allowed.
    if (key === "tool_calls" && Array.isArray(value) && value.length > 1) return value;
  }
  return null;
}

function callBesideAction(object: JsonObject): JsonObject | null {
  const name = firstText(object, NAME_KEYS);
  const args = firstGiven(object, ARGUMENT_KEYS);
  if (name === undefined) return null;
  // `name` alone may be the name of anything, but `tool` alone is a call without arguments.
  if (args === undefined && firstText(object, ["tool", "tool_name"]) === undefined) return null;
  return { name, ...(args !== undefined && { arguments: args }) };
}

function firstText(object: JsonObject, keys: readonly string[]): string | undefined {
  const texts = keys.map((key) => ownValue(object, key));
  return texts.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

/** `{}` counts only if there is no other value. */
function firstGiven(object: JsonObject, keys: readonly string[]): unknown {
  const values = keys.map((key) => ownValue(object, key));
  return values.find((value) => !isPlaceholder(value)) ?? values.find(isObject);
}
