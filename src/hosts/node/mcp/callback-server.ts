// Receives the browser of a person who has signed in to an MCP server, on a port of this machine.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type CallbackServer = {
  /** The address to which the authorization server sends the browser back. */
  readonly url: string;
  /** Resolves with the parameters of the first request to that address. */
  readonly returned: Promise<URLSearchParams>;
  readonly close: () => void;
};

const PATH = "/callback";

/** Listens on this port, or on a free one if it is 0. `page` is what the browser shows afterwards. */
export async function openCallbackServer(port: number, page: string): Promise<CallbackServer> {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname !== PATH || request.method !== "GET") {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(page);
    resolve(searchParams);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: used } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${used}${PATH}`, returned: promise, close: () => server.close() };
}
