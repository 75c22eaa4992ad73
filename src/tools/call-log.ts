// The built-in hooks that log calls: one line per call, whatever became of it. Arguments only as a digest, results not at all.
import type { Hook, HookCall, PostHandler } from "./hooks.ts";

export type CallLine = {
  readonly tenant: string;
  readonly thread: string;
  readonly tool: string;
  readonly arguments_digest: string;
  /** What the model wrote, when a hook or a person changed it. */
  readonly proposed_digest: string | null;
  readonly outcome: "ok" | "failed" | "skipped";
  /** null: it did not run. */
  readonly operation_id: string | null;
  readonly duration_ms: number | null;
  /** Why it was skipped. */
  readonly reason: string | null;
};

/** Put them first, so that a hook after them that withholds a result does not keep the line from being written. */
export function callLogHooks(write: (line: CallLine) => void | Promise<void>): readonly Hook[] {
  const head = ({ tenant, thread, tool_name, arguments_digest, proposed_digest }: HookCall) => ({
    tenant,
    thread,
    tool: tool_name,
    arguments_digest,
    proposed_digest,
  });
  const ran: PostHandler = async (call) => {
    const { operation_id, duration_ms, success } = call;
    await quietly(() =>
      write({ ...head(call), outcome: success ? "ok" : "failed", operation_id, duration_ms, reason: null }),
    );
    return { action: "CONTINUE" };
  };
  return [
    { name: "call_log", hook_type: "POST_TOOL_USE", handler: ran },
    { name: "call_log", hook_type: "TOOL_ERROR", handler: ran },
    {
      name: "call_log",
      hook_type: "TOOL_SKIP",
      handler: (call) =>
        quietly(() =>
          write({ ...head(call), outcome: "skipped", operation_id: null, duration_ms: null, reason: call.reason }),
        ),
    },
  ];
}

/** A log that is full or gone is no reason to withhold a result. */
async function quietly(act: () => void | Promise<void>): Promise<void> {
  try {
    await act();
  } catch {
    // Whoever writes the log watches over it.
  }
}
