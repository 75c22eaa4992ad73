// Returns short labels and tones for thread states.
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

/** The positions in which a gate is open. */
const WAITING = ["approving", "asking", "waiting", "doubting"];
const OUTCOME_TONES: Readonly<Record<RunOutcome, Tone>> = {
  completed: "good",
  aborted: "bad",
  exhausted: "wait",
  cancelled: "plain",
};

/** `isStopped`: as far as this page knows, nobody advances the thread. */
export function stateLabel(
  { state, at, outcome }: ThreadPosition,
  background?: Background["status"],
  isStopped = false,
): StatusLabel {
  const { states, labels } = t();
  if (state === "failed") return { label: states.failed, tone: "bad" };
  if (state === "rest" && outcome) return { label: labels.outcomes[outcome], tone: OUTCOME_TONES[outcome] };
  if (state === "rest") return { label: states.idle, tone: "plain" };
  if (at !== null && WAITING.includes(at)) return { label: states.waiting, tone: "wait" };
  // A paused or dead background run makes no progress, but a call that it has started may still be running.
  if (background === "paused" && at !== "acting") return { label: states.paused, tone: "wait" };
  if (background === "dead" && at !== "acting") return { label: states.failed, tone: "bad" };
  if (isStopped) return { label: states.stopped, tone: "plain" };
  if (state === "deliver") return { label: states.delivering, tone: "busy" };
  if (at === "thinking") return { label: states.planning, tone: "busy" };
  return { label: at === "acting" ? states.runningTool : states.working, tone: "busy" };
}

export const GROUPS: readonly Group[] = ["waiting", "active", "failed", "idle"];

const ADVANCING_MS = 120_000;

/** Reports whether a run without workers had its last turn so long ago that the client that advanced it is probably gone. */
export const looksStopped = (
  { background, updated_at }: { readonly background?: Background["status"] | undefined; readonly updated_at: string },
  now: number,
): boolean => background === undefined && now - Date.parse(updated_at) > ADVANCING_MS;
