// Reads the context of a tool call: the state that a repeated call returns, the trace of the client, and its request
// for progress.
import type { ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Caller } from "../../http/edge/caller.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { invalidField } from "../shared/problems.ts";

/** Grants no right, because any client could also name the thread directly. */
const State = z.object({ thread: z.string() });

/** Null for a call that is not repeated. A state that this server did not create must not begin a new run. */
export function readState(ctx: ServerContext): Result<z.infer<typeof State> | null> {
  const raw: unknown = ctx.mcpReq.requestState?.();
  if (raw === undefined || raw === null) return ok(null);
  try {
    return ok(State.parse(typeof raw === "string" ? JSON.parse(raw) : raw));
  } catch {
    return invalidField("requestState", "is not the one that was returned.");
  }
}

/** The spans of the run become children of the client's span, which has names that MCP reserves for it. */
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
 * Undefined if the client did not ask for progress, which extends its timeout. A client that disconnects does not stop
 * the run.
 */
export function progressOf(ctx: ServerContext): Progress | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return async ({ version, entry }) => {
    const params = { progressToken, progress: version, ...(entry.speak && { message: entry.speak }) };
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
