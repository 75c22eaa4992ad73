// Emulates a function URL: accepts HTTP requests, passes each to an instance as an event, and sends its response.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type HttpResponse, httpEvent, type LambdaInstance } from "./lambda-process.ts";

export type FunctionUrl = { readonly url: string; readonly close: () => Promise<void> };

export async function openFunctionUrl(instance: LambdaInstance): Promise<FunctionUrl> {
  // An instance handles one event at a time.
  let queue: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    queue = queue
      .then(async () => {
        const { answer } = await instance.invoke<HttpResponse>(await toLambdaEvent(request));
        response.writeHead(answer.statusCode, answer.headers);
        response.end(answer.isBase64Encoded ? Buffer.from(answer.body, "base64") : answer.body);
      })
      .catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function toLambdaEvent(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  return httpEvent("function-url", {
    method: request.method ?? "GET",
    path: pathname,
    query: search.slice(1),
    headers: request.headers as Record<string, string>,
    text: Buffer.concat(parts).toString(),
    base64: true,
  });
}
