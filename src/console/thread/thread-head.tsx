// The head of a thread: its goal, where it is, and what one may do to the whole of it.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/outcome.ts";
import type { Session, ThreadData } from "../client/session.ts";
import { Pill, SureButton } from "../parts/bits.tsx";
import { stateWords } from "../parts/state-words.ts";

type HeadProps = {
  readonly thread: ThreadView;
  readonly data: ThreadData;
  readonly session: Session;
  readonly onFork: (turn: number) => void;
  readonly onDelete: () => void;
};

export const ThreadHead: FC<HeadProps> = ({ thread, data, session, onFork, onDelete }) => {
  const { label, tone } = stateWords(thread, thread.background?.status);
  const driven = thread.background?.status === "on";
  const open = thread.state !== "rest" && thread.state !== "failed";
  return (
    <header class="thread-head">
      <div class="thread-title">
        <h1>{thread.goal || "A thread without a goal yet"}</h1>
        <p class="row thread-facts">
          <Pill tone={tone}>{label}</Pill>
          <span class="quiet small">
            {thread.steps > 0 && thread.mode === "plan" && open ? `step ${thread.step + 1} of ${thread.steps} · ` : ""}
            turn {thread.turn} · run {thread.run}
            {thread.cancel_requested ? " · cancel requested" : ""}
          </span>
          {thread.background === null && (open || data.running) ? (
            <button
              key="background"
              type="button"
              class="link"
              disabled={data.switching !== null}
              onClick={() => void session.switchRun("run")}
            >
              {data.switching ? "After this turn…" : "Run in background"}
            </button>
          ) : null}
          <code key="id" class="quiet small thread-id" title={thread.id}>
            {thread.id}
          </code>
        </p>
      </div>
      <div class="row thread-actions">
        {driven ? null : (
          <label key="auto" class="check small">
            <input
              type="checkbox"
              name="auto"
              checked={data.auto}
              onChange={(event: Event) => session.setAuto((event.target as HTMLInputElement).checked)}
            />{" "}
            go on by itself
          </label>
        )}
        {data.running && data.auto && !driven ? (
          <button key="pause" type="button" class="button small" onClick={session.pause}>
            Pause
          </button>
        ) : null}
        {open && !data.running ? (
          <SureButton
            key="cancel"
            class="button small"
            label="Cancel run"
            sure="Really cancel?"
            onSure={() => void session.send({ type: "cancel" })}
          />
        ) : null}
        <button key="fork" type="button" class="button small" onClick={() => onFork(thread.turn)}>
          Fork
        </button>
        <SureButton key="delete" class="button small" label="Delete" sure="Really delete?" onSure={onDelete} />
      </div>
    </header>
  );
};
