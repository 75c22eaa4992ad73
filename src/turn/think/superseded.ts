// Aborts a model call if its result can no longer be stored.
import type { TurnContext } from "../context.ts";

/** Calls `think` with a signal that is aborted once its result can no longer be stored. */
export async function withSupersededSignal<T>(
  { rt, request, thread }: Pick<TurnContext, "rt" | "request" | "thread">,
  think: (superseded: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const watch = rt.in_flight?.watch(request.at, thread.version);
  try {
    return await think(watch?.signal);
  } finally {
    watch?.abortBefore();
  }
}
