// Runs a real webhook receiver on loopback that can become unavailable and available again.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly body: string;
  readonly headers: Record<string, string>;
};

export type Receiver = {
  readonly port: number;
  readonly url: string;
  readonly events: ReceivedEvent[];
  /** Waits until an event of this type has arrived. */
  readonly waitFor: (type: string) => Promise<ReceivedEvent>;
  /** True if the receiver responds with 503. */
  unavailable: boolean;
  /** Returns the number of rejected requests. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const events: ReceivedEvent[] = [];
  const listeners = new Set<() => void>();
  let refused = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      if (receiver.unavailable) {
        refused += 1;
        return void response.writeHead(503).end();
      }
      const { type, data } = JSON.parse(body) as Pick<ReceivedEvent, "type" | "data">;
      const headers = request.headers as Record<string, string>;
      events.push({ id: headers["webhook-id"] ?? "", type, data, body, headers });
      response.writeHead(204).end();
      for (const listener of listeners) listener();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}/told`,
    events,
    unavailable: false,
    refused: () => refused,
    waitFor: (type) =>
      new Promise((resolve) => {
        const resolveIfReceived = (): void => {
          const found = events.find((event) => event.type === type);
          if (!found) return;
          listeners.delete(resolveIfReceived);
          resolve(found);
        };
        listeners.add(resolveIfReceived);
        resolveIfReceived();
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
