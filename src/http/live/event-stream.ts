// Opens a response with server-sent events that pass through proxies as they are written.
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { Ctx } from "../env.ts";

/** Proxies close a connection on which nothing is sent for about a minute. */
export const KEEP_ALIVE_MS = 15_000;

export function respondEventStream(c: Ctx, write: (stream: SSEStreamingApi) => Promise<void>): Response {
  const response = streamSSE(c, write);
  // The server decides how the body is framed and whether the connection stays open: HTTP/1.0 has no chunks.
  response.headers.delete("transfer-encoding");
  response.headers.delete("connection");
  response.headers.set("cache-control", "no-cache, no-transform");
  // Otherwise nginx collects the response before it sends anything.
  response.headers.set("x-accel-buffering", "no");
  return response;
}
