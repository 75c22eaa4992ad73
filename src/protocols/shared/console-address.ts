// Where a person decides about a thread: the console, which asks for a key. Never a link that grants something by itself.
import type { Ctx } from "../../http/env.ts";

export const consoleAddress = (c: Ctx, thread: string): string => `${new URL(c.req.url).origin}/#/threads/${thread}`;
