// Labels and descriptions for background runs. No rendering.
import type { Background, ThreadStateName } from "../../schema/thread.ts";
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
      return { label: "Background run", ...activeSummary(thread) };
    case "paused":
      return {
        label: "Background run paused",
        tone: "wait",
        sentence: "Workers do not advance it until you resume it.",
      };
    case "dead":
      return {
        label: "Background run failed",
        tone: "bad",
        sentence: "Retries are exhausted. Workers no longer advance it.",
      };
    default:
      return null;
  }
}

function activeSummary({ state, at, gate }: ThreadPosition): Pick<BackgroundSummary, "tone" | "sentence"> {
  if (state === "rest") return { tone: "plain", sentence: "Idle. The next message starts a run automatically." };
  if (state === "failed") return { tone: "bad", sentence: "Failed. It continues automatically after a reset." };
  if (gate) {
    const until = gate.expires_at ? `, or without it at ${formatDateTime(gate.expires_at)}` : "";
    return { tone: "wait", sentence: `Waiting for you. It continues automatically after your answer${until}.` };
  }
  if (at === "acting") return { tone: "busy", sentence: "Running a tool call. It continues automatically." };
  return { tone: "busy", sentence: "In progress. You can close this page." };
}

/** Whether workers advance the thread now or soon: it is neither waiting at a gate nor finished. */
export const isRunningInBackground = ({ state, gate, background }: ThreadPosition): boolean =>
  background?.status === "on" && state !== "rest" && state !== "failed" && gate === null;

const BADGES: Readonly<Record<Background["status"], readonly [string, Tone]>> = {
  on: ["Background run", "busy"],
  paused: ["Background run paused", "wait"],
  dead: ["Background run failed", "bad"],
};

/** The badge in the thread list; null also for an idle or failed thread, whose state already has a label. */
export function backgroundBadge(
  status: Background["status"] | undefined,
  state: ThreadStateName,
): BackgroundBadge | null {
  if (!status || (status === "on" && (state === "rest" || state === "failed"))) return null;
  const [label, tone] = BADGES[status];
  return { label, tone };
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
export const BUSY_POLICY_LABELS: Readonly<Record<BusyPolicy, { readonly label: string; readonly help: string }>> = {
  enqueue: { label: "Queue it", help: "The next turn that accepts messages reads it." },
  interrupt: {
    label: "Interrupt the turn",
    help: "The current turn is discarded, and the message is read now. A tool call that is already running continues.",
  },
  rollback: {
    label: "Roll back the run",
    help: "It goes to a fork of the thread from before this run. This run continues unless you cancel it.",
  },
};
