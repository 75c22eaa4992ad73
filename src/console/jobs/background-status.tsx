// The status bar of a background run: what it does now, why it stopped, and the actions for it.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { BackgroundCommand, ThreadData } from "../client/session-data.ts";
import { Pill, useNow, VisibleText } from "../parts/components.tsx";
import { formatAgo, formatDuration } from "../parts/format.ts";
import { backgroundSummary, isRunningInBackground, parseReason } from "./background-labels.ts";

/** Longer than a turn may take, so something is delaying it. */
const STALLED_AFTER_MS = 180_000;

const BUTTONS: Readonly<
  Record<"on" | "paused" | "dead", { readonly command: BackgroundCommand; readonly label: string }>
> = {
  on: { command: "pause", label: "Pause" },
  paused: { command: "resume", label: "Resume" },
  dead: { command: "run", label: "Retry" },
};

type BackgroundStatusProps = { readonly thread: ThreadView; readonly data: ThreadData; readonly session: Session };

export const BackgroundStatus: FC<BackgroundStatusProps> = ({ thread, data, session }) => {
  const now = useNow(5000);
  const summary = backgroundSummary(thread);
  if (!summary || !thread.background) return null;
  const { status, reason } = thread.background;
  const { command, label } = BUTTONS[status];
  const idle_ms = isRunningInBackground(thread) ? now - Date.parse(thread.updated_at) : 0;
  // Repeated clicks are ignored instead of disabling the button, which would lose the keyboard focus.
  const sendCommand = (requested: BackgroundCommand): void => {
    if (data.pendingCommand === null) void session.controlBackground(requested);
  };
  return (
    <section class={`background background-${summary.tone}`} aria-label="Background run">
      <div class="background-text">
        <p class="row">
          <Pill tone={summary.tone}>
            {isRunningInBackground(thread) ? <span class="spinner" aria-hidden="true" /> : null}
            {summary.label}
          </Pill>
          <span>{summary.sentence}</span>
          {isRunningInBackground(thread) ? (
            <span class="quiet small">Last turn {formatAgo(thread.updated_at, now)}.</span>
          ) : null}
        </p>
        {reason ? <Reason reason={reason} /> : null}
        {idle_ms > STALLED_AFTER_MS ? (
          <p class="note">
            No turn for {formatDuration(idle_ms)}. Failed turns are retried with a delay that grows to 15 minutes.
          </p>
        ) : null}
      </div>
      <div class="row">
        {idle_ms > STALLED_AFTER_MS ? (
          <button key="now" type="button" class="button small" onClick={() => sendCommand("run")}>
            Retry now
          </button>
        ) : null}
        <button
          key="switch"
          type="button"
          class={`button small ${status === "on" ? "" : "primary"}`}
          aria-busy={data.pendingCommand ? "true" : "false"}
          onClick={() => sendCommand(command)}
        >
          {label}
        </button>
      </div>
    </section>
  );
};

const Reason: FC<{ reason: string }> = ({ reason }) => {
  const { code, message } = parseReason(reason);
  return (
    <p class="background-reason">
      {code ? <span class="problem-code">{code.replaceAll("_", " ")} </span> : null}
      <VisibleText text={message} />{" "}
      <span class="problem-hint">
        Fix the cause, then retry.{" "}
        {code ? (
          <a href={`/problems/${code}`} target="_blank" rel="noreferrer">
            About this problem
          </a>
        ) : null}
      </span>
    </p>
  );
};
