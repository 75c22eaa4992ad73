// Emulates Lambda's runtime: loads the bundle in this process, passes it one event after another, and prints the
// results. lambda-process.ts starts it. It reads a line {bundle, stream, ahead_ms}, then a line {event, remaining_ms}
// per invocation.

import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

type Streaming = (event: unknown, stream: PassThrough, context: unknown) => Promise<void>;
type Metadata = { readonly statusCode: number; readonly headers: Record<string, string> };
type Start = { readonly bundle: string; readonly stream: boolean; readonly ahead_ms: number };
type Invocation = { readonly event: unknown; readonly remaining_ms: number };

function contextOf(remaining_ms: number): object {
  const ends = performance.now() + remaining_ms;
  return {
    functionName: "pawl",
    awsRequestId: "8f507cfc-xmpl-4697-b07a-ac58fc914c95",
    getRemainingTimeInMillis: () => Math.max(0, Math.round(ends - performance.now())),
  };
}

/** The response stream that Lambda passes to a streaming function. */
let metadata: Metadata | null = null;
const streaming = {
  streamifyResponse: (handler: Streaming) => handler,
  HttpResponseStream: {
    from: (stream: PassThrough, responseMetadata: Metadata) => {
      metadata = responseMetadata;
      return stream;
    },
  },
};

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const nextLine = async <T>(): Promise<T | null> => {
  const { value, done } = await lines.next();
  return done ? null : (JSON.parse(value) as T);
};

const start = await nextLine<Start>();
if (start === null) throw new Error("nothing to load");
if (start.ahead_ms > 0) shiftClock(start.ahead_ms);
if (start.stream) Object.assign(globalThis, { awslambda: streaming });

const began = performance.now();
const { handler, streamHandler } = await import(start.bundle);
const load_ms = performance.now() - began;
for (let invocation = await nextLine<Invocation>(); invocation !== null; invocation = await nextLine<Invocation>()) {
  const invokedAt = performance.now();
  const context = contextOf(invocation.remaining_ms);
  const answer = start.stream
    ? await streamed(streamHandler, invocation.event, context)
    : await handler(invocation.event, context);
  const report = { answer: answer ?? null, load_ms, answer_ms: performance.now() - invokedAt };
  // The result is on a marked line, because the function logs to the same output.
  process.stdout.write(`\n${JSON.stringify({ lambda: report })}\n`);
}
process.stdout.write("", () => process.exit(0));

/** Simulates another date, which works because the function only uses Date.now(). */
function shiftClock(ahead_ms: number): void {
  const real = Date.now;
  Date.now = () => real() + ahead_ms;
}

async function streamed(run: Streaming, event: unknown, context: object): Promise<unknown> {
  const out = new PassThrough();
  const pieces: string[] = [];
  out.on("data", (piece: Buffer) => pieces.push(piece.toString()));
  const closed = new Promise((resolve) => out.once("close", resolve));
  await run(event, out, context);
  await closed;
  return { ...metadata, body: pieces.join(""), pieces: pieces.length };
}
