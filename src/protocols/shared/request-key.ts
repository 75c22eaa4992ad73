// Derives the idempotency key of a request in another protocol from an id that a client sends again when it repeats the
// request.
import type { Hash } from "../../ports/hash.ts";
import type { Thread } from "../../schema/record.ts";
import { bodyHash, findKey, keyHash } from "../../turn/commit/idempotency-keys.ts";
import type { TurnRequest } from "../../turn/runtime.ts";

export const requestKey = (hash: Hash, name: string, body: unknown): NonNullable<TurnRequest["key"]> => ({
  hash: keyHash(hash, name),
  body: bodyHash(hash, { route: "protocol", query: {}, body }),
});

/** A repeated request is answered from its records, even if another gate is open now. */
export const isRepeated = (thread: Thread | null, { hash }: NonNullable<TurnRequest["key"]>): boolean =>
  thread !== null && findKey(thread.state.key_ring, hash) !== null;
