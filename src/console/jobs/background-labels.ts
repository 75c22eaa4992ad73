// Returns labels and descriptions for background runs, without rendering.
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

/** The time without progress after which a run counts as stalled. It is longer than a turn may take. */
const STALLED_AFTER_MS = 180_000;

export function stalledMs(thread: ThreadPosition, now: number): number {
  const ms = isRunningInBackground(thread) ? now - Date.parse(thread.updated_at) : 0;
  return ms > STALLED_AFTER_MS ? ms : 0;
}

/** Returns why a background run does not advance, or null if it advances or there is none. */
export function backgroundSummary({ background }: Pick<ThreadPosition, "background">): BackgroundSummary | null {
  const { paused, pausedText, failed, failedText } = t().background;
  if (background?.status === "paused") return { label: paused, tone: "wait", sentence: pausedText };
  return background?.status === "dead" ? { label: failed, tone: "bad", sentence: failedText } : null;
}

/** True if workers advance the thread: it neither waits at a gate nor has ended. */
export const isRunningInBackground = ({ state, gate, background }: Omit<ThreadPosition, "updated_at">): boolean =>
  background?.status === "on" && state !== "rest" && state !== "failed" && gate === null;

/** Splits the reason for a dead run, which has the form "code: message". */
export function parseReason(reason: string): { readonly code: string | null; readonly message: string } {
  const [, code, message] = /^([a-z][a-z_]+): (.+)$/s.exec(reason) ?? [];
  return code && message ? { code, message } : { code: null, message: reason };
}

export const BUSY_POLICIES = ["enqueue", "interrupt", "rollback"] as const;
export type BusyPolicy = (typeof BUSY_POLICIES)[number];
