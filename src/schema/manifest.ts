// The declared facts of a tool. Governance, judgement and prompt read these; only run-tool sees the handler.
import { z } from "zod";
import { OutputTrust } from "./receipt.ts";

export const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "must be snake_case, at most 64 characters");

export const ToolOrigin = z.enum(["builtin", "external", "mcp", "plugin"]);
export const Permission = z.enum(["READ", "WRITE", "EXTERNAL"]);
export const Scope = z.enum(["NONE", "LOCAL_STATE", "DB_WRITE", "NETWORK"]);
/** What may be repeated after a crash: anything, a resend with the same key, nothing. */
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
  /** Locked on: no setting can switch it off. */
  core: z.boolean(),
  prompt_hint: z.string().nullable(),
  subagent_allowed: z.boolean(),
  route: ExecutionRoute,
  output_trust: OutputTrust,
  /** Has a channel by which data could leave: gated once the thread is tainted. */
  outward: z.boolean(),
  /** Sets up work that runs later, outside this thread: in a tainted thread a person is always asked. */
  runs_later: z.boolean().optional(),
  /** A newer observation of this tool makes the older ones one line, whatever the arguments. */
  supersedes: z.boolean(),
  /** False for tools whose receipts say nothing about the work: recall, time, todo. */
  proves: z.boolean(),
  /** A call opens the question gate with its arguments; nothing runs. */
  asks: z.boolean(),
  tags: z.array(z.string()),
  examples: z.array(z.object({ arguments: z.record(z.string(), z.unknown()), result: z.string().nullable() })),
  /** Other tools or toolsets that must be present for this one to be offered. */
  needs_tools: z.array(z.string()),
  /** Parts the host must bring along, such as "process" where commands can be run. */
  needs_parts: z.array(z.string()).default([]),
  /** The ways by which a caller must have come for it to be offered; null: any. */
  channels: z.array(z.string()).nullable(),
});
export type Manifest = z.infer<typeof Manifest>;
