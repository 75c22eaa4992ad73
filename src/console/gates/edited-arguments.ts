// Parses edited arguments: unchanged, changed, or not a JSON object.
import type { Arguments } from "../../schema/decision/decision.ts";
import { t } from "../messages/messages.ts";

export type EditedArguments =
  | { readonly kind: "same" }
  | { readonly kind: "changed"; readonly arguments: Arguments }
  | { readonly kind: "invalid"; readonly message: string };

export function parseEditedArguments(text: string, proposed: Arguments): EditedArguments {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { kind: "invalid", message: t().gates.oneObject };
    if (jsonEquals(value, proposed)) return { kind: "same" };
    return { kind: "changed", arguments: value as Arguments };
  } catch (error) {
    return { kind: "invalid", message: error instanceof Error ? error.message : String(error) };
  }
}

function jsonEquals(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (keys.length !== others.length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) && jsonEquals((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
