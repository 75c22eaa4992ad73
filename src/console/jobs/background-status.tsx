// Shows a status bar for a background run that does not advance: the reason, and the button that continues it.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { BackgroundCommand, ThreadData } from "../client/session-data.ts";
import { t } from "../messages/messages.ts";
import { Button, useNow, VisibleText } from "../parts/components.tsx";
import { formatDuration } from "../parts/format.ts";
import { problemSentence, problemTitle } from "../parts/problem-card.tsx";
import { backgroundSummary, parseReason, stalledMs } from "./background-labels.ts";

type BackgroundStatusProps = { readonly thread: ThreadView; readonly data: ThreadData; readonly session: Session };

export const BackgroundStatus: FC<BackgroundStatusProps> = ({ thread, data, session }) => {
  const now = useNow(5000);
  const summary = backgroundSummary(thread);
  const stalled_ms = stalledMs(thread, now);
  const isPaused = thread.background?.status === "paused";
  if (!summary && stalled_ms === 0) return null;
  // Ignores repeated clicks. A disabled button would lose the keyboard focus.
  const sendCommand = (requested: BackgroundCommand): void => {
    if (data.pendingCommand === null) void session.controlBackground(requested);
  };
  return (
    <section class={`background background-${summary?.tone ?? "wait"}`} aria-label={t().background.title}>
      <div class="background-text">
        {summary ? (
          <p key="summary">
            <strong>{summary.label}.</strong> {summary.sentence}
          </p>
        ) : (
          <p key="stalled">{t().background.stalled(formatDuration(stalled_ms))}</p>
        )}
        {thread.background?.reason ? <Reason key="reason" reason={thread.background.reason} /> : null}
      </div>
      <Button
        class="small primary"
        aria-busy={data.pendingCommand ? "true" : "false"}
        onClick={() => sendCommand(isPaused ? "resume" : "run")}
      >
        {summary ? (isPaused ? t().background.resume : t().common.retry) : t().background.retryNow}
      </Button>
    </section>
  );
};

const Reason: FC<{ reason: string }> = ({ reason }) => {
  const { code, message } = parseReason(reason);
  return (
    <p class="background-reason">
      {code ? <span class="problem-code">{problemTitle(code)} </span> : null}
      <VisibleText text={problemSentence({ code, message })} />{" "}
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
