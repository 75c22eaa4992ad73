// Sends live events from the worker that runs a turn to the listeners at the thread's object. Events may be lost.
import { AsyncLocalStorage } from "node:async_hooks";
import { threadName } from "../../adapters/store-durable-object/create-store.ts";
import type { Namespace } from "../../adapters/store-durable-object/platform.ts";
import type { Hub, Listener } from "../../http/live/hub.ts";
import type { EphemeralEvent, LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { ThreadStub } from "./env.ts";
import { ATTACHMENT_HEADER, type SocketAttachment } from "./hibernating-sockets.ts";

/** If no socket received the events, no further events are sent for this long. */
const NO_LISTENERS_PAUSE_MS = 2_000;

type Sender = (at: ThreadRef, event: LiveEvent) => void;

/** One request is in progress at a time. Events that arrive in the meantime are sent together in the next one. */
function createSender(threads: Namespace<ThreadStub>): Sender {
  let waiting: EphemeralEvent[] = [];
  let sending = false;
  let paused_until = 0;
  const send = async (at: ThreadRef): Promise<void> => {
    const object = threads.get(threads.idFromName(threadName(at)));
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const listenerCount = await object.live(batch).catch(() => 0);
      if (listenerCount > 0) continue;
      waiting = [];
      paused_until = Date.now() + NO_LISTENERS_PAUSE_MS;
    }
  };
  return (at, event) => {
    // The object itself sends durable events to its sockets when the record is stored.
    if ("seq" in event || Date.now() < paused_until) return;
    waiting.push(event);
    if (sending) return;
    sending = true;
    void send(at).finally(() => {
      sending = false;
    });
  };
}

export type CloudflareHub = Hub & {
  /** Runs `work` with a sender of its own, because requests must not share promises on this platform. */
  readonly runWithSender: <T>(work: () => T) => T;
};

export function createCloudflareHub(threads: Namespace<ThreadStub>): CloudflareHub {
  const senders = new AsyncLocalStorage<Sender>();
  return {
    runWithSender: (work) => senders.run(createSender(threads), work),
    publish: (at, event) => senders.getStore()?.(at, event),
    subscribe: (at, listener) => subscribeToObject(threads, at, listener),
  };
}

type UpgradeResponse = Response & { readonly webSocket: (WebSocket & { readonly accept: () => void }) | null };

/** For a reader that runs in the worker, such as a stream. If the socket cannot be opened, the reader still polls the log. */
function subscribeToObject(threads: Namespace<ThreadStub>, at: ThreadRef, listener: Listener): () => void {
  let stopped = false;
  let socket: WebSocket | null = null;
  const close = (): void => socket?.close(1000, "");
  const connect = async (): Promise<void> => {
    const attachment: SocketAttachment = { at, caller: null, request_id: "", after: -1, version: null };
    const headers = { upgrade: "websocket", [ATTACHMENT_HEADER]: JSON.stringify(attachment) };
    const object = threads.get(threads.idFromName(threadName(at)));
    const { webSocket } = (await object.fetch("https://thread/live", { headers })) as UpgradeResponse;
    if (!webSocket) return;
    socket = webSocket;
    webSocket.accept();
    webSocket.addEventListener("message", ({ data }) => {
      if (!stopped) listener(JSON.parse(String(data)) as LiveEvent);
    });
    if (stopped) close();
  };
  void connect().catch(() => undefined);
  return () => {
    stopped = true;
    close();
  };
}
