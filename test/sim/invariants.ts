// The promises, as functions from evidence to what is wrong with it. An empty list is the proof.
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
  ({ unreadable }) => unreadable.map((row) => `I2 unreadable: ${row}`),
  ackedIsStored,
  onceEach,
  callsAreWhole,
  logIsWhole,
  eventsAreDense,
  receiptsMatch,
  deedsWereAllowed,
  deedsAreIntended,
  nothingLeaks,
  onlyUsersSpeakAsUsers,
  budgetsHold,
  everybodyIsTold,
  messagesAreHeard,
  dueTimesRunOnce,
  linksAreSpent,
  strangersFindNothing,
  outsideIsTaint,
  removedIsAway,
  filesAreLogs,
  changesAreFollowed,
  offIsOff,
  streamsAreWhole,
];

export const violationsOf = (evidence: Evidence): readonly string[] =>
  INVARIANTS.flatMap((invariant) => invariant(evidence));
