// What a state means to the person who looks at it, in two words and a tone.
import type { Background, RunOutcome, ThreadStateName } from "../../schema/thread.ts";

export type Tone = "plain" | "busy" | "wait" | "good" | "bad";
export type StatusLabel = { readonly label: string; readonly tone: Tone };

type ThreadPosition = {
  readonly state: ThreadStateName;
  readonly at: string | null;
  readonly outcome: RunOutcome | null;
};

const WAITING_LABELS: Readonly<Record<string, string>> = {
  approving: "Plan to approve",
  asking: "Question for you",
  waiting: "Call to approve",
  doubting: "In doubt",
};
const WORKING_LABELS: Readonly<Record<string, string>> = {
  thinking: "Planning",
  deciding: "Working",
  acting: "Carrying out",
};
const OUTCOME_LABELS: Readonly<Record<RunOutcome, StatusLabel>> = {
  completed: { label: "Delivered", tone: "good" },
  aborted: { label: "Given up", tone: "bad" },
  exhausted: { label: "Budget used up", tone: "wait" },
  cancelled: { label: "Cancelled", tone: "plain" },
};

/** `background`: of a run that workers drive, or should. */
export function stateLabel({ state, at, outcome }: ThreadPosition, background?: Background["status"]): StatusLabel {
  if (state === "failed") return { label: "Failed", tone: "bad" };
  if (state === "rest") return outcome ? OUTCOME_LABELS[outcome] : { label: "Resting", tone: "plain" };
  const waitingLabel = at === null ? undefined : WAITING_LABELS[at];
  if (waitingLabel) return { label: waitingLabel, tone: "wait" };
  // Nobody is at work on it, wherever it is.
  if (background && background !== "on" && at !== "acting") return { label: "Stopped", tone: "plain" };
  if (state === "deliver") return { label: "Delivering", tone: "busy" };
  return { label: (at === null ? undefined : WORKING_LABELS[at]) ?? "Working", tone: "busy" };
}

export const GROUPS = ["Waiting for you", "In progress", "Failed", "At rest"] as const;
export type Group = (typeof GROUPS)[number];

/** A background run that was given up stands with what failed: it does not go on before somebody has looked. */
export function groupOf(
  thread: ThreadPosition & { readonly gate: unknown; readonly background?: Background["status"] | undefined },
): Group {
  if (thread.state === "failed") return "Failed";
  if (thread.gate) return "Waiting for you";
  if (thread.background === "dead") return "Failed";
  return thread.state === "rest" ? "At rest" : "In progress";
}
