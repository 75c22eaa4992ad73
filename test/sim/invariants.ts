// The promises, as functions from evidence to what is wrong with it. An empty list is the proof.
import { wasRemoved } from "./changes/facts.ts";
import type { Evidence } from "./evidence.ts";
import { ackedIsStored, onceEach } from "./invariants/acked.ts";
import { budgetsHold } from "./invariants/budget.ts";
import { callsAreWhole } from "./invariants/calls.ts";
import { deedsAreIntended, deedsWereAllowed } from "./invariants/deeds.ts";
import { messagesAreHeard } from "./invariants/inbox.ts";
import { linksAreSpent } from "./invariants/links.ts";
import { eventsAreDense, logIsWhole } from "./invariants/log.ts";
import { receiptsMatch } from "./invariants/receipts.ts";
import { filesAreLogs, removedIsAway } from "./invariants/removed.ts";
import { dueTimesRunOnce } from "./invariants/schedules.ts";
import { streamsAreWhole } from "./invariants/streams.ts";
import { changesAreFollowed } from "./invariants/subscriptions.ts";
import { offIsOff } from "./invariants/switched.ts";
import { nothingLeaks, onlyUsersSpeakAsUsers, outsideIsTaint, strangersFindNothing } from "./invariants/walls.ts";
import { everybodyIsTold } from "./invariants/webhooks.ts";

export type Invariant = (evidence: Evidence) => readonly string[];

const INVARIANTS: readonly Invariant[] = [
  ackedIsStored,
  onceEach,
  callsAreWhole,
  logIsWhole,
  eventsAreDense,
  receiptsMatch,
  deedsWereAllowed,
  deedsAreIntended,
  budgetsHold,
  everybodyIsTold,
  messagesAreHeard,
  dueTimesRunOnce,
  linksAreSpent,
  outsideIsTaint,
  changesAreFollowed,
  offIsOff,
  streamsAreWhole,
];

/** Of all that is stored, whatever became of it. */
const OF_EVERYTHING: readonly Invariant[] = [
  ({ unreadable }) => unreadable.map((row) => `I2 unreadable: ${row}`),
  nothingLeaks,
  onlyUsersSpeakAsUsers,
  strangersFindNothing,
  removedIsAway,
  filesAreLogs,
];

/**
 * A thread that was removed and came back under its name may take a turn that was under way in the one before: what is
 * asked of a log is asked of those that were never removed.
 */
export function violationsOf(evidence: Evidence): readonly string[] {
  const { changes, threads } = evidence;
  const lasting = changes
    ? { ...evidence, threads: threads.filter(({ at }) => !wasRemoved(changes, at.thread)) }
    : evidence;
  return [
    ...OF_EVERYTHING.flatMap((invariant) => invariant(evidence)),
    ...INVARIANTS.flatMap((invariant) => invariant(lasting)),
  ];
}
