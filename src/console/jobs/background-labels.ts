// Labels and descriptions for background runs. No rendering.
import type { Background, ThreadStateName } from "../../schema/thread.ts";
import { t } from "../messages/messages.ts";
import { formatDateTime } from "../parts/format.ts";
import type { Tone } from "../parts/state-labels.ts";

export type BackgroundSummary = { readonly label: string; readonly tone: Tone; readonly sentence: string };

type ThreadPosition = {
  readonly state: ThreadStateName;
  readonly at: string | null;
  readonly gate: { readonly expires_at: string | null } | null;
  readonly background: Background | null;
};

/** null: the thread does not run in the background. */
export function backgroundSummary(thread: ThreadPosition): BackgroundSummary | null {
  switch (thread.background?.status) {
    case "on":
      return { label: t().background.title, ...activeSummary(thread) };
    case "paused":
      return {
        label: t().background.paused,
        tone: "wait",
        sentence: t().background.pausedText,
      };
    case "dead":
      return {
        label: t().background.failed,
        tone: "bad",
        sentence: t().background.failedText,
      };
    default:
      return null;
  }
}

function activeSummary({ state, at, gate }: ThreadPosition): Pick<BackgroundSummary, "tone" | "sentence"> {
  if (state === "rest") return { tone: "plain", sentence: t().background.idle };
  if (state === "failed") return { tone: "bad", sentence: t().background.threadFailed };
  if (gate) {
    const { waiting, waitingUntil } = t().background;
    return { tone: "wait", sentence: gate.expires_at ? waitingUntil(formatDateTime(gate.expires_at)) : waiting };
  }
  if (at === "acting") return { tone: "busy", sentence: t().background.acting };
  return { tone: "busy", sentence: t().background.active };
}

/** Whether workers advance the thread now or soon: it is neither waiting at a gate nor finished. */
export const isRunningInBackground = ({ state, gate, background }: ThreadPosition): boolean =>
  background?.status === "on" && state !== "rest" && state !== "failed" && gate === null;

const BADGES = {
  on: { text: "title", tone: "busy" },
  paused: { text: "paused", tone: "wait" },
  dead: { text: "failed", tone: "bad" },
} as const;

/** The badge in the thread list; null also for an idle or failed thread, whose state already has a label. */
export function backgroundBadge(
  status: Background["status"] | undefined,
  state: ThreadStateName,
): BackgroundBadge | null {
  if (!status || (status === "on" && (state === "rest" || state === "failed"))) return null;
  const { text, tone } = BADGES[status];
  return { label: t().background[text], tone };
}
export type BackgroundBadge = { readonly label: string; readonly tone: Tone };

/** Splits the reason of a dead run, "code: message". */
export function parseReason(reason: string): { readonly code: string | null; readonly message: string } {
  const [, code, message] = /^([a-z][a-z_]+): (.+)$/s.exec(reason) ?? [];
  return code && message ? { code, message } : { code: null, message: reason };
}

/** What a message does to a run in progress. */
export const BUSY_POLICIES = ["enqueue", "interrupt", "rollback"] as const;
export type BusyPolicy = (typeof BUSY_POLICIES)[number];
