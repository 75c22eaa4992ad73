// An app on a port: limits of time and size at the door, sockets, and an end that finishes what was begun.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createAdaptorServer,
  getRequestListener,
  type HttpBindings,
  type WebSocketServerLike,
} from "@hono/node-server";
import type { Log } from "../../http/env.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { answerBrokenRequests, answerWithoutRoute } from "./broken-request.ts";
import { createSocketServer, isSocketRequest, sendRefusal } from "./sockets.ts";

type App = { readonly fetch: (request: Request, env: object) => Response | Promise<Response> };

export type ServeOptions = {
  readonly host: string;
  readonly port: number;
  readonly request_timeout_ms: number;
  readonly log: Log;
  /** Given to the app as well: aborted by `stop`. */
  readonly stopping: AbortController;
};

export type Serving = {
  readonly port: number;
  /** Takes nothing new, waits for what is at work, then closes; false when the time was over first. */
  readonly stop: (within_ms: number) => Promise<boolean>;
};

/** The app's own limit speaks first, with a name for the request; the server's is for those who send not even headers. */
const LATER_MS = 1000;
const SWEEP_MS = 50;
const SOCKET_GRACE_MS = 1000;

export async function serveNode(app: App, options: ServeOptions): Promise<Result<Serving>> {
  const sockets = createSocketServer();
  const server = buildServer(app, options, sockets);
  const listening = await listen(server, options);
  if (!listening.ok) return listening;
  const stop = async (within_ms: number): Promise<boolean> => {
    options.stopping.abort();
    const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
    // A connection that was busy when the server closed stays open when it becomes idle, unless it is swept.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const grace = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
    }, SOCKET_GRACE_MS);
    const late = Promise.withResolvers<false>();
    const patience = setTimeout(() => late.resolve(false), within_ms);
    const inTime = await Promise.race([closed, late.promise]);
    clearInterval(sweep);
    clearTimeout(grace);
    clearTimeout(patience);
    if (!inTime) server.closeAllConnections();
    return inTime;
  };
  return ok({ port: listening.value, stop });
}

function buildServer(app: App, options: ServeOptions, sockets: ReturnType<typeof createSocketServer>): Server {
  const fetch = async (request: Request, env: unknown): Promise<Response> => {
    const response = await app.fetch(request, env as object);
    await sendRefusal(env as HttpBindings, response);
    return response;
  };
  const listener = getRequestListener(fetch, {
    hostname: options.host,
    errorHandler: (error) => answerWithoutRoute(error, options.log),
  });
  const server = createAdaptorServer({
    fetch,
    hostname: options.host,
    // A second Authorization must be seen, not dropped.
    serverOptions: {
      joinDuplicateHeaders: true,
      // Refused by us, as a problem.
      requireHostHeader: false,
      headersTimeout: options.request_timeout_ms,
      requestTimeout: options.request_timeout_ms + LATER_MS,
      connectionsCheckingInterval: Math.min(LATER_MS, options.request_timeout_ms),
      shouldUpgradeCallback: (request: IncomingMessage) => isSocketRequest(request),
    },
    createServer: ((given: object) => createServer(given, listener)) as typeof createServer,
    // Their types differ in an overload of `on`; the adapter is written for this very class.
    websocket: { server: sockets as unknown as WebSocketServerLike },
  }) as Server;
  // An expectation nobody knows is none: the request is answered like any other.
  server.on("checkExpectation", listener);
  answerBrokenRequests(server, options.log);
  return server;
}

const listen = (server: Server, { host, port }: ServeOptions): Promise<Result<number>> =>
  new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program listens there" : error.message;
      resolve(fail("config_invalid", `port: cannot listen on ${host} port ${port}: ${why}. Set PORT to another one.`));
    });
    server.listen(port, host, () => resolve(ok((server.address() as AddressInfo).port)));
  });
