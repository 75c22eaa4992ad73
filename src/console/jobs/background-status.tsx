// The status bar of a background run: what it does now, why it stopped, and the actions for it.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { BackgroundCommand, ThreadData } from "../client/session-data.ts";
import { t } from "../messages/messages.ts";
import { Pill, useNow, VisibleText } from "../parts/components.tsx";
import { formatAgo, formatDuration } from "../parts/format.ts";
import { backgroundSummary, isRunningInBackground, parseReason } from "./background-labels.ts";

/** Longer than a turn may take, so something is delaying it. */
const STALLED_AFTER_MS = 180_000;

const COMMANDS: Readonly<Record<"on" | "paused" | "dead", BackgroundCommand>> = {
  on: "pause",
  paused: "resume",
  dead: "run",
};
const commandLabel = (command: BackgroundCommand): string =>
  command === "run" ? t().common.retry : t().background[command];

type BackgroundStatusProps = { readonly thread: ThreadView; readonly data: ThreadData; readonly session: Session };

export const BackgroundStatus: FC<BackgroundStatusProps> = ({ thread, data, session }) => {
  const now = useNow(5000);
  const summary = backgroundSummary(thread);
  if (!summary || !thread.background) return null;
  const { status, reason } = thread.background;
  const command = COMMANDS[status];
  const idle_ms = isRunningInBackground(thread) ? now - Date.parse(thread.updated_at) : 0;
  // Repeated clicks are ignored instead of disabling the button, which would lose the keyboard focus.
  const sendCommand = (requested: BackgroundCommand): void => {
    if (data.pendingCommand === null) void session.controlBackground(requested);
  };
  return (
    <section class={`background background-${summary.tone}`} aria-label={t().background.title}>
      <div class="background-text">
        <p class="row">
          <Pill tone={summary.tone}>
            {isRunningInBackground(thread) ? <span class="spinner" aria-hidden="true" /> : null}
            {summary.label}
          </Pill>
          <span>{summary.sentence}</span>
          {isRunningInBackground(thread) ? (
            <span class="quiet small">{t().background.lastTurn(formatAgo(thread.updated_at, now))}</span>
          ) : null}
        </p>
        {reason ? <Reason reason={reason} /> : null}
        {idle_ms > STALLED_AFTER_MS ? <p class="note">{t().background.stalled(formatDuration(idle_ms))}</p> : null}
      </div>
      <div class="row">
        {idle_ms > STALLED_AFTER_MS ? (
          <button key="now" type="button" class="button small" onClick={() => sendCommand("run")}>
            {t().background.retryNow}
          </button>
        ) : null}
        <button
          key="switch"
          type="button"
          class={`button small ${status === "on" ? "" : "primary"}`}
          aria-busy={data.pendingCommand ? "true" : "false"}
          onClick={() => sendCommand(command)}
        >
          {commandLabel(command)}
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
        {t().background.fix}{" "}
        {code ? (
          <a href={`/problems/${code}`} target="_blank" rel="noreferrer">
            {t().common.aboutProblem}
          </a>
        ) : null}
      </span>
    </p>
  );
};
