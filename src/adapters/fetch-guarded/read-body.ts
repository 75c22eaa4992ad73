// Reads a body up to a limit and decompresses it. Never decompresses more than the limit, so compression bombs are
// harmless.
import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Supported content encodings. Chained encodings are refused, because real pages do not use them. */
const DECOMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
export const ACCEPT_ENCODING = "gzip, deflate, br";

/** Compressed data can be larger than its content, but not by much. */
const COMPRESSION_OVERHEAD_BYTES = 65_536;

export type Body = { readonly bytes: Uint8Array; readonly truncated: boolean };

/** Returns null for an unsupported content encoding. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body | null> {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return readUpTo(response, maxBytes);
  const createDecompressor = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
  if (!createDecompressor) return null;
  const wire = { bytes: 0, cut: false };
  const decompressor = createDecompressor();
  // `readUpTo` receives all errors from the decompressor, so the callback has nothing to do.
  pipeline(limitBytes(response, maxBytes + COMPRESSION_OVERHEAD_BYTES, wire), decompressor, () => undefined);
  const body = await readUpTo(decompressor, maxBytes, wire);
  return { bytes: body.bytes, truncated: body.truncated || wire.cut };
}

async function* limitBytes(response: IncomingMessage, max: number, wire: { bytes: number; cut: boolean }) {
  for await (const chunk of response as AsyncIterable<Buffer>) {
    wire.bytes += chunk.length;
    if (wire.bytes > max) {
      wire.cut = true;
      return;
    }
    yield chunk;
  }
}

async function readUpTo(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  wire?: { readonly bytes: number; readonly cut: boolean },
): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      const remaining = maxBytes - size;
      chunks.push(chunk.subarray(0, remaining));
      size += Math.min(chunk.length, remaining);
      // Leaving the loop destroys the stream and closes the connection.
      if (chunk.length > remaining) return { bytes: Buffer.concat(chunks), truncated: true };
    }
  } catch (error) {
    // If the compressed data was cut at the limit, what was decompressed so far is valid. If no data arrived at all,
    // the page is empty.
    if (!wire?.cut && wire?.bytes !== 0) throw error;
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}
