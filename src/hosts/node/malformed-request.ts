// Responds to requests that reach no route: invalid HTTP, too slow or too large, or an invalid URL or Host header.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Log } from "../../http/env.ts";
import { problemBody } from "../../http/respond.ts";
import { type Problem, problem } from "../../schema/problem.ts";

const HEADERS = { "content-type": "application/problem+json", "cache-control": "no-store", connection: "close" };

function parserProblem(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") return problem("headers_too_large", "The headers are larger than 16 KB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return problem("request_timeout", "The request took too long to arrive.");
  return problem("header_invalid", "The request is not valid HTTP.");
}

/** Responds to bytes that the HTTP parser refuses, and to requests that arrive too slowly. */
export function respondToMalformedRequests(server: Server, log: Log): void {
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
export function respondToAdapterError(error: unknown, log: Log): Response {
  const isRequestError = error instanceof Error && error.name === "RequestError";
  if (!isRequestError) log.error({ msg: "bug", error: error instanceof Error ? error.stack : String(error) });
  const rejection = isRequestError
    ? problem("header_invalid", "The URL or the Host header is invalid.")
    : problem("internal", "Internal error. The request may be retried.");
  return new Response(JSON.stringify(problemBody(rejection, null)), { status: rejection.status, headers: HEADERS });
}
