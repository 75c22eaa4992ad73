// WebSockets on Node: the upgrade, the ping that finds readers who are gone, and the refusal of an upgrade in full.
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { upgradeWebSocket } from "@hono/node-server";
import { type WebSocket, WebSocketServer } from "ws";
import { BODY_BYTES_MAX } from "../../http/edge/body.ts";
import type { LiveSocket, Upgrade } from "../../http/live/live-socket.ts";

/** A frame is as large as a body may be; ws closes the socket of a larger one with 1009 before it is held in memory. */
export const createSocketServer = (): WebSocketServer =>
  new WebSocketServer({ noServer: true, maxPayload: BODY_BYTES_MAX, perMessageDeflate: false });

/** Everything else with an Upgrade header is answered as the plain request that it also is. */
export const isSocketRequest = ({ method, url }: IncomingMessage): boolean =>
  method === "GET" && /^[^?]*\/live(\?|$)/.test(url ?? "");

export const upgradeOnNode: Upgrade = (c, session) =>
  upgradeWebSocket(c, {
    onOpen: (_, { raw }) => session.opened(liveSocket(raw as unknown as WebSocket)),
    onMessage: ({ data }) => session.heard(typeof data === "string" ? data : null),
    onClose: () => session.closed(),
    onError: () => session.closed(),
  });

function liveSocket(ws: WebSocket): LiveSocket {
  let unanswered = false;
  ws.on("pong", () => {
    unanswered = false;
  });
  return {
    send: (text) => ws.send(text),
    close: (code, reason) => ws.close(code, reason),
    buffered: () => ws.bufferedAmount,
    ping: () => {
      if (unanswered) return ws.terminate();
      unanswered = true;
      ws.ping();
    },
  };
}

type UpgradeEnv = { readonly incoming: IncomingMessage; readonly outgoing?: unknown };

/** The adapter answers a refused upgrade with headers alone; whoever is refused is told why, like everybody else. */
export async function sendRefusal(env: UpgradeEnv, response: Response): Promise<void> {
  if (env.outgoing !== undefined || response.status < 400) return;
  const body = await response.clone().text();
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  await endWith(env.incoming.socket, [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? "Refused"}`,
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ]);
}

const endWith = (socket: Duplex, lines: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    socket.once("close", resolve);
    socket.end(lines.join("\r\n"), () => socket.destroy());
  });
