// Addresses of this server in responses. A person decides in the console, which asks for a key: never a link that grants something by itself.
import type { Ctx } from "../../http/env.ts";

/** Behind a proxy, or below a path of another app, the address of a request is not the one that clients use. */
export const serverAddress = (c: Ctx): string =>
  c.get("options").public_url?.replace(/\/$/, "") ?? new URL(c.req.url).origin;

export const consoleAddress = (c: Ctx, thread: string): string => `${serverAddress(c)}/#/threads/${thread}`;
