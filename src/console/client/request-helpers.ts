// Creates idempotency keys, and the problem that reports a lost connection.
import type { Problem } from "../../schema/problem.ts";
import { t } from "../messages/messages.ts";

/** Creates a key without crypto.randomUUID, which exists only in secure contexts (https or localhost). */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join("-");

export const connectionLost = (cause: unknown): Problem => ({
  code: "store_unavailable",
  message: t().problem.connectionLost(cause instanceof Error ? cause.message : String(cause)),
  hint: t().problem.connectionHint,
  retry: "same-request",
  status: 503,
  details: { connection: true },
});

/** True for the problem that the client itself creates for a lost connection. */
export const isConnectionProblem = (problem: Problem): boolean => problem.details?.connection === true;
