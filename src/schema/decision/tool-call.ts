// Reads the tool call and the abort of an execute decision. Argument values are never trimmed or changed.
import { withUsualKeys } from "./call-alias.ts";
import type { Abort, ToolCall } from "./decision.ts";
import {
  addIssue,
  describeValue,
  isObject,
  isPlaceholder,
  type JsonObject,
  optionalText,
  ownValue,
  type ParseContext,
  requiredText,
} from "./fields.ts";
import { DEPTH_MAX } from "./find-object.ts";
import { readStrictJson } from "./strict-json.ts";

// Decoded arguments are two levels below the root of the decision.
const ARGUMENTS_DEPTH_MAX = DEPTH_MAX - 2;

export function readToolCall(context: ParseContext): ToolCall | undefined {
  const nested = nestedContext(context, "tool_call", "one object {name, arguments}: one tool per turn");
  if (!nested) return undefined;
  const inner = { ...nested, object: withUsualKeys(nested.object) };
  const { name } = requiredText(inner, "name");
  const args = readArgumentObject(inner, "arguments");
  return name === undefined || args === undefined ? undefined : { name, arguments: args };
}

export function readAbort(context: ParseContext): Abort | undefined {
  const inner = nestedContext(context, "abort", "one object {code, user_message, internal_reason}");
  if (!inner) return undefined;
  const { user_message } = requiredText(inner, "user_message");
  const rest = { ...optionalText(inner, "code"), ...optionalText(inner, "internal_reason") };
  return user_message === undefined ? undefined : { ...rest, user_message };
}

function nestedContext(context: ParseContext, key: string, legal: string): ParseContext | undefined {
  const value = ownValue(context.object, key);
  if (isPlaceholder(value)) return undefined;
  if (isObject(value)) return { object: value, path: [...context.path, key], issues: context.issues };
  addIssue(context, [key], value, describeValue(value), legal);
  return undefined;
}

function readArgumentObject(context: ParseContext, key: string): JsonObject | undefined {
  const value = ownValue(context.object, key);
  if (isPlaceholder(value)) return {};
  if (isObject(value)) return value;
  if (typeof value === "string") return decodeJsonText(context, key, value);
  addIssue(context, [key], value, describeValue(value), "an object");
  return undefined;
}

function decodeJsonText(context: ParseContext, key: string, value: string): JsonObject | undefined {
  const read = readStrictJson(value, ARGUMENTS_DEPTH_MAX, [...context.path, key]);
  if (!read.ok) {
    context.issues.push(read.issue);
    return undefined;
  }
  if (isObject(read.value)) return read.value;
  addIssue(context, [key], value, `text that holds ${describeValue(read.value)}`, "an object");
  return undefined;
}
