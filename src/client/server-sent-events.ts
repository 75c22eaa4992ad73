// Parses server-sent events from a response body one at a time, until the body ends, the reader stops iterating or the
// signal aborts.
export type ServerSentEvent = { readonly type: string; readonly id: string | null; readonly data: unknown };

export async function* readEvents(response: Response, signal?: AbortSignal): AsyncGenerator<ServerSentEvent> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let buffer = "";
  for await (const chunk of chunksOf(response.body, signal)) {
    buffer += decoder.decode(chunk, { stream: true });
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end < 0) break;
      const event = parseFrame(buffer.slice(0, end));
      buffer = buffer.slice(end + 2);
      if (event) yield event;
    }
  }
}

/** Not every browser can iterate directly over a stream. Releases the stream when the reader stops. */
async function* chunksOf(body: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  // Node forgets the signal of a request once the request is garbage, and would then wait for the next event forever.
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

function parseFrame(frame: string): ServerSentEvent | null {
  let type = "message";
  let id: string | null = null;
  const data: string[] = [];
  for (const line of frame.split("\n")) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "event") type = value ?? type;
    if (field === "id") id = value ?? null;
    if (field === "data") data.push(value ?? "");
  }
  return data.length ? { type, id, data: JSON.parse(data.join("\n")) } : null;
}
