// I18: a plan is carried out as it was proposed and approved, and a step ends only with a receipt that proves it. Derived
// from the decisions and receipts in the log, not from the plan and the proofs in the state.
import { canonicalJson } from "../../../src/schema/json/canonical-json.ts";
import type { Plan } from "../../../src/schema/plan.ts";
import type { SettledReceipt } from "../../../src/schema/receipt.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import type { Evidence, StoredThread } from "../evidence.ts";

export const plansAreCarriedOut = ({ threads }: Evidence): readonly string[] =>
  threads.flatMap((thread) => [
    ...planViolations(thread).map((flaw) => `I18 ${thread.at.thread}: ${flaw}`),
    ...proofViolations(thread).map((flaw) => `I19 ${thread.at.thread}: ${flaw}`),
  ]);

const CLEARS_PLAN = ["run.started", "run.replanned"];

function planViolations({ records }: StoredThread): readonly string[] {
  let plan: Plan | null = null;
  return records.flatMap((record, i) => {
    const { entry, state, version } = record;
    if (CLEARS_PLAN.some((signal) => entry.signals.includes(signal))) plan = null;
    if (!entry.signals.includes("plan.approved"))
      return canonicalJson(state.plan) === canonicalJson(plan) ? [] : [`record ${version} has another plan`];
    const approved = entry.closed_gate?.kind === "plan";
    plan = proposedPlan(records.slice(0, i + 1));
    if (canonicalJson(state.plan) !== canonicalJson(plan))
      return [`record ${version} stores another plan than proposed`];
    return state.plan_approved === approved ? [] : [`record ${version} is wrong about who approved the plan`];
  });
}

/** The newest plan that the model proposed, with the defaults of its fields. */
function proposedPlan(records: readonly ThreadRecord[]): Plan | null {
  for (const { entry } of records.toReversed()) {
    if (entry.decision?.for !== "plan" || entry.decision.value.action !== "plan_done") continue;
    return entry.decision.value.plan_steps.map(({ content, done_when, needs }) => ({
      content,
      done_when: done_when ?? null,
      needs: needs ?? "any",
    }));
  }
  return null;
}

const KINDS = {
  tool_observation: "observation",
  write_receipt: "write",
  user_reply: "reply",
  client_reply: "reply",
} as const;

function proofViolations({ records }: StoredThread): readonly string[] {
  let receipts: SettledReceipt[] = [];
  return records.flatMap((record, i) => {
    const { entry, state, version } = record;
    if (entry.signals.includes("run.started")) receipts = [];
    for (const receipt of entry.receipts) if (receipt.kind === "settled") receipts.push(receipt);
    if (entry.signals.includes("run.replanned") || entry.signals.includes("plan.approved")) receipts = [];
    const wrong: string[] = [];
    const ends = entry.signals.includes("step.advanced") || entry.signals.includes("run.finished");
    const step = entry.signals.includes("run.started") ? 0 : (records[i - 1]?.state.machine.step ?? 0);
    if (ends && !isProven(record, receipts, step)) wrong.push(`record ${version} ends step ${step} without proof`);
    const proven = receipts.some(({ success }) => success === true) ? "proven" : "none";
    if (entry.signals.includes("run.delivered") && state.evidence !== proven)
      wrong.push(`record ${version} is delivered as ${state.evidence}, but its receipts say ${proven}`);
    return wrong;
  });
}

function isProven({ state }: ThreadRecord, receipts: readonly SettledReceipt[], step: number): boolean {
  const needs = state.plan?.[step]?.needs ?? "any";
  if (needs === "none" && state.plan_approved) return true;
  const failedWrites = receipts.filter(({ source, success }) => source === "write_receipt" && success === false);
  const proofs = receipts.filter(({ success, step_index }) => success === true && step_index === step);
  // Only an answer from knowledge alone may end a direct run without proof.
  if (state.machine.mode === "direct" && failedWrites.length === 0 && !receipts.some(({ success }) => success))
    return true;
  const isAccepted = ({ source }: SettledReceipt): boolean => {
    const kind = KINDS[source];
    if (needs !== "none" && needs !== "any") return kind === needs;
    return kind !== "observation" || !failedWrites.some(({ step_index }) => step_index === step);
  };
  return proofs.some(isAccepted);
}
