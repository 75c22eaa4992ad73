// I4 for remembered approvals: no effect happens without a person's approval that covers it.
import { canonicalJson } from "../../../src/schema/json/canonical-json.ts";
import type { Entry, ThreadRecord } from "../../../src/schema/record.ts";
import type { Evidence, StoredThread } from "../evidence.ts";
import type { ExternalEffect } from "../tools.ts";
import { gateOf, type IntendedCall } from "./effects.ts";
import { argumentsOf } from "./receipts.ts";
import { isTaintedBefore } from "./taint.ts";

export function violationWithApproval(
  evidence: Evidence,
  thread: StoredThread,
  { record, receipt }: IntendedCall,
  effect: ExternalEffect,
): string | null {
  const given = givingRecord(thread, receipt.approval_id);
  const input = given && approvalInput(given.entry);
  if (!given || !input || given.entry.closed_gate?.id !== receipt.gate_id) return "nobody gave the approval it names";
  if (given.entry.actor !== receipt.actor) return "its approval was given by somebody else";
  if (given.version >= record.version) return "its approval was given later";
  if (input.remember === "run" && given.entry.run !== record.entry.run) return "its approval was for another run";
  if (isRevokedBefore(thread, receipt.approval_id, record.version)) return "its approval was revoked";
  const gate = input.gate_id === receipt.gate_id ? gateOf(thread, input.gate_id) : null;
  const shown = gate && argumentsOf(thread, gate.call);
  if (!gate || !shown || gate.call.name !== effect.tool || canonicalJson(shown) !== effect.arguments)
    return `what ran (${effect.arguments}) is not the call that was approved`;
  if (effect.tool === "note" && isTaintedBefore(thread, record.version) && !isTaintedBefore(thread, given.version))
    return "its approval was given before untrusted text came in";
  const sent = evidence.clientRequests.some(
    ({ request }) => request.kind === "turn" && JSON.stringify(request.input) === JSON.stringify(input),
  );
  return sent ? null : "no client sent that approval";
}

/** Returns the first record that has the approval. */
const givingRecord = (thread: StoredThread, id: string | undefined): ThreadRecord | undefined =>
  thread.records.find(({ state }) => state.approvals?.some((approval) => approval.id === id));

const approvalInput = ({ input }: Entry) =>
  input?.type === "confirm" && input.decision === "approve" && input.remember ? input : null;

/** Checks that every stored approval was given by a person, for as long as it was given and not revoked. */
export const approvalsAreAsGiven = ({ threads }: Evidence): readonly string[] =>
  threads.flatMap((thread) =>
    thread.records.flatMap(({ version, entry, state }) =>
      (state.approvals ?? []).flatMap(({ id, remember }) => {
        const given = givingRecord(thread, id);
        const input = given && approvalInput(given.entry);
        const record = `I4 record ${version} of ${thread.at.thread}`;
        if (!given || input?.remember !== remember) return [`${record} has an approval that nobody gave this way`];
        if (remember === "run" && given.entry.run !== entry.run) return [`${record} has an approval of another run`];
        return isRevokedBefore(thread, id, version + 1) ? [`${record} has an approval that was revoked`] : [];
      }),
    ),
  );

const isRevokedBefore = ({ records }: StoredThread, id: string | undefined, before: number): boolean =>
  records.some(
    ({ version, entry }) => version < before && entry.input?.type === "revoke" && entry.input.approval_id === id,
  );
