// Decides which requests give approvals, directly or through what they create. Such a request also needs `confirm`, so
// a key that may only propose or administer cannot approve.
import type { TurnInput } from "../../schema/input.ts";
import type { ScheduleAction, SchedulePatch } from "../../schema/jobs/schedule.ts";
import type { InboundWebhook, InboundWebhookPatch, Webhook, WebhookPatch } from "../../schema/jobs/webhook.ts";
import { ok, type Result, unreachable } from "../../schema/problem.ts";
import { type ClientTool, isPrivileged } from "../../schema/protocols/client-tool.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { type Caller, requireScope } from "./caller.ts";

type AutoApproving = {
  readonly auto_approve?: readonly string[] | undefined;
  readonly client_tools?: readonly ClientTool[] | undefined;
};

export type Grant =
  /** An answer to a gate. */
  | { readonly kind: "input"; readonly input: TurnInput }
  /** A thread or request that exempts tools from approval, or trusts its client tools more than the default. */
  | { readonly kind: "create"; readonly create: AutoApproving }
  /** A schedule, which may create such a thread each time it fires. `change` contains the changed fields. */
  | { readonly kind: "schedule"; readonly what: ScheduleAction; readonly change?: SchedulePatch }
  /** A webhook, which may receive links for answering gates. The changes of the request are already applied. */
  | { readonly kind: "webhook"; readonly webhook: Pick<Webhook, "links">; readonly change?: WebhookPatch }
  /** An inbound webhook, whose events start a run. The changes of the request are already applied. */
  | { readonly kind: "inbound"; readonly hook: Pick<InboundWebhook, "what">; readonly change?: InboundWebhookPatch }
  /** A state of an imported thread, which may claim that something was approved. */
  | { readonly kind: "import"; readonly state: ImportedState };

/** A state in an imported file, with the client tools whose declarations are stored in its blob. */
export type ImportedState = Pick<ThreadState, "auto_approve" | "plan_approved"> &
  Pick<AutoApproving, "client_tools"> & {
    /** False if the open gate shows a call other than the one that an approval would run. */
    readonly shows_its_call: boolean;
  };

export const requireApprovalRight = (caller: Caller, grant: Grant): Result<unknown> =>
  givesApprovals(grant) ? requireScope(caller, "confirm") : ok(undefined);

function givesApprovals(grant: Grant): boolean {
  switch (grant.kind) {
    case "input":
      return grant.input.type === "confirm" || grant.input.type === "resolve";
    case "create":
      return autoApproves(grant.create);
    case "schedule":
      return grant.what.kind === "thread" && autoApproves(grant.what.create) && !onlySwitchesOff(grant.change);
    case "webhook":
      return grant.webhook.links && !onlySwitchesOff(grant.change);
    case "inbound":
      return (
        grant.hook.what.kind === "thread" && autoApproves(grant.hook.what.create) && !onlySwitchesOff(grant.change)
      );
    case "import":
      return autoApproves(grant.state) || grant.state.plan_approved || !grant.state.shows_its_call;
    default:
      return unreachable(grant);
  }
}

/** A client tool that is trusted more than the default also counts. */
const autoApproves = ({ auto_approve = [], client_tools = [] }: AutoApproving): boolean =>
  auto_approve.length > 0 || client_tools.some(isPrivileged);

/** An administrator may always disable something. */
const onlySwitchesOff = (change: { readonly enabled?: boolean | undefined } | undefined): boolean =>
  change?.enabled === false && Object.keys(change).length === 1;
