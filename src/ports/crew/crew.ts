// Starts child threads for a call of a parent. If the same call is sent again, it finds the same children.
import type { EffectId, TenantId, ThreadId } from "../../schema/ids.ts";
import type { BudgetInput } from "../../schema/input.ts";
import type { Result } from "../../schema/problem.ts";
import type { Delegation } from "../../schema/workflow/child.ts";

export type ChildTask = {
  readonly task: string;
  readonly context?: string | undefined;
  /** The agent of the child. Default: that of its parent. */
  readonly agent?: string | undefined;
  /** Names of the parent's tools that the child may use. Default: all that a child may have. */
  readonly tools?: readonly string[] | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly readonly?: boolean | undefined;
  readonly shell?: boolean | undefined;
  readonly budget?: BudgetInput | undefined;
};

export type CrewParent = { readonly tenant: TenantId; readonly thread: ThreadId };
export type CrewCall = CrewParent & { readonly effect_id: EffectId };

export interface Crew {
  /** Returns why `delegate` would refuse these tasks now. If it is absent, only `delegate` can tell. */
  checkDelegate?(parent: CrewParent, tasks: readonly ChildTask[]): Promise<Result<unknown>>;
  /** Returns why `broadcast` would refuse these receivers now. */
  checkBroadcast?(parent: CrewParent, to: readonly string[]): Promise<Result<unknown>>;
  /** Creates child threads. Fails with `tool_refused` and creates nothing if the tasks exceed a limit or name an unknown agent or tool. */
  delegate(call: CrewCall, tasks: readonly ChildTask[]): Promise<Result<Delegation>>;
  /** Sends one message to children of the thread, once to each, and starts their next run. */
  broadcast(call: CrewCall, message: string, to: readonly string[]): Promise<Result<Delegation>>;
}
