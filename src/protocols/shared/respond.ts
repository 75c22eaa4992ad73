// Reads requests and streams responses of other protocols: bodies may have unknown fields, and responses are sequences
// of frames.
import type { SSEStreamingApi } from "hono/streaming";
import type { z } from "zod";
import { readText } from "../../http/edge/body.ts";
import type { Ctx } from "../../http/env.ts";
import { KEEP_ALIVE_MS, respondEventStream } from "../../http/live/event-stream.ts";
import { logBug } from "../../http/log-bug.ts";
import type { Clock } from "../../ports/clock.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { readLooseJson } from "./loose-json.ts";
import { invalidValue } from "./problems.ts";

/** High, because clients resend their whole history. */
export const HISTORY_BYTES_MAX = 8_388_608;

export async function readLooseBody<S extends z.ZodType>(c: Ctx, schema: S): Promise<Result<z.infer<S>>> {
  const type = c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json")
    return fail("content_type_unsupported", `The content type is ${type ?? "missing"}, not application/json.`);
  const text = await readText(c, HISTORY_BYTES_MAX);
  if (!text.ok) return text;
  const value = readLooseJson(text.value);
  if (!value.ok) return value;
  const parsed = schema.safeParse(value.value);
  return parsed.success ? ok(parsed.data) : invalidValue(parsed.error);
}

export type Frame = { readonly event?: string; readonly data: string };

/** Frames are read to the end even if the client disconnects, so that the run continues. */
export function respondFrames(c: Ctx, frames: AsyncIterable<Frame>): Response {
  const { rt } = c.get("options");
  return respondEventStream(c, async (stream) => {
    const ended = new AbortController();
    void keepOpen(rt.clock, stream, ended.signal);
    try {
      for await (const { data, event } of frames)
        if (!stream.aborted) await stream.writeSSE({ data, ...(event && { event }) });
      await rt.faults.at("respond.before");
    } catch (error) {
      logBug(c.get("options"), c.get("request_id"), error);
    } finally {
      ended.abort(null);
    }
  });
}

/** Sends comments, which all clients skip, while a model or a tool works. */
async function keepOpen(clock: Clock, stream: SSEStreamingApi, ended: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(KEEP_ALIVE_MS, ended);
    if (ended.aborted || stream.aborted) return;
    await stream.write(": keep-alive\n\n");
  }
}

/** Lets a handler choose the status of the response by the `first` value before it streams `all` of them. */
export async function peek<T>(values: AsyncIterable<T>): Promise<{ first: T | null; all: AsyncIterable<T> }> {
  const iterator = values[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all(): AsyncGenerator<T> {
    if (!first.done) yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { first: first.done ? null : first.value, all: all() };
}
