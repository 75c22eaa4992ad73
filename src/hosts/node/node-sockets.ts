// WebSockets on Node: the upgrade, pings that detect lost clients, and a complete response to a refused upgrade.
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { upgradeWebSocket } from "@hono/node-server";
import { type WebSocket, WebSocketServer } from "ws";
import { BODY_BYTES_MAX } from "../../http/edge/body.ts";
import type { Upgrade } from "../../http/env.ts";
import type { LiveSocket } from "../../http/live/live-socket.ts";

/** A frame may be as large as a request body. For a larger one, ws closes the socket with code 1009 without buffering it. */
export const createSocketServer = (): WebSocketServer =>
  new WebSocketServer({ noServer: true, maxPayload: BODY_BYTES_MAX, perMessageDeflate: false });

/** Any other request with an Upgrade header is handled as ordinary HTTP. */
export const isLiveSocketRequest = ({ method, url }: IncomingMessage): boolean =>
  method === "GET" && /^[^?]*\/live(\?|$)/.test(url ?? "");

export const upgradeNodeSocket: Upgrade = (c, session) =>
  upgradeWebSocket(c, {
    onOpen: (_, { raw }) => session.onOpen(toLiveSocket(raw as unknown as WebSocket)),
    onMessage: ({ data }) => session.onMessage(typeof data === "string" ? data : null),
    onClose: () => session.onClose(),
    onError: () => session.onClose(),
  });

function toLiveSocket(ws: WebSocket): LiveSocket {
  let awaitingPong = false;
  ws.on("pong", () => {
    awaitingPong = false;
  });
  return {
    send: (text) => ws.send(text),
    close: (code, reason) => ws.close(code, reason),
    bufferedBytes: () => ws.bufferedAmount,
    ping: () => {
      if (awaitingPong) return ws.terminate();
      awaitingPong = true;
      ws.ping();
    },
  };
}

type UpgradeEnv = { readonly incoming: IncomingMessage; readonly outgoing?: unknown };

/** The adapter would send only the headers of a refusal and not the body, which contains the reason. */
export async function sendUpgradeRejection(env: UpgradeEnv, response: Response): Promise<void> {
  if (env.outgoing !== undefined || response.status < 400) return;
  const body = await response.clone().text();
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  await endSocket(env.incoming.socket, [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? "Refused"}`,
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ]);
}

const endSocket = (socket: Duplex, lines: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    socket.once("close", resolve);
    socket.end(lines.join("\r\n"), () => socket.destroy());
  });
