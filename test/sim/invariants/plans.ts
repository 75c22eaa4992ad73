// I18: a plan is carried out as it was proposed and approved, and a step ends only with a receipt that proves it. This
// is derived from the decisions and receipts in the log, not from the plan and the proofs in the state.
import { canonicalJson } from "../../../src/schema/json/canonical-json.ts";
import type { Plan } from "../../../src/schema/plan.ts";
import type { SettledReceipt } from "../../../src/schema/receipt.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import { CORRECTIONS_MAX } from "../../../src/turn/judge/judge-safety.ts";
import type { Evidence, StoredThread } from "../evidence.ts";

export const plansAreCarriedOut = ({ threads }: Evidence): readonly string[] =>
  threads.flatMap((thread) => [
    ...planViolations(thread).map((flaw) => `I18 ${thread.at.thread}: ${flaw}`),
    ...unapprovedCalls(thread).map((flaw) => `I18 ${thread.at.thread}: ${flaw}`),
    ...proofViolations(thread).map((flaw) => `I19 ${thread.at.thread}: ${flaw}`),
  ]);

const CLEARS_PLAN = ["run.started", "run.replanned", "plan.rejected"];

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

/**
 * Checks that a call that may change something begins only after a person approved the plan, if the thread requires
 * that. A call that the model proposes together with a plan only reads, and also waits for the approval.
 */
function unapprovedCalls({ records }: StoredThread): readonly string[] {
  let approved = false;
  return records.flatMap(({ entry, state, version }) => {
    if (CLEARS_PLAN.some((signal) => entry.signals.includes(signal))) approved = false;
    if (entry.closed_gate?.kind === "plan" && entry.closed_gate.how === "approved") approved = true;
    const wrong: string[] = [];
    const begun = entry.receipts.some(({ kind }) => kind === "intended");
    if (begun && state.plan && state.plan_approval !== "auto" && !approved)
      wrong.push(`record ${version} begins ${entry.call?.name} under a plan that nobody approved`);
    if (entry.decision?.for !== "plan" || entry.receipts.length === 0 || !entry.call) return wrong;
    if (entry.call.effect !== "pure") wrong.push(`record ${version} runs ${entry.call.name} together with its plan`);
    if (!entry.signals.includes("plan.approved"))
      wrong.push(`record ${version} runs the first call of a plan that waits`);
    return wrong;
  });
}

/** Returns the newest plan that the model proposed, with the defaults of its fields. */
function proposedPlan(records: readonly ThreadRecord[]): Plan | null {
  for (const { entry } of records.toReversed()) {
    if (entry.decision?.for !== "plan" || entry.decision.value.action !== "plan_done") continue;
    return entry.decision.value.plan_steps.map(({ content, done_when, needs = "any" }) => ({
      content,
      done_when: done_when ?? null,
      needs,
      ...(needs === "any" ? { needs_open: true as const } : {}),
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
    // A plan that already runs keeps its proofs when it is approved.
    const isNew = ["run.replanned", "plan.rejected"].some((signal) => entry.signals.includes(signal));
    const starts = isNew || (entry.signals.includes("plan.approved") && records[i - 1]?.state.machine.steps === 0);
    // The first call runs in the record that starts the plan; a reply in that record came before it.
    if (starts) receipts = receipts.filter(({ id, source }) => source !== "user_reply" && isOf(record, id));
    const wrong: string[] = [];
    const ends = entry.signals.includes("step.advanced") || entry.signals.includes("run.finished");
    const step = isNew || entry.signals.includes("run.started") ? 0 : (records[i - 1]?.state.machine.step ?? 0);
    const insists = entry.corrections.length >= CORRECTIONS_MAX || isIdle(records[i - 1]);
    if (ends && !isProven(record, { receipts, step, insists }))
      wrong.push(`record ${version} ends step ${step} without proof`);
    const proven = isRunProven(record, receipts) ? "proven" : "none";
    if (entry.signals.includes("run.delivered") && state.evidence !== proven)
      wrong.push(`record ${version} is delivered as ${state.evidence}, but its receipts say ${proven}`);
    return wrong;
  });
}

const isOf = ({ entry }: ThreadRecord, id: string): boolean => entry.receipts.some((receipt) => receipt.id === id);

/** Reports whether a receipt is a success, or a failure whose output is an observation. */
const showsSomething = ({ success, observed }: SettledReceipt): boolean => success === true || observed === true;

const kindsOf = ({ source, access }: SettledReceipt): readonly string[] =>
  access ? [KINDS[source], "observation"] : [KINDS[source]];

/** Reports whether a goal or step asks for a lookup, in the words of the simulated users and models. */
const asksForLookup = (text: string): boolean => /^Read |\?$/.test(text);

/**
 * Checks that every step that needs a receipt has one of its kind. If the plan does not name a kind, or a write failed,
 * only a write counts. A lookup counts only if the step asks for one, or for a later change.
 */
function isRunProven({ state: { plan, goal } }: ThreadRecord, receipts: readonly SettledReceipt[]): boolean {
  const succeeded = receipts.filter(showsSomething);
  const isWrite = ({ source }: SettledReceipt): boolean => source === "write_receipt";
  const hasLooked = succeeded.some((one) => kindsOf(one).includes("observation"));
  if (!asksForLookup(goal) && hasLooked && !succeeded.some(isWrite)) return false;
  const failed = receipts.filter((one) => isWrite(one) && one.success === false && !one.asked);
  if (!plan) return succeeded.length > 0 && (failed.length === 0 || succeeded.some(isWrite));
  const needing = plan.map(({ needs }, step) => ({ needs, step })).filter(({ needs }) => needs !== "none");
  const hasProof = ({ needs, step }: (typeof needing)[number]): boolean => {
    const tried = needs !== "reply" && failed.some(({ step_index }) => step_index === step);
    const wanted = needs === "any" || tried ? "write" : needs;
    const prepares = succeeded.some((one) => isWrite(one) && one.step_index >= step);
    if (wanted === "observation" && !prepares && !asksForLookup(goal) && !asksForLookup(plan[step]?.content ?? ""))
      return false;
    return succeeded.some((one) => one.step_index === step && kindsOf(one).includes(wanted));
  };
  return needing.length > 0 && needing.every(hasProof);
}

/** Reports whether the model neither called a tool nor asked in this turn. */
const isIdle = (record: ThreadRecord | undefined): boolean => {
  const decision = record?.entry.decision;
  return decision?.for === "execute" && decision.value.action === "continue" && !decision.value.tool_call;
};

type StepEnd = {
  readonly receipts: readonly SettledReceipt[];
  readonly step: number;
  /** True if the model ends the step after every correction, or after a turn in which it had nothing left to do. */
  readonly insists: boolean;
};

function isProven({ state }: ThreadRecord, { receipts, step, insists }: StepEnd): boolean {
  const needs = state.plan?.[step]?.needs ?? "any";
  if (needs === "none" && state.plan_approved) return true;
  const failedWrites = receipts.filter(({ source, success }) => source === "write_receipt" && success === false);
  const proofs = receipts.filter((receipt) => showsSomething(receipt) && receipt.step_index === step);
  // Only an answer from knowledge alone may end a direct run without proof.
  if (state.machine.mode === "direct" && failedWrites.length === 0 && !receipts.some(showsSomething)) return true;
  const hasFailedWrite = failedWrites.some(({ step_index }) => step_index === step);
  const isLast = step + 1 === state.plan?.length;
  // A last step that needs nothing, or does not say what it needs, may only tell the user what the earlier steps found.
  if (isLast && step > 0 && (needs === "none" || needs === "any") && !hasFailedWrite) return true;
  // The same holds for a step that looks something up or asks a question, if the model insists on it.
  if (isLast && insists && (needs === "observation" || needs === "reply") && failedWrites.length === 0) return true;
  const isAccepted = (receipt: SettledReceipt): boolean => {
    if (needs !== "none" && needs !== "any") return kindsOf(receipt).includes(needs);
    return KINDS[receipt.source] !== "observation" || !hasFailedWrite;
  };
  return proofs.some(isAccepted);
}
