// Forwards an authorized request for a socket to the thread's object, which owns the socket.
import { threadName } from "../../adapters/store-durable-object/create-store.ts";
import { readEventsAfter } from "../../http/edge/headers.ts";
import { threadAt } from "../../http/edge/params.ts";
import type { Upgrade } from "../../http/env.ts";
import { readDialect } from "../../http/live/legacy-dialect.ts";
import { referenceOf } from "../shared/access.ts";
import type { CloudflareEnv } from "./env.ts";
import { ATTACHMENT_HEADER, type SocketAttachment } from "./hibernating-sockets.ts";

export const upgradeInThreadObject =
  ({ THREADS }: CloudflareEnv): Upgrade =>
  async (c) => {
    const at = threadAt(c);
    const after = readEventsAfter(c);
    const dialect = readDialect(c.req.query("dialect"));
    if (!at.ok || !after.ok || !dialect.ok) throw new Error("the route checks its parameters before the upgrade");
    const attachment: SocketAttachment = {
      at: at.value,
      caller: referenceOf(c.get("caller")),
      request_id: c.get("request_id"),
      after: after.value,
      version: null,
      dialect: dialect.value,
    };
    const object = THREADS.get(THREADS.idFromName(threadName(at.value)));
    const headers = { upgrade: "websocket", [ATTACHMENT_HEADER]: JSON.stringify(attachment) };
    return object.fetch("https://thread/live", { headers });
  };
