// The part of the Cloudflare platform that this host uses: Durable Objects, storage, alarms, hibernating sockets.
declare module "cloudflare:workers" {
  type HibernatingSocket = import("./hibernating-sockets.ts").HibernatingSocket;

  export class DurableObject<Env = unknown> {
    protected readonly ctx: {
      readonly id: { readonly name?: string };
      readonly storage: import("../../adapters/store-durable-object/platform.ts").ObjectStorage & {
        readonly deleteAll: () => Promise<void>;
      };
      readonly acceptWebSocket: (socket: HibernatingSocket) => void;
      readonly getWebSockets: () => HibernatingSocket[];
      readonly setWebSocketAutoResponse: (pair: WebSocketRequestResponsePair) => void;
    };
    protected readonly env: Env;
    constructor(ctx: unknown, env: Env);
  }
}

declare class WebSocketRequestResponsePair {
  constructor(request: string, response: string);
}

declare class WebSocketPair {
  readonly 0: WebSocket;
  readonly 1: import("./hibernating-sockets.ts").HibernatingSocket;
}
