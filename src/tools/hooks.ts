// Runs functions around a tool, in order. The first denial is final, and a hook that fails counts as a denial.
import type { Clock } from "../ports/clock.ts";
import type { Manifest } from "../schema/manifest.ts";

/** A hook that takes longer counts as failed, because it must not delay the settling of a result. */
export const HOOK_MS_MAX = 10_000;

export type HookCall = {
  readonly tenant: string;
  readonly thread: string;
  readonly tool_name: string;
  readonly manifest: Manifest;
  readonly arguments: Record<string, unknown>;
  readonly arguments_digest: string;
  /** Digest of the arguments as the model wrote them, if a hook or a person changed them. */
  readonly proposed_digest: string | null;
};
export type PreHookCall = HookCall & { readonly phase: "PRE" };
export type PostHookCall = HookCall & {
  readonly phase: "POST";
  readonly operation_id: string;
  /** The result as the model would read it. */
  readonly result: string;
  /** The result as data, for the console, or null if it is only text. */
  readonly raw: unknown;
  readonly success: boolean;
  readonly duration_ms: number;
};
export type SkipHookCall = HookCall & { readonly phase: "POST"; readonly reason: string };

export type PreHookAnswer =
  | { readonly action: "ALLOW" }
  | { readonly action: "DENY"; readonly reason: string }
  | { readonly action: "MODIFY"; readonly arguments: Record<string, unknown> }
  /** The call needs a person's approval. */
  | {
      readonly action: "ASK";
      readonly code?: "hook" | "risk" | "path";
      readonly reason: string;
      /**
       * Identifies what the reason is about, such as the codes of a risk. A remembered approval covers a later call only if that call has no other
       * kinds. Default: the text.
       */
      readonly kinds?: readonly string[];
      /** True if an approval for this reason must not be remembered. */
      readonly once?: boolean;
      /** True if the approval may cover commands that begin with the same words. */
      readonly prefix?: boolean;
    };

export type PostHookAnswer =
  | { readonly action: "CONTINUE" }
  /** If `raw` is omitted, the data is dropped, because it might still contain what was removed from the text. */
  | { readonly action: "MODIFY_RESULT"; readonly text: string; readonly raw?: unknown };

/** A filter for the pieces of a stream as they arrive. It may hold text back until it has seen what follows. */
export type PieceFilter = { readonly push: (text: string) => string; readonly end: () => string };

export type PostHandler = (call: PostHookCall) => PostHookAnswer | Promise<PostHookAnswer>;

export type Hook = { readonly name: string; readonly filter_names?: readonly string[] } & (
  | {
      readonly hook_type: "PRE_TOOL_USE";
      readonly handler: (call: PreHookCall) => PreHookAnswer | Promise<PreHookAnswer>;
    }
  | {
      readonly hook_type: "POST_TOOL_USE" | "TOOL_ERROR";
      readonly handler: PostHandler;
      /** Filters output that listeners receive while the tool is still running. Only for POST_TOOL_USE. */
      readonly pieces?: () => PieceFilter;
    }
  | { readonly hook_type: "TOOL_SKIP"; readonly handler: (call: SkipHookCall) => void | Promise<void> }
);

export type Ask = {
  readonly code: "hook" | "risk" | "path";
  readonly text: string;
  readonly kinds?: readonly string[];
  readonly once?: boolean;
  readonly prefix?: boolean;
};
export type PreHooksResult = {
  readonly arguments: Record<string, unknown>;
  readonly modified: boolean;
  readonly denied: string | null;
  readonly asks: readonly Ask[];
};

const applies = (hook: Hook, name: string): boolean => !hook.filter_names || hook.filter_names.includes(name);

export async function runPreHooks(hooks: readonly Hook[], call: HookCall, clock: Clock): Promise<PreHooksResult> {
  let args = call.arguments;
  let modified = false;
  const asks: Ask[] = [];
  for (const hook of hooks) {
    if (hook.hook_type !== "PRE_TOOL_USE" || !applies(hook, call.tool_name)) continue;
    const answer = await runHook(clock, () => hook.handler({ ...call, phase: "PRE", arguments: args }));
    const denied = denialReason(hook.name, answer);
    // If the call does not run, its arguments stay those that the model wrote.
    if (denied !== null) return { arguments: call.arguments, modified: false, denied, asks };
    if (answer?.action === "ASK") {
      const { code = "hook", reason: text, kinds, once, prefix } = answer;
      asks.push({ code, text, ...(kinds && { kinds }), ...(once && { once }), ...(prefix && { prefix }) });
    }
    if (answer?.action === "MODIFY") {
      args = answer.arguments;
      modified = true;
    }
  }
  return { arguments: args, modified, denied: null, asks };
}

/** Null if the hook does not object to the call. */
function denialReason(name: string, answer: PreHookAnswer | HookFailure | undefined): string | null {
  switch (answer?.action) {
    case "ALLOW":
    case "ASK":
    case "MODIFY":
      return null;
    case "DENY":
      return `${name} says no: ${answer.reason}`;
    case "BROKEN":
      return `${name} could not decide: ${answer.reason}`;
    default:
      return `${name} could not decide: it gave no answer`;
  }
}

export type PostHookResult = { readonly text: string; readonly raw: unknown };

export async function runPostHooks(hooks: readonly Hook[], call: PostHookCall, clock: Clock): Promise<PostHookResult> {
  const wanted = call.success ? "POST_TOOL_USE" : "TOOL_ERROR";
  let shown: PostHookResult = { text: call.result, raw: call.raw };
  for (const hook of hooks) {
    if (hook.hook_type === "PRE_TOOL_USE" || hook.hook_type === "TOOL_SKIP") continue;
    if (hook.hook_type !== wanted || !applies(hook, call.tool_name)) continue;
    const { text: result, raw } = shown;
    const answer = await runHook(clock, () => hook.handler({ ...call, result, raw }));
    if (answer?.action === "MODIFY_RESULT") shown = { text: answer.text, raw: answer.raw ?? null };
    else if (answer?.action !== "CONTINUE") return { text: withheldNotice(hook.name, answer), raw: null };
  }
  return shown;
}

/** Replaces a result that a hook failed to check. It must not contain the hook's error message. */
const withheldNotice = (name: string, answer: HookFailure | undefined): string =>
  `(The result is withheld: ${name} could not look at it${answer?.timedOut ? " in time" : ""}.)`;

/** The answers of the hooks have no effect. */
export async function runSkipHooks(
  hooks: readonly Hook[],
  call: HookCall,
  reason: string,
  clock: Clock,
): Promise<void> {
  for (const hook of hooks) {
    if (hook.hook_type !== "TOOL_SKIP" || !applies(hook, call.tool_name)) continue;
    await runHook(clock, () => hook.handler({ ...call, phase: "POST", reason }));
  }
}

export function pieceFilter(hooks: readonly Hook[], tool_name: string): PieceFilter {
  const filters = hooks.flatMap((hook) =>
    hook.hook_type === "POST_TOOL_USE" && hook.pieces && applies(hook, tool_name) ? [hook.pieces()] : [],
  );
  return {
    push: (text) => filters.reduce((passed, filter) => (passed === "" ? "" : filter.push(passed)), text),
    end: () => filters.reduce((passed, filter) => (passed === "" ? "" : filter.push(passed)) + filter.end(), ""),
  };
}

export function filterText(hooks: readonly Hook[], tool_name: string, text: string): string {
  const filter = pieceFilter(hooks, tool_name);
  return filter.push(text) + filter.end();
}

type HookFailure = { readonly action: "BROKEN"; readonly reason: string; readonly timedOut: boolean };
const HOOK_TIMEOUT: HookFailure = { action: "BROKEN", reason: `it took longer than ${HOOK_MS_MAX} ms`, timedOut: true };

async function runHook<T>(clock: Clock, run: () => T | Promise<T>): Promise<T | HookFailure> {
  try {
    const answer = run();
    // Most hooks answer synchronously. Only asynchronous ones need a timer.
    if (!(answer instanceof Promise)) return answer;
    const timer = new AbortController();
    const late = clock.sleep(HOOK_MS_MAX, timer.signal).then(() => HOOK_TIMEOUT);
    return await Promise.race([answer, late]).finally(() => timer.abort(null));
  } catch (error) {
    return { action: "BROKEN", reason: error instanceof Error ? error.message : String(error), timedOut: false };
  }
}
