// Adds remembered approvals to the state and removes them.
import { isoTime } from "../../ports/clock.ts";
import {
  APPROVALS_MAX,
  type ApprovalMatch,
  type ConfirmationGate,
  type RememberedApproval,
  type RememberScope,
} from "../../schema/gate.ts";
import type { ApprovalId } from "../../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import { summaryLine } from "../act/receipts.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { allowPrefix, hasPrefix, reasonKeys } from "../judge/remembered.ts";
import type { ConfirmationReason, PreparedCall } from "../judge/ruling.ts";

const SHOWN_CHARS = 160;

/** What a person may let the runtime remember about a waiting call, or null. */
export function rememberOptions(
  state: Pick<ThreadState, "taint">,
  call: PreparedCall,
  reasons: readonly ConfirmationReason[],
): ConfirmationGate["remember"] {
  if (call.manifest?.runs_later || reasons.some(({ once }) => once)) return null;
  const byPrefix = call.command && call.command.words.length > 1 && state.taint === null && allowPrefix(reasons);
  return { words: byPrefix ? [...(call.command?.words ?? [])] : null };
}

export type RememberRequest = { readonly remember: RememberScope; readonly prefix: readonly string[] | null };

/** Checks the request against the gate, which the person saw, and against the call as it is judged now. */
export function rememberedApproval(
  { rt, request, thread }: TurnContext,
  gate: ConfirmationGate,
  call: PreparedCall,
  { remember, prefix }: RememberRequest,
): Result<RememberedApproval> {
  if (!gate.remember || call.asks.some(({ once }) => once))
    return refuse("remember", "an approval of this call is valid once; approve it without remember");
  const match = prefix ? prefixMatch(thread.state, gate, call, prefix) : ok(exactMatch(call));
  if (!match.ok) return match;
  const { name: tool, manifest_version } = gate.call;
  const shown = match.value.kind === "prefix" ? match.value.words.join(" ") : summaryLine(gate.shown, SHOWN_CHARS);
  return ok({
    id: rt.ids.make("apr") as ApprovalId,
    tool,
    manifest_version,
    match: match.value,
    shown: truncateChars(shown, SHOWN_CHARS),
    reasons: [...reasonKeys(gate.reasons)],
    remember,
    run: thread.state.run,
    ...(thread.state.workflow?.role && { role: thread.state.workflow.role }),
    gate_id: gate.id,
    actor: request.actor,
    at: isoTime(rt.clock.now()),
  });
}

const exactMatch = ({ arguments_digest }: PreparedCall): ApprovalMatch => ({ kind: "exact", arguments_digest });

function prefixMatch(
  state: Pick<ThreadState, "taint">,
  gate: ConfirmationGate,
  { command }: PreparedCall,
  prefix: readonly string[],
): Result<ApprovalMatch> {
  if (state.taint !== null)
    return refuse("prefix", "untrusted text is in this thread, so only the exact call can be remembered");
  if (!gate.remember?.words || !command)
    return refuse("prefix", "only the exact call can be remembered, not commands that begin alike");
  if (!hasPrefix(command.words, prefix))
    return refuse("prefix", `must be the first words of ${JSON.stringify(command.words)}`);
  return ok({ kind: "prefix", words: [...prefix], folder: command.folder });
}

const refuse = (field: "remember" | "prefix", why: string): Failed =>
  fail("request_invalid", `input.${field}: ${why}.`, { field: `input.${field}` });

export const withApproval = (draft: Draft, approval: RememberedApproval): Draft =>
  amend(draft, { state: { approvals: [...(draft.state.approvals ?? []), approval].slice(-APPROVALS_MAX) } });

export const withoutApproval = (draft: Draft, approval_id: string): Draft =>
  amend(draft, { state: { approvals: draft.state.approvals?.filter(({ id }) => id !== approval_id) } });
