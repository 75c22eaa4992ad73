// Short labels and tones for thread states.
import type { Background, RunOutcome, ThreadStateName } from "../../schema/thread.ts";
import type { Group } from "../messages/en-shell.ts";
import { t } from "../messages/messages.ts";

export type Tone = "plain" | "busy" | "wait" | "good" | "bad";
export type StatusLabel = { readonly label: string; readonly tone: Tone };

type ThreadPosition = {
  readonly state: ThreadStateName;
  readonly at: string | null;
  readonly outcome: RunOutcome | null;
};

/** The kind of gate that is open in a state. */
const GATES_BY_POSITION = {
  approving: "plan",
  asking: "question",
  waiting: "confirmation",
  doubting: "doubt",
} as const;
const OUTCOME_TONES: Readonly<Record<RunOutcome, Tone>> = {
  completed: "good",
  aborted: "bad",
  exhausted: "wait",
  cancelled: "plain",
};

/** `background`: the status of a background run, if the thread has one. */
export function stateLabel({ state, at, outcome }: ThreadPosition, background?: Background["status"]): StatusLabel {
  const { states, labels } = t();
  if (state === "failed") return { label: states.failed, tone: "bad" };
  if (state === "rest" && outcome) return { label: labels.outcomes[outcome], tone: OUTCOME_TONES[outcome] };
  if (state === "rest") return { label: states.idle, tone: "plain" };
  if (at !== null && at in GATES_BY_POSITION)
    return { label: labels.gateKinds[GATES_BY_POSITION[at as keyof typeof GATES_BY_POSITION]], tone: "wait" };
  // A paused or dead background run makes no progress in any state.
  if (background && background !== "on" && at !== "acting") return { label: states.stopped, tone: "plain" };
  if (state === "deliver") return { label: states.delivering, tone: "busy" };
  if (at === "thinking") return { label: states.planning, tone: "busy" };
  return { label: at === "acting" ? states.runningTool : states.working, tone: "busy" };
}

export const GROUPS: readonly Group[] = ["waiting", "active", "failed", "idle"];

/** A background run whose retries are exhausted counts as failed: it does not continue without user action. */
export function groupOf(
  thread: ThreadPosition & { readonly gate: unknown; readonly background?: Background["status"] | undefined },
): Group {
  if (thread.state === "failed") return "failed";
  if (thread.gate) return "waiting";
  if (thread.background === "dead") return "failed";
  return thread.state === "rest" ? "idle" : "active";
}
