// What one may send to a thread now: a message, a push, a second budget, a reset. Only what its state takes is offered.
import type { FC } from "hono/jsx/dom";
import { useEffect, useRef, useState } from "hono/jsx/dom";
import type { TurnInput } from "../../schema/input.ts";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session, ThreadData } from "../client/session.ts";
import {
  BUSY_POLICIES,
  BUSY_POLICY_LABELS,
  type BusyPolicy,
  isRunningInBackground,
} from "../jobs/background-labels.ts";
import { navigate, threadHref } from "../shell/route.ts";

const EXTRA_TURNS = 60;

type Message = Extract<TurnInput, { type: "message" }>;

export const Composer: FC<{ data: ThreadData; session: Session }> = ({ data, session }) => {
  const { thread, running, next } = data;
  if (!thread) return null;
  const inBackground = thread.background?.status === "on";
  // A message is no answer to an approval, but a background run lets it wait behind one.
  if (thread.gate && (!inBackground || thread.gate.kind === "question")) return null;
  if (thread.state === "failed") return <FailedThread session={session} />;
  const canAdvance = next === "advance" && !running && !inBackground;
  return (
    <div class="composer">
      {canAdvance ? (
        <div key="push" class="row push">
          <button type="button" class="button primary" onClick={() => void session.send(null)}>
            {data.autoAdvance ? "Go on" : "Next turn"}
          </button>
          <span class="quiet small">The thread rests between turns. Anybody may go on, from here or elsewhere.</span>
        </div>
      ) : null}
      {thread.outcome === "exhausted" && !running ? <MoreBudget key="more" thread={thread} session={session} /> : null}
      {thread.state === "deliver" && !inBackground ? null : (
        <MessageForm key="message" thread={thread} session={session} running={running} />
      )}
    </div>
  );
};

const FailedThread: FC<{ session: Session }> = ({ session }) => (
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
  const turns = thread.budget.limit.turns + EXTRA_TURNS;
  return (
    <div class="row push">
      <button type="button" class="button primary" onClick={() => void session.send(null, { budget: { turns } })}>
        Go on with {EXTRA_TURNS} more turns
      </button>
    </div>
  );
};

const MessageForm: FC<{ thread: ThreadView; session: Session; running: boolean }> = (props) => {
  const { thread, session, running } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [replan, setReplan] = useState(false);
  const [busyPolicy, setBusyPolicy] = useState<BusyPolicy>("enqueue");
  const [sending, setSending] = useState(false);
  useEffect(() => {
    if (field.current) field.current.value = session.draft.text;
  }, []);
  const busy = running || sending;
  const resting = thread.state === "rest";
  const send = async (): Promise<void> => {
    const text = field.current?.value.trim() ?? "";
    if (!text || busy) return;
    setSending(true);
    const message = { type: "message" as const, text, ...(replan ? { replan } : {}) };
    const targetThread = await sendOrEnqueue(session, message, isRunningInBackground(thread) ? busyPolicy : "enqueue");
    setSending(false);
    if (targetThread === null) return;
    // What was written meanwhile is another message.
    if (session.draft.text.trim() === text) {
      session.draft.text = "";
      if (field.current) field.current.value = "";
    }
    if (targetThread !== session.id) navigate(threadHref(targetThread));
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
          placeholder={placeholderOf(thread)}
          onInput={(event: Event) => {
            session.draft.text = (event.target as HTMLTextAreaElement).value;
          }}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
      </label>
      <div class="row spread">
        {isRunningInBackground(thread) ? (
          <BusyPolicySelect key="way" policy={busyPolicy} onPolicy={setBusyPolicy} />
        ) : null}
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
        <button key="send" type="submit" class="button primary" disabled={busy}>
          Send
        </button>
      </div>
    </form>
  );
};

/** Gives the thread that has the message, null if none took it. What waits or goes elsewhere is no turn of this page. */
async function sendOrEnqueue(session: Session, message: Message, policy: BusyPolicy): Promise<string | null> {
  const inBackground = session.data.get().thread?.background?.status === "on";
  if (inBackground && policy !== "interrupt") return session.say(message, policy);
  return (await session.send(message, inBackground ? { if_busy: policy } : {})) ? session.id : null;
}

function placeholderOf(thread: ThreadView): string {
  if (thread.state === "rest") return "What should it do next?";
  return thread.gate ? "Say something; it is heard after your answer" : "Say something; the next turn reads it";
}

const BusyPolicySelect: FC<{ policy: BusyPolicy; onPolicy: (policy: BusyPolicy) => void }> = ({
  policy: way,
  onPolicy,
}) => (
  <div class="busy-way small">
    <label>
      While it is at work{" "}
      <select
        name="if_busy"
        aria-describedby="busy-help"
        value={way}
        onChange={(event: Event) =>
          onPolicy(BUSY_POLICIES.find((one) => one === (event.target as HTMLSelectElement).value) ?? "enqueue")
        }
      >
        {BUSY_POLICIES.map((one) => (
          <option key={one} value={one} selected={one === way}>
            {BUSY_POLICY_LABELS[one].label}
          </option>
        ))}
      </select>
    </label>
    <p id="busy-help" class="quiet busy-help">
      {BUSY_POLICY_LABELS[way].help}
    </p>
  </div>
);
