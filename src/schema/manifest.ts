// Defines the declared properties of a tool. Governance, judge and prompt read them; only run-tool sees the handler.
import * as z from "zod";
import { OutputTrust } from "./receipt.ts";

export const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be snake_case, at most 64 characters");
/** A reserved name. Clients of protocols that have no plans are asked to approve a plan as if it were a call of this tool. */
export const PLAN_TOOL = "pawl_plan";

export const ToolOrigin = z.enum(["builtin", "external", "mcp", "plugin"]);
export const Permission = z.enum(["READ", "WRITE", "EXTERNAL"]);
export const Scope = z.enum(["NONE", "LOCAL_STATE", "DB_WRITE", "NETWORK"]);
/** Determines what may be repeated after a crash: the call (pure), the call with the same key (keyed), or nothing (unkeyed). */
export const EffectKind = z.enum(["pure", "keyed", "unkeyed"]);
export type EffectKind = z.infer<typeof EffectKind>;
export const ExecutionRoute = z.enum(["worker-local", "main-process-proxy", "disabled"]);

export const Manifest = z.object({
  name: ToolName,
  version: z.string().min(1),
  description: z.string().min(1),
  toolset: z.string().min(1),
  category: z.string().min(1),
  origin: ToolOrigin,
  /** JSON Schema of the arguments and of the result, derived from zod. */
  input: z.record(z.string(), z.unknown()),
  output: z.record(z.string(), z.unknown()).nullable(),
  permission: Permission,
  scope: Scope,
  requires_confirmation: z.boolean(),
  streaming: z.boolean(),
  effect: EffectKind,
  timeout_ms: z.int().positive(),
  max_output_chars: z.int().positive(),
  /** True if the tool is always enabled and no setting can disable it. */
  core: z.boolean(),
  prompt_hint: z.string().nullable(),
  /** "settings" means that an administrator replaced the original hint of the tool. */
  prompt_hint_source: z.enum(["manifest", "settings"]).optional(),
  subagent_allowed: z.boolean(),
  route: ExecutionRoute,
  output_trust: OutputTrust,
  /** True if the tool could send data outside. It is gated once the thread is tainted. */
  outward: z.boolean(),
  /** True if prompts describe the tool with text from a server that the operator has not reviewed. A thread that is offered the tool is tainted. */
  unreviewed: z.boolean().optional(),
  /** True if the tool sets up work that runs later, outside this thread. In a tainted thread, its calls always need an approval. */
  runs_later: z.boolean().optional(),
  /** True if a newer observation of this tool reduces older ones to one line in the prompt, even if their arguments differ. */
  supersedes: z.boolean(),
  /** False for tools such as recall and todo, whose receipts do not show progress. */
  proves: z.boolean(),
  /** True if the same call may be repeated immediately, because its result changes over time. */
  repeatable: z.boolean().optional(),
  /** True if a call opens a question gate with its arguments and nothing runs. */
  asks: z.boolean(),
  /** True for a tool that the client declared and runs itself. A call of it opens an external gate. */
  runs_in_client: z.boolean().optional(),
  /** When prompts describe the tool, which can be called at any time. `never` is for an alias of a tool that is described. Default: always. */
  in_prompt: z.enum(["without_plan", "never"]).optional(),
  /** Other names under which the model can call this tool, in threads that have no tool of that name. */
  also_named: z.array(ToolName).optional(),
  /** What a model must know to use the tools of this toolkit, such as units and terms. At most six lines. */
  facts: z.array(z.string().min(1).max(300)).max(6).optional(),
  tags: z.array(z.string()),
  examples: z.array(z.object({ arguments: z.record(z.string(), z.unknown()), result: z.string().nullable() })),
  /** Other tools or toolsets that must be present for this one to be offered. */
  needs_tools: z.array(z.string()),
  /** Parts that the host must provide, such as "process" for running commands. */
  needs_parts: z.array(z.string()).default([]),
  /** Channels on which the tool is offered. If null, on all. */
  channels: z.array(z.string()).nullable(),
  /** The toolkit that the tool belongs to, or null if the tool was registered separately. */
  toolkit: z.string().min(1).nullable().default(null),
});
export type Manifest = z.infer<typeof Manifest>;
