// The header of a thread: its goal, its state, and the actions for the whole thread.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { t } from "../messages/messages.ts";
import { ConfirmButton, Pill } from "../parts/components.tsx";
import { stateLabel } from "../parts/state-labels.ts";

type ThreadHeaderProps = {
  readonly thread: ThreadView;
  readonly data: ThreadData;
  readonly session: Session;
  readonly onFork: (turn: number) => void;
  readonly onDelete: () => void;
};

export const ThreadHeader: FC<ThreadHeaderProps> = ({ thread, data, session, onFork, onDelete }) => {
  const { label, tone } = stateLabel(thread, thread.background?.status);
  const inBackground = thread.background?.status === "on";
  const isActive = thread.state !== "rest" && thread.state !== "failed";
  return (
    <header class="thread-head">
      <div class="thread-title">
        <h1>{thread.goal || t().nav.noGoal}</h1>
        <p class="row thread-facts">
          <Pill tone={tone}>{label}</Pill>
          <span class="quiet small">
            {thread.steps > 0 && thread.mode === "plan" && isActive
              ? `${t().thread.step(thread.step + 1, thread.steps)} · `
              : ""}
            {t().thread.position(thread.turn, thread.run)}
            {thread.cancel_requested ? ` · ${t().thread.cancelRequested}` : ""}
          </span>
          {thread.background === null && (isActive || data.running) ? (
            <button
              key="background"
              type="button"
              class="link"
              disabled={data.pendingCommand !== null}
              onClick={() => void session.controlBackground("run")}
            >
              {data.pendingCommand ? t().thread.afterThisTurn : t().thread.runInBackground}
            </button>
          ) : null}
          <code key="id" class="quiet small thread-id" title={thread.id}>
            {thread.id}
          </code>
        </p>
      </div>
      <div class="row thread-actions">
        {inBackground ? null : (
          <label key="auto" class="check small">
            <input
              type="checkbox"
              name="auto"
              checked={data.autoAdvance}
              onChange={(event: Event) => session.setAutoAdvance((event.target as HTMLInputElement).checked)}
            />{" "}
            {t().thread.continueAutomatically}
          </label>
        )}
        {data.running && data.autoAdvance && !inBackground ? (
          <button key="pause" type="button" class="button small" onClick={session.pause}>
            {t().thread.pause}
          </button>
        ) : null}
        {isActive && !data.running ? (
          <ConfirmButton
            key="cancel"
            class="button small"
            label={t().thread.cancelRun}
            confirmLabel={t().thread.confirmCancel}
            onConfirm={() => void session.send({ type: "cancel" })}
          />
        ) : null}
        <button key="fork" type="button" class="button small" onClick={() => onFork(thread.turn)}>
          {t().thread.fork}
        </button>
        <ConfirmButton
          key="delete"
          class="button small"
          label={t().common.remove}
          confirmLabel={t().common.confirmRemove}
          onConfirm={onDelete}
        />
      </div>
    </header>
  );
};
