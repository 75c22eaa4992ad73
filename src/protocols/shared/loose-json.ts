// Parses JSON from clients of other protocols. Unknown fields are kept. Lone surrogates, which cannot be stored or
// hashed, are replaced, and JSON that is nested too deeply is refused.
import { fail, ok, type Result } from "../../schema/problem.ts";

/** Higher than for Pawl's own requests, because a history may contain the deeply nested results of tools. */
const DEPTH_MAX = 200;

/** An escape sequence in JSON text: a surrogate pair, a surrogate without its other half, or any other escape. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs;
const LONE_LENGTH = 6;

/**
 * Replaces surrogates without their other half by U+FFFD, because they have no UTF-8 form. Truncated text may end with
 * one. A client resends such text with every request, so a refusal would make its thread unusable.
 */
export const repairSurrogates = (json: string): string =>
  json.includes("\\u") ? json.replace(ESCAPE, (found) => (found.length === LONE_LENGTH ? "\\ufffd" : found)) : json;

export function readLooseJson(text: string): Result<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(repairSurrogates(text));
  } catch {
    return fail("body_invalid", "The body is not JSON.");
  }
  return isDeeper(value, DEPTH_MAX)
    ? fail("body_invalid", `The body is nested deeper than ${DEPTH_MAX} levels.`)
    : ok(value);
}

const isDeeper = (value: unknown, max: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (max === 0 || Object.values(value).some((inner) => isDeeper(inner, max - 1)));
