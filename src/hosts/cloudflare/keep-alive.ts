// Finishes a streamed turn even if the client disconnects, which would otherwise end the turn.
type Context = { readonly waitUntil: (work: Promise<unknown>) => void };

/** Any other stream only follows a thread and may end with its reader. */
const isTurnStream = (request: Request, response: Response): boolean =>
  request.method === "POST" && (response.headers.get("content-type") ?? "").startsWith("text/event-stream");

export function keepAliveAfterDisconnect(request: Request, response: Response, ctx: Context): Response {
  if (!response.body || !isTurnStream(request, response)) return response;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  ctx.waitUntil(pump(response.body, writable));
  return new Response(readable, response);
}

async function pump(from: ReadableStream<Uint8Array>, to: WritableStream<Uint8Array>): Promise<void> {
  const writer = to.getWriter();
  const reader = from.getReader();
  let isConnected = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (isConnected) {
      await writer.write(value).catch(() => {
        isConnected = false;
      });
    }
  }
  if (isConnected) await writer.close().catch(() => undefined);
}
