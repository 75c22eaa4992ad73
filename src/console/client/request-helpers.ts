// Helpers for requests: idempotency keys, and the problem that reports a lost connection.
import type { Problem } from "../../schema/problem.ts";

/** Not crypto.randomUUID: it exists only in secure contexts (https or localhost). */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join("-");

export const connectionLost = (cause: unknown): Problem => ({
  code: "store_unavailable",
  message: `The connection was lost: ${cause instanceof Error ? cause.message : String(cause)}`,
  hint: "Committed turns are safe. Retry: the same idempotency key never runs anything twice.",
  retry: "same-request",
  status: 503,
});
