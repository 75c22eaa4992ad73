// Parses JSON of other protocols' clients. Fields that Pawl does not know are kept, except values that could not be
// stored or hashed.
import { fail, ok, type Result } from "../../schema/problem.ts";

/** The maximum depth. Results of tools in a history are nested deeper than requests. */
const DEPTH_MAX = 200;

/** Matches an escape in a JSON text: a surrogate pair, a surrogate without its other half, or any other escape. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs;
const LONE_LENGTH = 6;

/**
 * Replaces half a surrogate pair, with which truncated text may end, by U+FFFD, because it has no UTF-8 form. A refusal
 * would lock out a page that resends it with its history.
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
