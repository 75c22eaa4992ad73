// Returns addresses of this server for responses. A person decides in the console, which asks for a key, so no address
// grants a right by itself.
import type { Ctx } from "../../http/env.ts";

/** Returns the address that clients use, which is not the address of a request behind a proxy or below another app's path. */
export const serverAddress = (c: Ctx): string =>
  c.get("options").public_url?.replace(/\/$/, "") ?? new URL(c.req.url).origin;

export const consoleAddress = (c: Ctx, thread: string): string => `${serverAddress(c)}/#/threads/${thread}`;
