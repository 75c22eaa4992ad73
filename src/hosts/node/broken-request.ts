// Requests that never reach a route: not HTTP, too slow, too large, no address. Answered as problems like all others.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Log } from "../../http/env.ts";
import { problemBody } from "../../http/respond.ts";
import { type Problem, problem } from "../../schema/problem.ts";

const HEADERS = { "content-type": "application/problem+json", "cache-control": "no-store", connection: "close" };

function problemOf(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") return problem("headers_too_large", "The headers are larger than 16 KB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return problem("request_timeout", "The request took too long to arrive.");
  return problem("header_invalid", "The request is not HTTP that can be read.");
}

/** Bytes that the parser refuses, and requests that trickle in. */
export function answerBrokenRequests(server: Server, log: Log): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => answers.set(request.socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = answers.get(socket);
    const halfAnswered = answer?.headersSent === true && !answer.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || halfAnswered) return void socket.destroy();
    const refused = problemOf(error.code);
    log.info({ msg: "refused", status: refused.status, code: refused.code, reason: error.code ?? "unknown" });
    const body = JSON.stringify(problemBody(refused, null));
    const headers = { ...HEADERS, "content-length": Buffer.byteLength(body) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const status = `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`;
    socket.end([status, ...lines, "", body].join("\r\n"), () => socket.destroySoon());
  });
}

/** An address or a Host that is none: the parser lets it pass, but no route can be looked for. */
export function answerWithoutRoute(error: unknown, log: Log): Response {
  const known = error instanceof Error && error.name === "RequestError";
  if (!known) log.error({ msg: "bug", error: error instanceof Error ? error.stack : String(error) });
  const refused = known
    ? problem("header_invalid", "The address or the Host header cannot be read.")
    : problem("internal", "Something went wrong that is not your fault.");
  return new Response(JSON.stringify(problemBody(refused, null)), { status: refused.status, headers: HEADERS });
}
