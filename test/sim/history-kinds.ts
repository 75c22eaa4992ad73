// Lists the kinds of histories and derives the kind of a seed.
import { roll, STREAMS } from "./random.ts";
import type { HistoryPlan } from "./world.ts";

/**
 * The kinds: clients with threads, or background runs with schedules and webhooks, each directly or over HTTP; both
 * over HTTP with changes, where threads are removed and moved, tools disabled, webhooks changed and streams
 * disconnected; sub-agents and workflows; and toolkits with state.
 */
export const HISTORY_KINDS = ["turns", "turns_web", "jobs", "jobs_web", "changes", "crew", "toolkits"] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];
/** Returns a counter for each kind. */
export const noHistories = (): Record<HistoryKind, number> =>
  Object.fromEntries(HISTORY_KINDS.map((kind) => [kind, 0])) as Record<HistoryKind, number>;

const CREW_SHARE = 0.04;
const TOOLKITS_SHARE = 0.06;
const CHANGES_SHARE = 0.1;
/** The share of each kind, out of a hundred other histories. */
const SHARES: readonly (readonly [HistoryKind, number])[] = [
  ["turns", 40],
  ["turns_web", 12],
  ["jobs", 36],
  ["jobs_web", 12],
];

export function historyKind({ seed, kind }: HistoryPlan): HistoryKind {
  if (kind) return kind;
  // The numbers are drawn from separate streams, so that all other seeds keep their kind.
  const cast = roll(seed, STREAMS.cast, 0);
  if (cast < CREW_SHARE) return "crew";
  if (cast < CREW_SHARE + TOOLKITS_SHARE) return "toolkits";
  if (roll(seed, STREAMS.changes, 0) < CHANGES_SHARE) return "changes";
  let left = roll(seed, STREAMS.kind, 0) * 100;
  for (const [name, share] of SHARES) {
    left -= share;
    if (left < 0) return name;
  }
  return "turns";
}
