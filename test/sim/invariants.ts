// Defines the invariants as functions from evidence to violations. An empty list means that all of them hold.
import { wasRemoved } from "./changes/changes-state.ts";
import type { Evidence } from "./evidence.ts";
import { acknowledgedIsStored, inputsStoredOnce } from "./invariants/acknowledged.ts";
import { approvalsAreAsGiven } from "./invariants/approvals.ts";
import { budgetsHold } from "./invariants/budget.ts";
import { clientResultsAreReplies } from "./invariants/client-tools.ts";
import { disabledStaysDisabled } from "./invariants/disabled.ts";
import { effectsAreIntended, effectsWereAllowed } from "./invariants/effects.ts";
import { evidenceIsHonest } from "./invariants/evidence-kinds.ts";
import { hooksWereAsked } from "./invariants/hooks.ts";
import { messagesAreConsumed } from "./invariants/inbox.ts";
import {
  inboundEventsTaint,
  nothingLeaks,
  onlyUsersSpeakAsUsers,
  otherTenantsFindNothing,
} from "./invariants/isolation.ts";
import { linksAreSingleUse } from "./invariants/links.ts";
import { eventsAreDense, logIsConsistent } from "./invariants/log.ts";
import { plansAreCarriedOut } from "./invariants/plans.ts";
import { receiptsMatch } from "./invariants/receipts.ts";
import { exportsMatchLogs, removedThreadsStayRemoved } from "./invariants/removed.ts";
import { titlesStay } from "./invariants/renames.ts";
import { requestsAreAtomic } from "./invariants/requests.ts";
import { dueTimesRunOnce } from "./invariants/schedules.ts";
import { streamsMatchLog } from "./invariants/streams.ts";
import { webhookChangesApply } from "./invariants/subscriptions.ts";
import { taintIsKept } from "./invariants/taint.ts";
import { turnsAreReportedOnce } from "./invariants/telemetry.ts";
import { usageMatchesModel } from "./invariants/usage.ts";
import { webhooksAreDelivered } from "./invariants/webhooks.ts";

export type Invariant = (evidence: Evidence) => readonly string[];

const THREAD_INVARIANTS: readonly Invariant[] = [
  acknowledgedIsStored,
  inputsStoredOnce,
  requestsAreAtomic,
  eventsAreDense,
  receiptsMatch,
  effectsWereAllowed,
  effectsAreIntended,
  approvalsAreAsGiven,
  budgetsHold,
  usageMatchesModel,
  plansAreCarriedOut,
  taintIsKept,
  clientResultsAreReplies,
  hooksWereAsked,
  evidenceIsHonest,
  webhooksAreDelivered,
  messagesAreConsumed,
  dueTimesRunOnce,
  linksAreSingleUse,
  inboundEventsTaint,
  webhookChangesApply,
  disabledStaysDisabled,
  streamsMatchLog,
  titlesStay,
];

/** Invariants that are checked on all stored data, including removed threads. */
const GLOBAL_INVARIANTS: readonly Invariant[] = [
  ({ unreadable }) => unreadable.map((row) => `I2 unreadable: ${row}`),
  nothingLeaks,
  onlyUsersSpeakAsUsers,
  otherTenantsFindNothing,
  removedThreadsStayRemoved,
  logIsConsistent,
  exportsMatchLogs,
  turnsAreReportedOnce,
];

/**
 * Returns all violations. What clients and webhooks learned of a thread may come from an earlier thread with its id, so
 * most invariants are checked only for threads that were never removed.
 */
export function violationsOf(evidence: Evidence): readonly string[] {
  const { changes, threads } = evidence;
  const withoutRemoved = changes
    ? { ...evidence, threads: threads.filter(({ at }) => !wasRemoved(changes, at.thread)) }
    : evidence;
  return [
    ...GLOBAL_INVARIANTS.flatMap((invariant) => invariant(evidence)),
    ...THREAD_INVARIANTS.flatMap((invariant) => invariant(withoutRemoved)),
  ];
}
