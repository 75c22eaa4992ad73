// Stores the `traceparent` of a request for the job workers that continue its run after the request has ended.
import type { ThreadState } from "../schema/thread.ts";
import type { TraceParent, TurnRequest } from "./runtime.ts";

/** Matches W3C Trace Context, version 00. Any other text that a caller sends is not stored. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

type Traced = { readonly trace_parent?: TraceParent | undefined };

export function storedTrace({ trace_parent }: Traced): Pick<ThreadState, "trace_parent"> {
  const text = trace_parent?.carrier.get("traceparent");
  return text && TRACEPARENT.test(text) ? { trace_parent: text } : {};
}

/** The trace of a turn that no request waits for. */
export const queuedTrace = (stored: string | undefined): Pick<TurnRequest, "trace_parent"> =>
  stored ? { trace_parent: { from: "queue", carrier: new Map([["traceparent", stored]]) } } : {};

/** Links the turns of workers to the request that sent an input or started the background run. */
export function nextTrace({ background, trace_parent }: ThreadState, request: TurnRequest): Partial<ThreadState> {
  const starts = request.options?.in_background ?? false;
  if (!starts && (request.input === null || background?.status !== "on")) return {};
  const next = storedTrace(request);
  return next.trace_parent === trace_parent ? {} : { trace_parent: undefined, ...next };
}
