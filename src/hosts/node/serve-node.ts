// Serves an app on a port: limits on time and size, WebSockets, and a shutdown that finishes the requests in progress.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  createAdaptorServer,
  getRequestListener,
  type HttpBindings,
  type WebSocketServerLike,
} from "@hono/node-server";
import type { Log } from "../../http/env.ts";
import { problemBody } from "../../http/respond.ts";
import { fail, ok, type Problem, problem, type Result } from "../../schema/problem.ts";
import type { RequestGuard } from "./command-guard.ts";
import { createSocketServer, isLiveSocketRequest, sendUpgradeRejection } from "./node-sockets.ts";

type App = { readonly fetch: (request: Request, env: object) => Response | Promise<Response> };

export type ServeOptions = {
  readonly host: string;
  readonly port: number;
  readonly request_timeout_ms: number;
  readonly log: Log;
  /** Aborted by `stop`. The app must receive the same signal. */
  readonly stopping: AbortController;
  /** Runs before the app. If it returns a response, the app is not called. */
  readonly guard?: RequestGuard;
};

export type RunningServer = {
  readonly port: number;
  /** Refuses new connections and waits for the requests in progress. Returns false if the timeout expired first. */
  readonly stop: (timeout_ms: number) => Promise<boolean>;
};

/** The app's limit applies first and can name the request. The server's covers clients that do not even finish the headers. */
const SERVER_TIMEOUT_MARGIN_MS = 1000;
const IDLE_SWEEP_MS = 50;
const SOCKET_GRACE_MS = 1000;

export async function serveNode(app: App, options: ServeOptions): Promise<Result<RunningServer>> {
  const sockets = createSocketServer();
  const server = buildServer(app, options, sockets);
  const listening = await listen(server, options);
  if (!listening.ok) return listening;
  const stop = async (timeout_ms: number): Promise<boolean> => {
    options.stopping.abort();
    const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
    // A connection that becomes idle after the server began to close stays open, so idle ones are closed repeatedly.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const socketTimer = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
    }, SOCKET_GRACE_MS);
    const deadline = Promise.withResolvers<false>();
    const deadlineTimer = setTimeout(() => deadline.resolve(false), timeout_ms);
    const inTime = await Promise.race([closed, deadline.promise]);
    clearInterval(sweep);
    clearTimeout(socketTimer);
    clearTimeout(deadlineTimer);
    if (!inTime) server.closeAllConnections();
    return inTime;
  };
  return ok({ port: listening.value, stop });
}

function buildServer(app: App, options: ServeOptions, sockets: ReturnType<typeof createSocketServer>): Server {
  const fetch = async (request: Request, env: unknown): Promise<Response> => {
    const refused = await guard?.((env as HttpBindings).incoming.socket);
    const response = refused ?? (await app.fetch(request, env as object));
    await sendUpgradeRejection(env as HttpBindings, response);
    return response;
  };
  const listener = getRequestListener(fetch, {
    hostname: options.host,
    errorHandler: (error) => respondToAdapterError(error, options.log),
  });
  const server = createAdaptorServer({
    fetch,
    hostname: options.host,
    // By default Node drops a second Authorization header. The app must see it.
    serverOptions: {
      joinDuplicateHeaders: true,
      // The app itself refuses a request without a Host header, and with a problem.
      requireHostHeader: false,
      headersTimeout: options.request_timeout_ms,
      requestTimeout: options.request_timeout_ms + SERVER_TIMEOUT_MARGIN_MS,
      connectionsCheckingInterval: Math.min(SERVER_TIMEOUT_MARGIN_MS, options.request_timeout_ms),
      shouldUpgradeCallback: (request: IncomingMessage) => isLiveSocketRequest(request),
    },
    createServer: ((serverOptions: object) => createServer(serverOptions, listener)) as typeof createServer,
    // The adapter was written for this class, but the types differ in one overload of `on`.
    websocket: { server: sockets as unknown as WebSocketServerLike },
  }) as Server;
  const guard = options.guard?.(server);
  // A request with an unknown Expect header is handled as usual.
  server.on("checkExpectation", listener);
  respondToMalformedRequests(server, options.log);
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

const HEADERS = { "content-type": "application/problem+json", "cache-control": "no-store", connection: "close" };

function parserProblem(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") return problem("headers_too_large", "The headers are larger than 16 KB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return problem("request_timeout", "The request took too long to arrive.");
  return problem("header_invalid", "The request is not valid HTTP.");
}

/** Responds to bytes that the HTTP parser refuses, and to requests that arrive too slowly. */
function respondToMalformedRequests(server: Server, log: Log): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => responses.set(request.socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = responses.get(socket);
    const partlySent = response?.headersSent === true && !response.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || partlySent) return void socket.destroy();
    const rejection = parserProblem(error.code);
    log.info({ msg: "refused", status: rejection.status, code: rejection.code, reason: error.code ?? "unknown" });
    const body = JSON.stringify(problemBody(rejection, null));
    const headers = { ...HEADERS, "content-length": Buffer.byteLength(body) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const status = `HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status]}`;
    socket.end([status, ...lines, "", body].join("\r\n"), () => socket.destroySoon());
  });
}

/** The HTTP parser accepts these requests, but the adapter refuses their URL or Host header. Any other error is a bug. */
function respondToAdapterError(error: unknown, log: Log): Response {
  const isRequestError = error instanceof Error && error.name === "RequestError";
  if (!isRequestError) log.error({ msg: "bug", error: error instanceof Error ? error.stack : String(error) });
  const rejection = isRequestError
    ? problem("header_invalid", "The URL or the Host header is invalid.")
    : problem("internal", "Internal error. The request may be retried.");
  return new Response(JSON.stringify(problemBody(rejection, null)), { status: rejection.status, headers: HEADERS });
}
