// The URLs of this server in responses. Users decide in the console, which asks for a key, so no URL grants a right by
// itself.
import type { Ctx } from "../../http/env.ts";

/** Behind a proxy, or below the path of another app, the URL of a request is not the one that clients use. */
export const serverAddress = (c: Ctx): string =>
  c.get("options").public_url?.replace(/\/$/, "") ?? new URL(c.req.url).origin;

export const consoleAddress = (c: Ctx, thread: string): string => `${serverAddress(c)}/#/threads/${thread}`;
