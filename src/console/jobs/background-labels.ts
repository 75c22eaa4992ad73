// What a background run is doing, in two words and a sentence. Draws nothing.
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

/** null: it is advanced by calls alone. */
export function backgroundSummary(thread: ThreadPosition): BackgroundSummary | null {
  switch (thread.background?.status) {
    case "on":
      return { label: "In the background", ...activeSummary(thread) };
    case "paused":
      return {
        label: "Background paused",
        tone: "wait",
        sentence: "Workers leave it alone until somebody resumes it.",
      };
    case "dead":
      return {
        label: "Background given up",
        tone: "bad",
        sentence: "It was tried again and again, and nobody drives it any more.",
      };
    default:
      return null;
  }
}

function activeSummary({ state, at, gate }: ThreadPosition): Pick<BackgroundSummary, "tone" | "sentence"> {
  if (state === "rest") return { tone: "plain", sentence: "It rests. The next message starts a run by itself." };
  if (state === "failed") return { tone: "bad", sentence: "It has failed. After a reset it goes on by itself." };
  if (gate) {
    const until = gate.expires_at ? `, or at ${formatDateTime(gate.expires_at)} without one` : "";
    return { tone: "wait", sentence: `It waits for your answer, and goes on by itself after it${until}.` };
  }
  if (at === "acting") return { tone: "busy", sentence: "It carries out a call, and goes on by itself." };
  return { tone: "busy", sentence: "It runs by itself: you may close this page." };
}

/** Workers advance it, or are about to: neither a gate nor the end keeps them. */
export const isRunningInBackground = ({ state, gate, background }: ThreadPosition): boolean =>
  background?.status === "on" && state !== "rest" && state !== "failed" && gate === null;

const BADGES: Readonly<Record<Background["status"], readonly [string, Tone]>> = {
  on: ["in the background", "busy"],
  paused: ["background paused", "wait"],
  dead: ["background given up", "bad"],
};

/** For a row of the list: null also for one that rests as it should. */
export function backgroundBadge(
  status: Background["status"] | undefined,
  state: ThreadStateName,
): BackgroundBadge | null {
  if (!status || (status === "on" && (state === "rest" || state === "failed"))) return null;
  const [label, tone] = BADGES[status];
  return { label, tone };
}
export type BackgroundBadge = { readonly label: string; readonly tone: Tone };

/** "code: message", as a run that was given up tells its reason. */
export function parseReason(reason: string): { readonly code: string | null; readonly message: string } {
  const [, code, message] = /^([a-z][a-z_]+): (.+)$/s.exec(reason) ?? [];
  return code && message ? { code, message } : { code: null, message: reason };
}

/** What a message may do to a run at work. */
export const BUSY_POLICIES = ["enqueue", "interrupt", "rollback"] as const;
export type BusyPolicy = (typeof BUSY_POLICIES)[number];
export const BUSY_POLICY_LABELS: Readonly<Record<BusyPolicy, { readonly label: string; readonly help: string }>> = {
  enqueue: { label: "let it wait in line", help: "The next turn that can take it hears it." },
  interrupt: {
    label: "interrupt the turn",
    help: "The turn in flight is dropped, and the message is heard now. A call that is being carried out goes on.",
  },
  rollback: {
    label: "take the run back",
    help: "It goes to a copy of the thread as it was before this run. This run goes on: cancel it if you do not want that.",
  },
};
