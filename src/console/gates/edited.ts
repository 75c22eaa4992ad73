// Reads arguments as a person edited them: the same as proposed, changed, or no JSON object at all.
import type { Arguments } from "../../schema/decision/decision.ts";

export type Edited =
  | { readonly kind: "same" }
  | { readonly kind: "changed"; readonly arguments: Arguments }
  | { readonly kind: "broken"; readonly why: string };

export function readEdited(text: string, proposed: Arguments): Edited {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { kind: "broken", why: "The arguments must be one JSON object." };
    if (sameJson(value, proposed)) return { kind: "same" };
    return { kind: "changed", arguments: value as Arguments };
  } catch (error) {
    return { kind: "broken", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Equal but for the order of keys. */
function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (keys.length !== others.length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) && sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
