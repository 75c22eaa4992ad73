// Functions around a tool: allow, deny, modify, ask. They run in order; the first denial ends the matter.
import type { Manifest } from "../schema/manifest.ts";

export type HookCall = {
  readonly tenant: string;
  readonly thread: string;
  readonly tool_name: string;
  readonly manifest: Manifest;
  readonly arguments: Record<string, unknown>;
};

export type PreHookAnswer =
  | { readonly action: "ALLOW" }
  | { readonly action: "DENY"; readonly reason: string }
  | { readonly action: "MODIFY"; readonly arguments: Record<string, unknown> }
  /** Let a person decide. */
  | { readonly action: "ASK"; readonly code?: "hook" | "risk" | "path"; readonly reason: string };

export type PostHookAnswer =
  | { readonly action: "CONTINUE" }
  | { readonly action: "MODIFY_RESULT"; readonly text: string };

export type Hook = { readonly name: string; readonly filter_names?: readonly string[] } & (
  | { readonly hook_type: "PRE_TOOL_USE"; readonly handler: (call: HookCall) => PreHookAnswer | Promise<PreHookAnswer> }
  | {
      readonly hook_type: "POST_TOOL_USE" | "TOOL_ERROR";
      readonly handler: (call: HookCall & { readonly result: string }) => PostHookAnswer | Promise<PostHookAnswer>;
    }
  | {
      readonly hook_type: "TOOL_SKIP";
      readonly handler: (call: HookCall & { readonly reason: string }) => void | Promise<void>;
    }
);

export type PreHooksResult = {
  readonly arguments: Record<string, unknown>;
  readonly modified: boolean;
  readonly denied: string | null;
  readonly asks: readonly { readonly code: "hook" | "risk" | "path"; readonly text: string }[];
};

const applies = (hook: Hook, name: string): boolean => !hook.filter_names || hook.filter_names.includes(name);

export async function runPreHooks(hooks: readonly Hook[], call: HookCall): Promise<PreHooksResult> {
  let args = call.arguments;
  let modified = false;
  const asks: { code: "hook" | "risk" | "path"; text: string }[] = [];
  for (const hook of hooks) {
    if (hook.hook_type !== "PRE_TOOL_USE" || !applies(hook, call.tool_name)) continue;
    const answer = await hook.handler({ ...call, arguments: args });
    if (answer.action === "DENY") return { arguments: args, modified, denied: answer.reason, asks };
    if (answer.action === "ASK") asks.push({ code: answer.code ?? "hook", text: answer.reason });
    if (answer.action === "MODIFY") {
      args = answer.arguments;
      modified = true;
    }
  }
  return { arguments: args, modified, denied: null, asks };
}

export async function runPostHooks(
  hooks: readonly Hook[],
  call: HookCall,
  result: string,
  success: boolean,
): Promise<string> {
  const wanted = success ? "POST_TOOL_USE" : "TOOL_ERROR";
  let text = result;
  for (const hook of hooks) {
    if (hook.hook_type !== wanted || !applies(hook, call.tool_name)) continue;
    const answer = await hook.handler({ ...call, result: text });
    if (answer.action === "MODIFY_RESULT") text = answer.text;
  }
  return text;
}

export async function runSkipHooks(hooks: readonly Hook[], call: HookCall, reason: string): Promise<void> {
  for (const hook of hooks) {
    if (hook.hook_type === "TOOL_SKIP" && applies(hook, call.tool_name)) await hook.handler({ ...call, reason });
  }
}
