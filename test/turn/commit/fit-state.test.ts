import { expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import { fitState } from "../../../src/turn/commit/fit-state.ts";
import { unwrap } from "../../support/runtime.ts";

test("a state that is too large loses its oldest folded lines first, which stay counted", () => {
  const lines = Array.from({ length: 300 }, (_, i) => `[turn ${i}] look: ${"x".repeat(60)}`);
  const rest = { metadata: null, proofs: [], results: [], gate: null, acting: null, machine: { step: 0 }, plan: null };
  const state = { ...rest, folded: { lines, counts: {} } } as unknown as ThreadState;
  const { state: fitted, blobs } = unwrap(fitState(nodeHash, state));
  const dropped = lines.length - fitted.folded.lines.length;
  expect(dropped).toBeGreaterThan(0);
  expect(fitted.folded.lines).toEqual(lines.slice(dropped));
  expect(Object.values(fitted.folded.counts).reduce((sum, count) => sum + count, 0)).toBe(dropped);
  expect(blobs).toEqual([]);
});
