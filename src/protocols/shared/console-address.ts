// Returns URLs of this server for responses. Users decide in the console, which asks for a key, so no URL grants a
// right by itself.
import type { Ctx } from "../../http/env.ts";

/**
 * Returns the URL that clients use for this server. Behind a proxy, or below the path of another app, it differs from
 * the URL of a request and must be configured.
 */
export const serverAddress = (c: Ctx): string =>
  c.get("options").public_url?.replace(/\/$/, "") ?? new URL(c.req.url).origin;

export const consoleAddress = (c: Ctx, thread: string): string => `${serverAddress(c)}/#/threads/${thread}`;
