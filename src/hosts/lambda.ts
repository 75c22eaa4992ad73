// The Lambda host. `handler` takes HTTP events, queue messages and schedules; `streamHandler` HTTP with a streamed answer.
import { Hono } from "hono";
import { handle, type LambdaContext, type LambdaEvent, streamHandle } from "hono/aws-lambda";
import { isSchedule, isSqsEvent, runQueue, runSchedule, type SqsAnswer } from "./lambda-events.ts";
import { createLambdaHost, type LambdaHost } from "./lambda-host.ts";

/** Made by the first event, so that loading the code stays cheap; a failure is not kept, the next event tries again. */
let made: Promise<LambdaHost> | null = null;

function host(): Promise<LambdaHost> {
  made ??= createLambdaHost(process.env).then((result) => {
    if (result.ok) return result.value;
    throw new Error(`${result.problem.code}: ${result.problem.message} ${result.problem.hint}`);
  });
  made.catch(() => {
    made = null;
  });
  return made;
}

const app = new Hono();
app.all("*", async (c) => (await host()).app.fetch(c.req.raw, c.env as object));
app.onError((error) => {
  console.error(error);
  return Response.json(
    { code: "internal", message: "The function could not start; its log says why." },
    { status: 500 },
  );
});

const answerHttp = handle(app);

export async function handler(event: unknown, context: LambdaContext): Promise<unknown> {
  if (isSqsEvent(event)) return runQueue(await host(), event, endOf(context)) satisfies Promise<SqsAnswer>;
  if (isSchedule(event)) return runSchedule(await host(), endOf(context));
  return answerHttp(event as LambdaEvent, context);
}

const endOf = (context: LambdaContext): number => Date.now() + context.getRemainingTimeInMillis();

/** Lambda brings `awslambda` along; elsewhere there is nothing to stream to. The SDK puts one without it there. */
const { awslambda } = globalThis as { awslambda?: { streamifyResponse?: unknown } };
export const streamHandler = awslambda?.streamifyResponse ? streamHandle(app) : undefined;
