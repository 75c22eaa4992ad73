// Serves HTTP requests on Lambda with the host's app, and ends streams before the invocation ends.
import { Hono } from "hono";
import type { LambdaContext, LambdaEvent } from "hono/aws-lambda";
import { createLineRedactor } from "../shared/redact-line.ts";
import type { HostProvider } from "./instance.ts";

/** Redacts only text that looks like a secret, because the configuration with the actual secrets has not been read. */
const redact = createLineRedactor([]);

/** The time that is reserved for ending a stream cleanly, so that the client knows from where to resume. */
const RESERVE_MS = 3_000;

/** Hono's two Lambda handlers pass the Lambda context under different names. */
type Bindings = { readonly lambdaContext?: Partial<LambdaContext>; readonly context?: Partial<LambdaContext> };
const lambdaContextOf = ({ lambdaContext, context }: Bindings) => lambdaContext ?? context;

/** `stream_ms` limits the duration of streams whose complete response is buffered. */
export function createHttpApp(instance: HostProvider, stream_ms: number): Hono {
  const app = new Hono();
  app.all("*", async (c) => {
    const context = lambdaContextOf(c.env as Bindings);
    const host = await instance(remainingMs(context));
    const response = await host.app.fetch(c.req.raw, c.env as object);
    return withTimeLimit(response, Math.min(stream_ms, remainingMs(context) - RESERVE_MS));
  });
  app.onError((error) => {
    console.error(redact(error.stack ?? String(error)));
    return Response.json(
      { code: "internal", message: "The function could not start; see its log for the reason." },
      { status: 500 },
    );
  });
  return app;
}

type HttpEvent = {
  readonly requestContext: { readonly http?: { readonly method: string } };
  readonly httpMethod?: string;
};

const isHttpEvent = (event: unknown): event is HttpEvent =>
  typeof event === "object" && event !== null && "requestContext" in event && typeof event.requestContext === "object";

/** Throws for events of other services. Drops the body of a GET or HEAD request, with which Hono could not create a request. */
export function readHttpEvent(event: unknown): LambdaEvent {
  if (!isHttpEvent(event)) throw new Error("This event is no request, no queue message and no schedule.");
  const method = event.requestContext.http?.method ?? event.httpMethod ?? "";
  return { ...event, ...(/^(?:GET|HEAD)$/i.test(method) ? { body: null } : {}) } as LambdaEvent;
}

export const remainingMs = (context: Partial<LambdaContext> | undefined): number =>
  context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY;

function withTimeLimit(response: Response, ms: number): Response {
  const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
  if (!isStream || response.body === null || !Number.isFinite(ms)) return response;
  const reader = response.body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<{ readonly done: true }>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), Math.max(0, ms));
  });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await Promise.race([reader.read(), timeout]);
      if (!next.done) return controller.enqueue(next.value);
      clearTimeout(timer);
      controller.close();
      await reader.cancel().catch(() => undefined);
    },
    async cancel(reason) {
      clearTimeout(timer);
      await reader.cancel(reason).catch(() => undefined);
    },
  });
  return new Response(body, response);
}
