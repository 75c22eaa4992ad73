// Short labels and tones for thread states.
import type { Background, RunOutcome, ThreadStateName } from "../../schema/thread.ts";

export type Tone = "plain" | "busy" | "wait" | "good" | "bad";
export type StatusLabel = { readonly label: string; readonly tone: Tone };

type ThreadPosition = {
  readonly state: ThreadStateName;
  readonly at: string | null;
  readonly outcome: RunOutcome | null;
};

const WAITING_LABELS: Readonly<Record<string, string>> = {
  approving: "Plan approval",
  asking: "Question",
  waiting: "Call approval",
  doubting: "Unknown result",
};
const WORKING_LABELS: Readonly<Record<string, string>> = {
  thinking: "Planning",
  deciding: "Working",
  acting: "Running a tool",
};
const OUTCOME_LABELS: Readonly<Record<RunOutcome, StatusLabel>> = {
  completed: { label: "Delivered", tone: "good" },
  aborted: { label: "Aborted", tone: "bad" },
  exhausted: { label: "Budget exhausted", tone: "wait" },
  cancelled: { label: "Cancelled", tone: "plain" },
};

/** `background`: the status of a background run, if the thread has one. */
export function stateLabel({ state, at, outcome }: ThreadPosition, background?: Background["status"]): StatusLabel {
  if (state === "failed") return { label: "Failed", tone: "bad" };
  if (state === "rest") return outcome ? OUTCOME_LABELS[outcome] : { label: "Idle", tone: "plain" };
  const waitingLabel = at === null ? undefined : WAITING_LABELS[at];
  if (waitingLabel) return { label: waitingLabel, tone: "wait" };
  // A paused or dead background run makes no progress in any state.
  if (background && background !== "on" && at !== "acting") return { label: "Stopped", tone: "plain" };
  if (state === "deliver") return { label: "Delivering", tone: "busy" };
  return { label: (at === null ? undefined : WORKING_LABELS[at]) ?? "Working", tone: "busy" };
}

export const GROUPS = ["Waiting for you", "In progress", "Failed", "Idle"] as const;
export type Group = (typeof GROUPS)[number];

/** A background run whose retries are exhausted counts as failed: it does not continue without user action. */
export function groupOf(
  thread: ThreadPosition & { readonly gate: unknown; readonly background?: Background["status"] | undefined },
): Group {
  if (thread.state === "failed") return "Failed";
  if (thread.gate) return "Waiting for you";
  if (thread.background === "dead") return "Failed";
  return thread.state === "rest" ? "Idle" : "In progress";
}
