// What Lambda's runtime does, once: loads the bundle in this process, gives it one event, writes down what came back.
// It is started for one call by lambda-process.ts and reads {bundle, event, stream} from its standard input.
import { PassThrough } from "node:stream";

type Streaming = (event: unknown, stream: PassThrough, context: unknown) => Promise<void>;
type Metadata = { readonly statusCode: number; readonly headers: Record<string, string> };

const context = {
  functionName: "pawl",
  awsRequestId: "8f507cfc-xmpl-4697-b07a-ac58fc914c95",
  getRemainingTimeInMillis: () => 120_000,
};

/** As Lambda gives it to a function with a streamed answer. */
let metadata: Metadata | null = null;
const streaming = {
  streamifyResponse: (handler: Streaming) => handler,
  HttpResponseStream: {
    from: (stream: PassThrough, told: Metadata) => {
      metadata = told;
      return stream;
    },
  },
};

let input = "";
for await (const part of process.stdin) input += String(part);
const { bundle, event, stream } = JSON.parse(input) as { bundle: string; event: unknown; stream: boolean };
if (stream) Object.assign(globalThis, { awslambda: streaming });

const started = performance.now();
const { handler, streamHandler } = await import(bundle);
const loaded = performance.now();
const answer = stream ? await streamed(streamHandler, event) : await handler(event, context);
const ended = performance.now();
const told = { answer: answer ?? null, load_ms: loaded - started, answer_ms: ended - loaded };
// Behind a mark of its own: the function writes its log to the same place.
process.stdout.write(`\n${JSON.stringify({ lambda: told })}\n`, () => process.exit(0));

async function streamed(run: Streaming, given: unknown): Promise<unknown> {
  const out = new PassThrough();
  const pieces: string[] = [];
  out.on("data", (piece: Buffer) => pieces.push(piece.toString()));
  const closed = new Promise((resolve) => out.once("close", resolve));
  await run(given, out, context);
  await closed;
  return { ...metadata, body: pieces.join(""), pieces: pieces.length };
}
