// Creates the two Lambda handlers: `handler` for HTTP, queue messages and schedules, `streamHandler` for HTTP with
// streamed responses.
import { handle, type LambdaContext, type LambdaEvent, streamHandle } from "hono/aws-lambda";
import { handleSchedulerEvent, handleSqsBatch, isSchedulerEvent, isSqsEvent } from "./events.ts";
import type { LambdaOptions } from "./host.ts";
import { createHttpApp, remainingMs } from "./http.ts";
import { createHostProvider } from "./instance.ts";
import { warmUp } from "./warm-up.ts";

export type Lambda = {
  readonly handler: (event: unknown, context: LambdaContext) => Promise<unknown>;
  /** Undefined outside of Lambda, where responses cannot be streamed. */
  readonly streamHandler: unknown;
};

/** The time limit of a buffered stream. An HTTP API waits 30 seconds for the complete response. */
const BUFFERED_STREAM_MS = 20_000;

/** Creates a function with your own tools, hooks or models. Nothing is opened before the first event. */
export function createLambda(options: LambdaOptions = {}): Lambda {
  const instance = createHostProvider(process.env, options);
  const handleHttp = handle(createHttpApp(instance, BUFFERED_STREAM_MS));
  // Lambda provides the global `awslambda`. The AWS SDK also defines it, but without streaming.
  const { awslambda } = globalThis as { awslambda?: { streamifyResponse?: unknown } };
  return {
    async handler(event, context) {
      const remaining_ms = remainingMs(context);
      const until = Date.now() + remaining_ms;
      if (isSqsEvent(event)) return handleSqsBatch(await instance(remaining_ms), event, until);
      if (isSchedulerEvent(event)) return handleSchedulerEvent(await instance(remaining_ms), until);
      return handleHttp(event as LambdaEvent, context);
    },
    streamHandler: awslambda?.streamifyResponse
      ? streamHandle(createHttpApp(instance, Number.POSITIVE_INFINITY))
      : undefined,
  };
}

if (process.env.AWS_LAMBDA_INITIALIZATION_TYPE) await warmUp(process.env);

const defaultLambda = createLambda();
export const handler = defaultLambda.handler;
export const streamHandler = defaultLambda.streamHandler;
