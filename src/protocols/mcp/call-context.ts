// Reads the context of a tool call: the state that a repeated call returns, the trace of the client, and its request
// for progress.
import type { ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Caller } from "../../http/edge/caller.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";

/**
 * The state that a client returns when it repeats a call with answers. It names the thread of the call. It grants no
 * right, because any client could also name the thread directly.
 */
const State = z.object({ thread: z.string() });

/**
 * Returns the state, or null for a call that is not repeated. A state that this server did not create is refused, so
 * that it does not begin a new run.
 */
export function readState(ctx: ServerContext): Result<z.infer<typeof State> | null> {
  const raw: unknown = ctx.mcpReq.requestState?.();
  if (raw === undefined || raw === null) return ok(null);
  try {
    return ok(State.parse(typeof raw === "string" ? JSON.parse(raw) : raw));
  } catch {
    return fail("request_invalid", "requestState: is not the one that was returned.", { field: "requestState" });
  }
}

/**
 * Reads the trace of the client from the names that MCP reserves for it. The spans of the run become children of the
 * client's span.
 */
export function traceOf(ctx: ServerContext): Pick<Caller, "trace"> {
  const meta: Readonly<Record<string, unknown>> = ctx.mcpReq._meta ?? {};
  if (typeof meta.traceparent !== "string") return {};
  const carrier = new Map<string, string>();
  for (const name of ["traceparent", "tracestate", "baggage"]) {
    const value = meta[name];
    if (typeof value === "string") carrier.set(name, value);
  }
  return { trace: { from: "message", carrier } };
}

type Progress = (record: ThreadRecord) => Promise<unknown>;

/**
 * Returns a function that reports progress, or undefined if the client did not ask for it. Progress extends the timeout
 * of the client. A client that has disconnected does not stop the run.
 */
export function progressOf(ctx: ServerContext): Progress | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return async ({ version, entry }) => {
    const params = { progressToken, progress: version, ...(entry.speak && { message: entry.speak }) };
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
