// What a call needs besides its words: a name by which the server knows it again, and a problem for a line that broke.
import type { Problem } from "../../schema/problem.ts";

/** randomUUID is there only where the page came over https or from this machine. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join("-");

export const connectionLost = (why: unknown): Problem => ({
  code: "store_unavailable",
  message: `The connection was lost: ${why instanceof Error ? why.message : String(why)}`,
  hint: "Whatever was committed is safe. Try again: the same key never does anything twice.",
  retry: "same-request",
  status: 503,
});
