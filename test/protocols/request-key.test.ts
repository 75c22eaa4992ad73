import { expect, test } from "vitest";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { isRepeated, requestKey } from "../../src/protocols/shared/request-key.ts";
import type { Thread } from "../../src/schema/record.ts";
import { recordKey } from "../../src/turn/commit/idempotency-keys.ts";

test("a request is repeated if its thread remembers the key", () => {
  const [first, second] = ["one", "two"].map((name) => requestKey(nodeHash, name, { text: "Hello" }));
  if (!first || !second) throw new Error("no keys");
  const thread = { state: { key_ring: recordKey([], first.hash, 1) } } as unknown as Thread;
  expect(isRepeated(thread, first)).toBe(true);
  expect(isRepeated(thread, second)).toBe(false);
  expect(isRepeated(null, first)).toBe(false);
});
