// The header of a thread: its goal, its state, and the actions for the whole thread.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
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
        <h1>{thread.goal || "No goal yet"}</h1>
        <p class="row thread-facts">
          <Pill tone={tone}>{label}</Pill>
          <span class="quiet small">
            {thread.steps > 0 && thread.mode === "plan" && isActive
              ? `step ${thread.step + 1} of ${thread.steps} · `
              : ""}
            turn {thread.turn} · run {thread.run}
            {thread.cancel_requested ? " · cancel requested" : ""}
          </span>
          {thread.background === null && (isActive || data.running) ? (
            <button
              key="background"
              type="button"
              class="link"
              disabled={data.pendingCommand !== null}
              onClick={() => void session.controlBackground("run")}
            >
              {data.pendingCommand ? "After this turn…" : "Run in background"}
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
            Continue automatically
          </label>
        )}
        {data.running && data.autoAdvance && !inBackground ? (
          <button key="pause" type="button" class="button small" onClick={session.pause}>
            Pause
          </button>
        ) : null}
        {isActive && !data.running ? (
          <ConfirmButton
            key="cancel"
            class="button small"
            label="Cancel run"
            confirmLabel="Confirm cancel"
            onConfirm={() => void session.send({ type: "cancel" })}
          />
        ) : null}
        <button key="fork" type="button" class="button small" onClick={() => onFork(thread.turn)}>
          Fork
        </button>
        <ConfirmButton
          key="delete"
          class="button small"
          label="Delete"
          confirmLabel="Confirm delete"
          onConfirm={onDelete}
        />
      </div>
    </header>
  );
};
