// Captures the beginning and the end of a long output, and the size and SHA-256 of the whole output, in constant memory.
import type { StreamHash } from "../ports/hash.ts";
import { byteLength } from "../schema/byte-length.ts";

export const HEAD_BYTES = 262_144;
export const TAIL_BYTES = 65_536;

export type CaptureResult = {
  /** The whole output, or its head and tail with a line in between that says how much is missing. */
  readonly text: string;
  /** The size of the whole output, in UTF-8 bytes. */
  readonly size: number;
  readonly sha256: string;
};

export type Capture = { readonly add: (text: string) => void; readonly result: () => CaptureResult };

export function createCapture(hash: StreamHash): Capture {
  const running = hash.start();
  const head = new Uint8Array(HEAD_BYTES);
  const tail = createTail();
  let size = 0;
  return {
    add(text) {
      if (text === "") return;
      const bytes = new TextEncoder().encode(text);
      running.update(bytes);
      const room = Math.max(0, HEAD_BYTES - size);
      head.set(bytes.subarray(0, room), Math.min(size, HEAD_BYTES));
      tail.add(bytes.subarray(room));
      size += bytes.length;
    },
    result: () => ({
      text: textOf(head.subarray(0, Math.min(size, HEAD_BYTES)), tail.bytes(), size),
      size,
      sha256: running.hex(),
    }),
  };
}

/** Leaves room for the line that a cut adds, so that it does not cause a second cut. */
const TRUNCATION_SLACK_BYTES = 256;

export function captureText(hash: StreamHash, text: string): CaptureResult {
  const size = byteLength(text);
  if (size <= HEAD_BYTES + TAIL_BYTES + TRUNCATION_SLACK_BYTES) return { text, size, sha256: hash.sha256(text) };
  const capture = createCapture(hash);
  capture.add(text);
  return capture.result();
}

function createTail(): { readonly add: (bytes: Uint8Array) => void; readonly bytes: () => Uint8Array } {
  let ring: Uint8Array | null = null;
  let written = 0;
  return {
    add(bytes) {
      if (bytes.length === 0) return;
      ring ??= new Uint8Array(TAIL_BYTES);
      const kept = bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES));
      const at = (written + bytes.length - kept.length) % TAIL_BYTES;
      const untilRingEnd = kept.subarray(0, TAIL_BYTES - at);
      ring.set(untilRingEnd, at);
      ring.set(kept.subarray(untilRingEnd.length), 0);
      written += bytes.length;
    },
    bytes() {
      if (!ring) return new Uint8Array();
      if (written <= TAIL_BYTES) return ring.slice(0, written);
      const at = written % TAIL_BYTES;
      return concatBytes(ring.subarray(at), ring.subarray(0, at));
    },
  };
}

function concatBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}

function textOf(head: Uint8Array, tail: Uint8Array, size: number): string {
  if (head.length + tail.length === size) return decode(concatBytes(head, tail));
  const end = completeCharsEnd(head);
  const from = tail.findIndex((byte) => !isContinuationByte(byte));
  const missing = size - end - (tail.length - from);
  return `${decode(head.subarray(0, end))}\n… ${missing} of ${size} bytes left out …\n${decode(tail.subarray(from))}`;
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const isContinuationByte = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function completeCharsEnd(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > 0 && isContinuationByte(bytes[at])) at -= 1;
  const lead = bytes[at] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return at + length <= bytes.length ? bytes.length : at;
}
