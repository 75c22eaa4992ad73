// I4 and I5: no effect happens without authorization, with different arguments, or twice.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { ConfirmationGate, DoubtGate } from "../../../src/schema/gate.ts";
import { canonicalJson } from "../../../src/schema/json/canonical-json.ts";
import type { IntendedReceipt } from "../../../src/schema/receipt.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import { callDigest } from "../../../src/turn/gates/digest.ts";
import { wasRemoved } from "../changes/changes-state.ts";
import type { Evidence, StoredThread } from "../evidence.ts";
import { CONFIRMED_TOOLS, type ExternalEffect } from "../tools.ts";
import { violationWithApproval } from "./approvals.ts";
import { argumentsOf } from "./receipts.ts";
import { isTaintedBefore } from "./taint.ts";

export function effectsAreIntended({ effects }: Evidence): readonly string[] {
  const seen = new Map<string, ExternalEffect>();
  return effects.flatMap((effect) => {
    const wrong: string[] = [];
    const before = seen.get(effect.effect_id);
    if (!effect.intended) wrong.push(`I5 ${effect.tool} ${effect.effect_id} ran before it was recorded`);
    if (before && !effect.keyed) wrong.push(`I5 ${effect.tool} ${effect.effect_id} ran twice`);
    if (before && !effect.repeated) wrong.push(`I5 ${effect.tool} ${effect.effect_id} happened twice`);
    if (before && before.arguments !== effect.arguments)
      wrong.push(`I5 ${effect.effect_id} was resent with other arguments`);
    seen.set(effect.effect_id, effect);
    return wrong;
  });
}

export function effectsWereAllowed(evidence: Evidence): readonly string[] {
  const spent = new Map<string, string>();
  return evidence.effects.flatMap((effect) => {
    const thread = evidence.threads.find(({ at }) => at.thread === effect.thread && at.tenant === effect.tenant);
    const intendedCall = thread && !wasRemoved(evidence.changes, effect.thread) ? findIntended(thread, effect) : null;
    // Effects that were never recorded are reported elsewhere.
    if (!thread || !intendedCall) return [];
    const { gate_id, approval_id } = intendedCall.receipt;
    if (approval_id !== undefined && !runsUnapprovedPlan(intendedCall.record)) {
      const uncovered = violationWithApproval(evidence, thread, intendedCall, effect);
      return uncovered ? [`I4 ${effect.tool} ${effect.effect_id}: ${uncovered}`] : [];
    }
    const flaw = runsUnapprovedPlan(intendedCall.record)
      ? "nobody approved the plan, and it was to be asked before the first change"
      : gate_id === null
        ? violationWithoutGate(thread, intendedCall, effect)
        : violationWithGate(evidence, thread, intendedCall, effect, gate_id);
    const other = gate_id === null ? undefined : spent.get(gate_id);
    if (gate_id !== null) spent.set(gate_id, effect.effect_id);
    return [
      ...(flaw ? [`I4 ${effect.tool} ${effect.effect_id}: ${flaw}`] : []),
      ...(other !== undefined && other !== effect.effect_id ? [`I4 gate ${gate_id} was used twice`] : []),
    ];
  });
}

const runsUnapprovedPlan = ({ state }: ThreadRecord): boolean =>
  state.plan_approval === "ask_writes" && state.plan !== null && !state.plan_approved;

export type IntendedCall = { readonly record: ThreadRecord; readonly receipt: IntendedReceipt };

function findIntended(thread: StoredThread, effect: ExternalEffect): IntendedCall | null {
  for (const record of thread.records) {
    for (const receipt of record.entry.receipts)
      if (receipt.kind === "intended" && receipt.effect_id === effect.effect_id) return { record, receipt };
  }
  return null;
}

/**
 * Checks a call without a gate, which may run only if the tool needs no confirmation or the thread has auto-approval.
 */
function violationWithoutGate(
  thread: StoredThread,
  { record, receipt }: IntendedCall,
  effect: ExternalEffect,
): string | null {
  const policy = receipt.actor === "policy" && record.state.auto_approve.includes(effect.tool);
  const value = record.entry.decision?.value;
  const asked = CONFIRMED_TOOLS.includes(effect.tool) || value?.action === "confirm";
  if (asked && !policy) return "needs a confirmation and has none";
  if (effect.arguments.includes("askme")) return "a hook required approval, but no gate was opened";
  if (effect.tool === "note" && isTaintedBefore(thread, record.version)) return "a tainted thread sent data out";
  return null;
}

function violationWithGate(
  evidence: Evidence,
  thread: StoredThread,
  intendedCall: IntendedCall,
  effect: ExternalEffect,
  gate_id: string,
): string | null {
  const doubt = doubtOf(thread, gate_id);
  if (doubt) return violationWithDoubt(thread, intendedCall, effect, doubt);
  const opened = gateOf(thread, gate_id);
  if (!opened) return `its gate ${gate_id} was never opened`;
  const spent = thread.records.filter(({ entry }) => entry.closed_gate?.id === gate_id);
  const [closing] = spent;
  if (spent.length !== 1 || !closing || closing.entry.closed_gate?.how !== "approved")
    return `its gate was closed ${spent.length} times`;
  if (closing.version > intendedCall.record.version || closing.version <= opened.version)
    return "its gate was closed out of order";
  const { input } = closing.entry;
  if (input?.type !== "confirm" || input.decision !== "approve" || input.digest !== opened.digest)
    return "its gate was closed by another answer";
  if (opened.expires_at !== null && Date.parse(closing.entry.at) >= Date.parse(opened.expires_at))
    return "its gate had expired";
  const shown = argumentsOf(thread, opened.call);
  if (!shown || digestOf(thread, opened, shown) !== opened.digest) return "the digest does not match the shown call";
  if (canonicalJson(input.edited_arguments ?? shown) !== effect.arguments)
    return `what ran (${effect.arguments}) is not the approved call`;
  const sent = evidence.clientRequests.some(({ request }) =>
    request.kind === "api"
      ? request.gate?.id === gate_id && request.gate.decision === input.decision
      : request.kind === "turn" && JSON.stringify(request.input) === JSON.stringify(input),
  );
  return sent ? null : "no client sent that approval";
}

/** Checks a doubt. A person may resolve it with a retry of the same call, once. */
function violationWithDoubt(
  thread: StoredThread,
  intendedCall: IntendedCall,
  effect: ExternalEffect,
  doubt: DoubtGate,
): string | null {
  const { input, closed_gate } = intendedCall.record.entry;
  if (effect.keyed) return "a keyed effect needs no doubt gate";
  if (input?.type !== "resolve" || input.outcome !== "try_again" || closed_gate?.id !== doubt.id)
    return "no client allowed a retry";
  const shown = argumentsOf(thread, doubt.call);
  return shown && canonicalJson(shown) === effect.arguments ? null : "what ran is not the call in doubt";
}

function doubtOf(thread: StoredThread, id: string): DoubtGate | null {
  for (const { state } of thread.records) if (state.gate?.id === id && state.gate.kind === "doubt") return state.gate;
  return null;
}

export function gateOf(thread: StoredThread, id: string): ConfirmationGate | null {
  for (const { state } of thread.records)
    if (state.gate?.id === id && state.gate.kind === "confirmation") return state.gate;
  return null;
}

const digestOf = (thread: StoredThread, gate: ConfirmationGate, args: Record<string, unknown>): string =>
  callDigest(nodeHash, {
    ...thread.at,
    version: gate.version,
    tool: gate.call.name,
    manifest_version: gate.call.manifest_version,
    arguments: args,
  });
