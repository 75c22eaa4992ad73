// Reads the tool call and the abort of an execute decision. Argument values are never trimmed or changed.
import type { Abort, ToolCall } from "./decision.ts";
import {
  isObject,
  isPlaceholder,
  type JsonObject,
  kindOf,
  own,
  report,
  requiredText,
  type Source,
  text,
} from "./fields.ts";
import { DEPTH_MAX } from "./find-object.ts";
import { readStrictJson } from "./strict-json.ts";

// Decoded arguments sit two levels below the root of the decision.
const ARGUMENTS_DEPTH_MAX = DEPTH_MAX - 2;

export function readToolCall(source: Source): ToolCall | undefined {
  const inner = section(source, "tool_call", "one object {name, arguments}: one tool per turn");
  if (!inner) return undefined;
  const { name } = requiredText(inner, "name");
  const given = readArguments(inner);
  return name === undefined || given === undefined ? undefined : { name, arguments: given };
}

export function readAbort(source: Source): Abort | undefined {
  const inner = section(source, "abort", "one object {code, user_message, internal_reason}");
  if (!inner) return undefined;
  const { user_message } = requiredText(inner, "user_message");
  const rest = { ...text(inner, "code"), ...text(inner, "internal_reason") };
  return user_message === undefined ? undefined : { ...rest, user_message };
}

function section(source: Source, key: string, legal: string): Source | undefined {
  const value = own(source.object, key);
  if (isPlaceholder(value)) return undefined;
  if (isObject(value)) return { object: value, path: [...source.path, key], flaws: source.flaws };
  report(source, [key], value, kindOf(value), legal);
  return undefined;
}

/** `parameters` is another name for arguments, asked only when arguments says nothing. */
function readArguments(source: Source): JsonObject | undefined {
  const given = readArgumentObject(source, "arguments");
  if (given === undefined || Object.keys(given).length > 0) return given;
  return readArgumentObject(source, "parameters");
}

function readArgumentObject(source: Source, key: string): JsonObject | undefined {
  const value = own(source.object, key);
  if (isPlaceholder(value)) return {};
  if (isObject(value)) return value;
  if (typeof value === "string") return decodeOnce(source, key, value);
  report(source, [key], value, kindOf(value), "an object");
  return undefined;
}

function decodeOnce(source: Source, key: string, value: string): JsonObject | undefined {
  const read = readStrictJson(value, ARGUMENTS_DEPTH_MAX, [...source.path, key]);
  if (!read.ok) {
    source.flaws.push(read.flaw);
    return undefined;
  }
  if (isObject(read.value)) return read.value;
  report(source, [key], value, `text that holds ${kindOf(read.value)}`, "an object");
  return undefined;
}
