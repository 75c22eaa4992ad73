// Somebody else's server that is told of events: a real one on loopback, which can go away and come back.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Event = {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly body: string;
  readonly headers: Record<string, string>;
};

export type Receiver = {
  readonly port: number;
  readonly url: string;
  readonly events: Event[];
  /** Waits until one of this type has come. */
  readonly next: (type: string) => Promise<Event>;
  /** 503 to everybody while true. */
  away: boolean;
  /** How many were turned away. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const events: Event[] = [];
  const listeners = new Set<() => void>();
  let refused = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      if (receiver.away) {
        refused += 1;
        return void response.writeHead(503).end();
      }
      const { type, data } = JSON.parse(body) as Pick<Event, "type" | "data">;
      const headers = request.headers as Record<string, string>;
      events.push({ id: headers["webhook-id"] ?? "", type, data, body, headers });
      response.writeHead(204).end();
      for (const tell of listeners) tell();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}/told`,
    events,
    away: false,
    refused: () => refused,
    next: (type) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find((event) => event.type === type);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
