// What a function does with an event: `handler` takes HTTP, queue messages and schedules, `streamHandler` HTTP with a streamed answer.
import { handle, type LambdaContext, type LambdaEvent, streamHandle } from "hono/aws-lambda";
import { isSchedule, isSqsEvent, runQueue, runSchedule } from "./events.ts";
import type { LambdaOptions } from "./host.ts";
import { httpApp, remaining } from "./http.ts";
import { createInstance } from "./instance.ts";

export type Lambda = {
  readonly handler: (event: unknown, context: LambdaContext) => Promise<unknown>;
  /** Undefined outside of Lambda, where there is nothing to stream to. */
  readonly streamHandler: unknown;
};

/** An HTTP API waits 30 seconds for an answer, and for the whole of it. */
const BUFFERED_STREAM_MS = 20_000;

/** A function with tools, hooks or models of your own. Nothing is opened before the first event. */
export function createLambda(options: LambdaOptions = {}): Lambda {
  const instance = createInstance(process.env, options);
  const answerHttp = handle(httpApp(instance, BUFFERED_STREAM_MS));
  // Lambda brings `awslambda` along. The SDK puts one there that cannot stream.
  const { awslambda } = globalThis as { awslambda?: { streamifyResponse?: unknown } };
  return {
    async handler(event, context) {
      const ends_in_ms = remaining(context);
      const until = Date.now() + ends_in_ms;
      if (isSqsEvent(event)) return runQueue(await instance(ends_in_ms), event, until);
      if (isSchedule(event)) return runSchedule(await instance(ends_in_ms), until);
      return answerHttp(event as LambdaEvent, context);
    },
    streamHandler: awslambda?.streamifyResponse ? streamHandle(httpApp(instance, Number.POSITIVE_INFINITY)) : undefined,
  };
}

const bundled = createLambda();
export const handler = bundled.handler;
export const streamHandler = bundled.streamHandler;
