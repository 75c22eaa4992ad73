// A request for a socket goes on to the thread's object, which keeps it; the worker has let it in and says who it is.
import { threadName } from "../../adapters/store-durable-object/create-store.ts";
import { readEventsAfter } from "../../http/edge/headers.ts";
import type { Upgrade } from "../../http/live/live-socket.ts";
import { threadAt } from "../../http/routes/threads.ts";
import type { CloudflareEnv } from "./env.ts";
import { ATTACHMENT_HEADER, type SocketAttachment } from "./hibernating-sockets.ts";

export const upgradeInThreadObject =
  ({ THREADS }: CloudflareEnv): Upgrade =>
  async (c) => {
    const at = threadAt(c);
    const after = readEventsAfter(c);
    if (!at.ok || !after.ok) throw new Error("the route checks the address before it asks for a socket");
    const { tenant, name } = c.get("caller");
    const attachment: SocketAttachment = {
      at: at.value,
      caller: { tenant, name },
      request_id: c.get("request_id"),
      after: after.value,
      version: null,
    };
    const object = THREADS.get(THREADS.idFromName(threadName(at.value)));
    const headers = { upgrade: "websocket", [ATTACHMENT_HEADER]: JSON.stringify(attachment) };
    return object.fetch("https://thread/live", { headers });
  };
