// Requests on Lambda: the app of the host, and streams that end before the invocation does.
import { Hono } from "hono";
import type { LambdaContext } from "hono/aws-lambda";
import { createLineRedactor } from "../shared/redact-line.ts";
import type { HostProvider } from "./instance.ts";

/** No configuration was read, so only what looks like a secret is known. */
const redact = createLineRedactor([]);

/** The time that is left to close a stream properly, so that the client knows where to resume. */
const RESERVE_MS = 3_000;

/** Hono's two Lambda handlers use different names for the context. */
type Bindings = { readonly lambdaContext?: Partial<LambdaContext>; readonly context?: Partial<LambdaContext> };
const lambdaContextOf = ({ lambdaContext, context }: Bindings) => lambdaContext ?? context;

/** `stream_ms`: how long an endless response may last, where the complete response is buffered. */
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
      { code: "internal", message: "The function could not start; its log says why." },
      { status: 500 },
    );
  });
  return app;
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
