// The actions available in the thread's current state: send a message, continue, extend the budget, reset.
import type { FC } from "hono/jsx/dom";
import { useEffect, useRef, useState } from "hono/jsx/dom";
import type { TurnInput } from "../../schema/input.ts";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { BUSY_POLICIES, type BusyPolicy, isRunningInBackground } from "../jobs/background-labels.ts";
import { t } from "../messages/messages.ts";
import { navigate, threadHref } from "../shell/route.ts";

const EXTRA_TURNS = 60;

type Message = Extract<TurnInput, { type: "message" }>;

export const Composer: FC<{ data: ThreadData; session: Session }> = ({ data, session }) => {
  const { thread, running, next } = data;
  if (!thread) return null;
  const inBackground = thread.background?.status === "on";
  // A message does not answer an approval, but a background run can queue it until the approval is given.
  if (thread.gate && (!inBackground || thread.gate.kind === "question")) return null;
  if (thread.state === "failed") return <FailedThread session={session} />;
  const canAdvance = next === "advance" && !running && !inBackground;
  return (
    <div class="composer">
      {canAdvance ? (
        <div key="advance" class="row">
          <button type="button" class="button primary" onClick={() => void session.send(null)}>
            {data.autoAdvance ? t().composer.continue : t().composer.nextTurn}
          </button>
          <span class="quiet small">{t().composer.idleBetweenTurns}</span>
        </div>
      ) : null}
      {thread.outcome === "exhausted" && !running ? (
        <ExtendBudget key="budget" thread={thread} session={session} />
      ) : null}
      {thread.state === "deliver" && !inBackground ? null : (
        <MessageForm key="message" thread={thread} session={session} running={running} />
      )}
    </div>
  );
};

const FailedThread: FC<{ session: Session }> = ({ session }) => (
  <div class="composer">
    <p>{t().composer.failed}</p>
    <div class="row">
      <button type="button" class="button primary" onClick={() => void session.send({ type: "reset" })}>
        {t().composer.reset}
      </button>
      <button type="button" class="button" onClick={() => void session.send({ type: "cancel" })}>
        {t().composer.cancelRun}
      </button>
    </div>
  </div>
);

const ExtendBudget: FC<{ thread: ThreadView; session: Session }> = ({ thread, session }) => {
  const turns = thread.budget.limit.turns + EXTRA_TURNS;
  return (
    <div class="row">
      <button type="button" class="button primary" onClick={() => void session.send(null, { budget: { turns } })}>
        {t().composer.moreTurns(EXTRA_TURNS)}
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
  const idle = thread.state === "rest";
  const send = async (): Promise<void> => {
    const text = field.current?.value.trim() ?? "";
    if (!text || busy) return;
    setSending(true);
    const message = { type: "message" as const, text, ...(replan ? { replan } : {}) };
    const targetThread = await sendOrEnqueue(session, message, isRunningInBackground(thread) ? busyPolicy : "enqueue");
    setSending(false);
    if (targetThread === null) return;
    // Text typed while sending belongs to the next message.
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
        <span class="sr-only">{idle ? t().composer.nextGoal : t().composer.message}</span>
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
          <BusyPolicySelect key="policy" policy={busyPolicy} onPolicy={setBusyPolicy} />
        ) : null}
        {idle ? (
          <span key="hint" class="quiet small key-hint">
            {t().composer.keys}
          </span>
        ) : (
          <label key="replan" class="check small">
            <input
              type="checkbox"
              name="replan"
              onChange={(event: Event) => setReplan((event.target as HTMLInputElement).checked)}
            />{" "}
            {t().composer.replan}
          </label>
        )}
        <button key="send" type="submit" class="button primary" disabled={busy}>
          {t().composer.send}
        </button>
      </div>
    </form>
  );
};

/** Returns the thread that received the message, or null. A queued or forked message does not start a turn from this page. */
async function sendOrEnqueue(session: Session, message: Message, policy: BusyPolicy): Promise<string | null> {
  const inBackground = session.data.get().thread?.background?.status === "on";
  if (inBackground && policy !== "interrupt") return session.sendToBackground(message, policy);
  return (await session.send(message, inBackground ? { if_busy: policy } : {})) ? session.id : null;
}

function placeholderOf(thread: ThreadView): string {
  if (thread.state === "rest") return t().composer.placeholders.next;
  return thread.gate ? t().composer.placeholders.afterDecision : t().composer.placeholders.turn;
}

const BusyPolicySelect: FC<{ policy: BusyPolicy; onPolicy: (policy: BusyPolicy) => void }> = ({ policy, onPolicy }) => (
  <div class="busy-policy small">
    <label>
      {t().composer.whileBusy}{" "}
      <select
        name="if_busy"
        aria-describedby="busy-help"
        value={policy}
        onChange={(event: Event) =>
          onPolicy(BUSY_POLICIES.find((one) => one === (event.target as HTMLSelectElement).value) ?? "enqueue")
        }
      >
        {BUSY_POLICIES.map((one) => (
          <option key={one} value={one} selected={one === policy}>
            {t().composer.busy[one].label}
          </option>
        ))}
      </select>
    </label>
    <p id="busy-help" class="quiet busy-help">
      {t().composer.busy[policy].help}
    </p>
  </div>
);
