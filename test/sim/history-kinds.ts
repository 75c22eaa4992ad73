// The kinds of histories.

/**
 * Clients with threads, or background runs with schedules and webhooks; each directly or over HTTP. And both over HTTP
 * with changes: threads are removed and moved, tools disabled, webhooks changed, streams disconnected. Sub-agents and workflows;
 * toolkits with state.
 */
export const HISTORY_KINDS = ["turns", "turns_web", "jobs", "jobs_web", "changes", "crew", "toolkits"] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];
/** For counting. */
export const noHistories = (): Record<HistoryKind, number> =>
  Object.fromEntries(HISTORY_KINDS.map((kind) => [kind, 0])) as Record<HistoryKind, number>;
