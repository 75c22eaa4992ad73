// Starting child threads for a call of a parent. The same call, sent again, finds the same children.
import type { EffectId, TenantId, ThreadId } from "../../schema/ids.ts";
import type { BudgetInput } from "../../schema/input.ts";
import type { Result } from "../../schema/problem.ts";
import type { Delegation } from "../../schema/workflow/child.ts";

export type ChildTask = {
  readonly task: string;
  readonly context?: string | undefined;
  /** The agent of the parent by default. */
  readonly agent?: string | undefined;
  /** Tools of the parent by name; all that a child may have by default. */
  readonly tools?: readonly string[] | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly readonly?: boolean | undefined;
  readonly shell?: boolean | undefined;
  readonly budget?: BudgetInput | undefined;
};

export type CrewParent = { readonly tenant: TenantId; readonly thread: ThreadId };
export type CrewCall = CrewParent & { readonly effect_id: EffectId };

export interface Crew {
  /** Why `delegate` would refuse these tasks now. Absent: only `delegate` can tell. */
  checkDelegate?(parent: CrewParent, tasks: readonly ChildTask[]): Promise<Result<unknown>>;
  /** Why `broadcast` would refuse these receivers now. */
  checkBroadcast?(parent: CrewParent, to: readonly string[]): Promise<Result<unknown>>;
  /** Refused with `tool_refused`, and nothing is created: an unknown agent or tool, too deep, too many, too little budget. */
  delegate(call: CrewCall, tasks: readonly ChildTask[]): Promise<Result<Delegation>>;
  /** Sends one message to children of the thread, once each, and starts their next run. */
  broadcast(call: CrewCall, message: string, to: readonly string[]): Promise<Result<Delegation>>;
}
