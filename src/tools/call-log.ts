// Defines the built-in hooks that log calls: one line per call, whatever its outcome. A line contains a digest of the arguments, and no results.
import type { Hook, HookCall, PostHandler } from "./hooks.ts";

export type CallLine = {
  readonly tenant: string;
  readonly thread: string;
  readonly tool: string;
  readonly arguments_digest: string;
  /** Digest of the arguments as the model wrote them, if a hook or a person changed them. */
  readonly proposed_digest: string | null;
  readonly outcome: "ok" | "failed" | "skipped";
  /** Null if the call did not run. */
  readonly operation_id: string | null;
  readonly duration_ms: number | null;
  /** Why the call was skipped; null if it was not. */
  readonly reason: string | null;
};

/** Put these hooks first, so that the line is written even if a later hook withholds the result. */
export function callLogHooks(write: (line: CallLine) => void | Promise<void>): readonly Hook[] {
  const commonFields = ({ tenant, thread, tool_name, arguments_digest, proposed_digest }: HookCall) => ({
    tenant,
    thread,
    tool: tool_name,
    arguments_digest,
    proposed_digest,
  });
  const logResult: PostHandler = (call) => {
    const { operation_id, duration_ms, success } = call;
    const outcome = success ? "ok" : "failed";
    const writing = ignoreErrors(() =>
      write({ ...commonFields(call), outcome, operation_id, duration_ms, reason: null }),
    );
    // A synchronous log needs no waiting.
    return writing ? writing.then(() => CONTINUE) : CONTINUE;
  };
  return [
    { name: "call_log", hook_type: "POST_TOOL_USE", handler: logResult },
    { name: "call_log", hook_type: "TOOL_ERROR", handler: logResult },
    {
      name: "call_log",
      hook_type: "TOOL_SKIP",
      handler: (call) =>
        ignoreErrors(() =>
          write({
            ...commonFields(call),
            outcome: "skipped",
            operation_id: null,
            duration_ms: null,
            reason: call.reason,
          }),
        ),
    },
  ];
}

const CONTINUE = { action: "CONTINUE" } as const;

/** An error of the log must not withhold a result. The owner of the log has to monitor it. */
function ignoreErrors(write: () => void | Promise<void>): Promise<void> | undefined {
  try {
    const writing = write();
    return writing instanceof Promise ? writing.catch(() => undefined) : undefined;
  } catch {
    return undefined;
  }
}
