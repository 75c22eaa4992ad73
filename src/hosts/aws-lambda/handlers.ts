// Creates the Lambda handlers: `handler` for all events, and `streamHandler` for streamed HTTP responses.
import { handle, type LambdaContext, streamHandle } from "hono/aws-lambda";
import { handleSchedulerEvent, handleSqsBatch, isSchedulerEvent, isSqsEvent } from "./events.ts";
import { createLambdaHost, type LambdaOptions } from "./host.ts";
import { createHttpApp, readHttpEvent, remainingMs } from "./http.ts";
import { createHostProvider, type HostProvider } from "./instance.ts";

/** A host without keys refuses to start, and the real keys may not be known yet because they come from the secret. */
const warmUpKeys = (): string => `warm-up:warm-up:pawl_${crypto.randomUUID().replaceAll("-", "")}`;
const REMAINING_MS = 60_000;

/** Creates a separate host without extensions, sends it one request that reads no data, and drops it. */
async function warmUp(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const own = { ...env, TABLE_NAME: "warm-up", PAWL_API_KEYS: warmUpKeys() };
    const host = await createLambdaHost(own, REMAINING_MS, {}, true);
    if (host.ok) await host.value.app.request("http://127.0.0.1/healthz", { headers: { host: "127.0.0.1" } });
  } catch {
    // Errors are ignored because the first event loads the code again and reports them.
  }
}

export type Lambda = {
  readonly handler: (event: unknown, context: LambdaContext) => Promise<unknown>;
  /** Undefined outside Lambda, because only Lambda can stream the response. */
  readonly streamHandler: unknown;
};

type StreamHandler = (event: unknown, stream: unknown, context: unknown) => Promise<void>;
type Streamify = (handler: StreamHandler) => unknown;

/** The time limit of a stream that is buffered. API Gateway waits at most 30 seconds for the complete response. */
const BUFFERED_STREAM_MS = 20_000;

/** Creates a function with your own tools, hooks or models. Nothing is opened before the first event. */
export function createLambda(options: LambdaOptions = {}): Lambda {
  const instance = createHostProvider(process.env, options);
  const handleHttp = handle(createHttpApp(instance, BUFFERED_STREAM_MS));
  // The global `awslambda` is provided by Lambda, but also by the AWS SDK, whose version cannot stream.
  const { awslambda } = globalThis as { awslambda?: { streamifyResponse?: Streamify } };
  return {
    async handler(event, context) {
      const remaining_ms = remainingMs(context);
      const until = Date.now() + remaining_ms;
      if (isSqsEvent(event)) return handleSqsBatch(await instance(remaining_ms), event, until);
      if (isSchedulerEvent(event)) return handleSchedulerEvent(await instance(remaining_ms), until);
      return handleHttp(readHttpEvent(event), context);
    },
    streamHandler: awslambda?.streamifyResponse && createStreamHandler(instance, awslambda.streamifyResponse),
  };
}

function createStreamHandler(instance: HostProvider, streamify: Streamify): unknown {
  const handleStream = streamHandle(createHttpApp(instance, Number.POSITIVE_INFINITY)) as unknown as StreamHandler;
  return streamify((event, stream, context) => handleStream(readHttpEvent(event), stream, context));
}

if (process.env.AWS_LAMBDA_INITIALIZATION_TYPE) await warmUp(process.env);

const defaultLambda = createLambda();
export const handler = defaultLambda.handler;
export const streamHandler = defaultLambda.streamHandler;
