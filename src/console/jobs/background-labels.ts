// Labels and descriptions for background runs. No rendering.
import type { Background, ThreadStateName } from "../../schema/thread.ts";
import { t } from "../messages/messages.ts";
import type { Tone } from "../parts/state-labels.ts";

export type BackgroundSummary = { readonly label: string; readonly tone: Tone; readonly sentence: string };

type ThreadPosition = {
  readonly state: ThreadStateName;
  readonly gate: unknown;
  readonly background: Background | null;
  readonly updated_at: string;
};

/** Longer than a turn may take, so something is delaying it. */
const STALLED_AFTER_MS = 180_000;

/** How long a background run has made no progress although it should; 0 while it advances. */
export function stalledMs(thread: ThreadPosition, now: number): number {
  const ms = isRunningInBackground(thread) ? now - Date.parse(thread.updated_at) : 0;
  return ms > STALLED_AFTER_MS ? ms : 0;
}

/** Why a background run does not advance; null while it does, or where there is none. */
export function backgroundSummary({ background }: Pick<ThreadPosition, "background">): BackgroundSummary | null {
  const { paused, pausedText, failed, failedText } = t().background;
  if (background?.status === "paused") return { label: paused, tone: "wait", sentence: pausedText };
  return background?.status === "dead" ? { label: failed, tone: "bad", sentence: failedText } : null;
}

/** Whether workers advance the thread now or soon: it is neither waiting at a gate nor finished. */
export const isRunningInBackground = ({ state, gate, background }: Omit<ThreadPosition, "updated_at">): boolean =>
  background?.status === "on" && state !== "rest" && state !== "failed" && gate === null;

/** Splits the reason of a dead run, "code: message". */
export function parseReason(reason: string): { readonly code: string | null; readonly message: string } {
  const [, code, message] = /^([a-z][a-z_]+): (.+)$/s.exec(reason) ?? [];
  return code && message ? { code, message } : { code: null, message: reason };
}

/** What a message does to a run in progress. */
export const BUSY_POLICIES = ["enqueue", "interrupt", "rollback"] as const;
export type BusyPolicy = (typeof BUSY_POLICIES)[number];
