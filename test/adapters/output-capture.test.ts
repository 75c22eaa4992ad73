import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCapture } from "../../src/adapters/operations-local/capture.ts";

test("head and tail are the two ends of the output, however it is chunked", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
  const sizes = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(pieces, sizes, sizes, (all, headBytes, tailBytes) => {
      const capture = createCapture(headBytes, tailBytes);
      for (const piece of all) capture.add(piece);
      const output = Buffer.concat(all);
      const afterHead = output.subarray(headBytes);
      const { head, tail, size, omitted, sha256 } = capture.result();
      expect(Buffer.from(head)).toEqual(output.subarray(0, headBytes));
      expect(Buffer.from(tail)).toEqual(afterHead.subarray(Math.max(0, afterHead.length - tailBytes)));
      expect([size, omitted]).toEqual([output.length, output.length - head.length - tail.length]);
      expect(sha256).toBe(createHash("sha256").update(output).digest("hex"));
    }),
    { numRuns: 3_000 },
  );
});

test("a chunk is copied, so later changes by its sender have no effect", () => {
  const capture = createCapture(4, 4);
  const piece = Buffer.from("abcdefgh");
  capture.add(piece);
  piece.fill(0);
  const { head, tail } = capture.result();
  expect(Buffer.concat([head, tail]).toString()).toBe("abcdefgh");
});
