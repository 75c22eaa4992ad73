// What one may send to a thread now: a message, a push, a second budget, a reset. Only what its state takes is offered.
import type { FC } from "hono/jsx/dom";
import { useRef, useState } from "hono/jsx/dom";
import type { ThreadView } from "../schema/outcome.ts";
import type { Session, ThreadData } from "./session.ts";

const MORE_TURNS = 60;

export const Composer: FC<{ data: ThreadData; session: Session }> = ({ data, session }) => {
  const { thread, running, next } = data;
  if (!thread || thread.gate) return null;
  if (thread.state === "failed") return <Failed session={session} />;
  const canPush = next === "advance" && !running;
  return (
    <div class="composer">
      {canPush ? (
        <div key="push" class="row push">
          <button type="button" class="button primary" onClick={() => void session.send(null)}>
            {data.auto ? "Go on" : "Next turn"}
          </button>
          <span class="quiet small">The thread rests between turns. Anybody may go on, from here or elsewhere.</span>
        </div>
      ) : null}
      {thread.outcome === "exhausted" && !running ? <MoreBudget key="more" thread={thread} session={session} /> : null}
      {thread.state === "deliver" ? null : (
        <MessageForm key="message" thread={thread} session={session} running={running} />
      )}
    </div>
  );
};

const Failed: FC<{ session: Session }> = ({ session }) => (
  <div class="composer">
    <p>Too many turns in a row failed, so nothing more is tried until somebody looks.</p>
    <div class="row">
      <button type="button" class="button primary" onClick={() => void session.send({ type: "reset" })}>
        Reset and try again
      </button>
      <button type="button" class="button" onClick={() => void session.send({ type: "cancel" })}>
        Cancel the run
      </button>
    </div>
  </div>
);

const MoreBudget: FC<{ thread: ThreadView; session: Session }> = ({ thread, session }) => {
  const turns = thread.budget.limit.turns + MORE_TURNS;
  return (
    <div class="row push">
      <button type="button" class="button primary" onClick={() => void session.send(null, { budget: { turns } })}>
        Go on with {MORE_TURNS} more turns
      </button>
    </div>
  );
};

const MessageForm: FC<{ thread: ThreadView; session: Session; running: boolean }> = (props) => {
  const { thread, session, running } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [replan, setReplan] = useState(false);
  const resting = thread.state === "rest";
  const send = async (): Promise<void> => {
    const text = field.current?.value.trim() ?? "";
    if (!text || running) return;
    const sent = await session.send({ type: "message", text, ...(replan ? { replan } : {}) });
    if (sent && field.current?.value.trim() === text) field.current.value = "";
  };
  return (
    <form
      class="message-form"
      onSubmit={(event: Event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label class="field grow">
        <span class="sr-only">{resting ? "The next goal" : "A message"}</span>
        <textarea
          ref={field}
          name="message"
          rows={2}
          placeholder={resting ? "What should it do next?" : "Say something; the next turn reads it"}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
      </label>
      <div class="row spread">
        {resting ? (
          <span key="hint" class="quiet small key-hint">
            Enter sends, Shift+Enter breaks the line
          </span>
        ) : (
          <label key="replan" class="check small">
            <input
              type="checkbox"
              name="replan"
              onChange={(event: Event) => setReplan((event.target as HTMLInputElement).checked)}
            />{" "}
            make a new plan
          </label>
        )}
        <button type="submit" class="button primary" disabled={running}>
          Send
        </button>
      </div>
    </form>
  );
};
