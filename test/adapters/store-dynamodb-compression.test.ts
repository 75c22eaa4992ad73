// Tests the compression of text in DynamoDB items. Text that was stored once must stay readable.
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compressText,
  decompressText,
  RECORD_DICTIONARY,
} from "../../src/adapters/store-dynamodb/blobs/compressed-text.ts";

test("every text is read as it was stored", () => {
  const text = fc.oneof(fc.string({ maxLength: 2000 }), fc.json(), fc.constant("x".repeat(5000)));
  fc.assert(fc.property(text, (value) => decompressText(compressText(value)) === value.toWellFormed()));
});

test("text that was deflated without the dictionary is read", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 2000 }), fc.integer({ min: 0, max: 9 }), (value, level) => {
      const stored = { B: deflateRawSync(value, { level }) };
      return decompressText(stored) === value.toWellFormed();
    }),
  );
});

test("the dictionary keeps its bytes, because stored records cannot be read with others", () => {
  expect(createHash("sha256").update(RECORD_DICTIONARY).digest("hex")).toBe(
    "7b516ea918ecdf9bf1cf234e8779fed30be950264e10603aaacaf069018acf62",
  );
});
