// Reads a body up to a limit, unpacking it on the way. However well it was packed, no more than the limit is unpacked.
import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** What a page may be packed with; a chain of packings is a trick, not a page. */
const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
export const ACCEPTED_PACKING = "gzip, deflate, br";

/** Packed data can be larger than what it holds, but not by much. */
const PACKING_OVERHEAD = 65_536;

export type Body = { readonly bytes: Uint8Array; readonly truncated: boolean };

/** null: packed in a way we do not read. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body | null> {
  const packing = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (packing === "identity" || packing === "") return take(response, maxBytes);
  const createUnpacker = Object.hasOwn(UNPACKERS, packing) ? UNPACKERS[packing] : undefined;
  if (!createUnpacker) return null;
  const wire = { bytes: 0, cut: false };
  const unpacker = createUnpacker();
  // Errors arrive at the reader of the unpacker; the callback only keeps the pipeline from throwing them at nobody.
  pipeline(limited(response, maxBytes + PACKING_OVERHEAD, wire), unpacker, () => undefined);
  const body = await take(unpacker, maxBytes, wire);
  return { bytes: body.bytes, truncated: body.truncated || wire.cut };
}

async function* limited(response: IncomingMessage, max: number, wire: { bytes: number; cut: boolean }) {
  for await (const chunk of response as AsyncIterable<Buffer>) {
    wire.bytes += chunk.length;
    if (wire.bytes > max) {
      wire.cut = true;
      return;
    }
    yield chunk;
  }
}

async function take(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  wire?: { readonly bytes: number; readonly cut: boolean },
): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      const room = maxBytes - size;
      chunks.push(chunk.subarray(0, room));
      size += Math.min(chunk.length, room);
      // Leaving the loop destroys the stream and with it the connection.
      if (chunk.length > room) return { bytes: Buffer.concat(chunks), truncated: true };
    }
  } catch (error) {
    // Cut by us in the middle of packed data: what was unpacked so far stands. And no data at all is an empty page.
    if (!wire?.cut && wire?.bytes !== 0) throw error;
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}
