// Keeps the beginning and the end of any amount of output in constant memory, and hashes all of it.
import { createHash } from "node:crypto";
import { type CapturedOutput, OUTPUT_HEAD_BYTES, OUTPUT_TAIL_BYTES } from "../../ports/operations.ts";

export type Capture = { add(bytes: Uint8Array): void; result(): CapturedOutput };

export function createCapture(headBytes = OUTPUT_HEAD_BYTES, tailBytes = OUTPUT_TAIL_BYTES): Capture {
  const hash = createHash("sha256");
  const head: Buffer[] = [];
  let headSize = 0;
  let size = 0;
  // A ring buffer: byte n after the head is stored at n modulo its length.
  let ring: Buffer | null = null;

  const addToRing = (bytes: Uint8Array, position: number): void => {
    ring ??= Buffer.allocUnsafe(tailBytes);
    const kept = bytes.subarray(Math.max(0, bytes.length - tailBytes));
    const at = (position + bytes.length - kept.length) % tailBytes;
    const first = kept.subarray(0, tailBytes - at);
    ring.set(first, at);
    ring.set(kept.subarray(first.length), 0);
  };

  return {
    add(bytes) {
      hash.update(bytes);
      const forHead = bytes.subarray(0, headBytes - headSize);
      // The chunk is copied, because even a small one would keep the pipe's large buffer alive.
      if (forHead.length > 0) head.push(Buffer.from(forHead));
      headSize += forHead.length;
      const rest = bytes.subarray(forHead.length);
      if (rest.length > 0) addToRing(rest, size + forHead.length - headSize);
      size += bytes.length;
    },
    result() {
      const afterHead = size - headSize;
      const kept = Math.min(afterHead, tailBytes);
      const start = afterHead > tailBytes ? afterHead % tailBytes : 0;
      const tail = ring ? Buffer.concat([ring.subarray(start, kept), ring.subarray(0, start)]) : Buffer.alloc(0);
      return { head: Buffer.concat(head), tail, omitted: afterHead - kept, size, sha256: hash.digest("hex") };
    },
  };
}
