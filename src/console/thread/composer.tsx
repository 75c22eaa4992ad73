// Shows the message field. At a gate, it offers the possible meanings of the message.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { BUSY_POLICIES, type BusyPolicy, isRunningInBackground } from "../jobs/background-labels.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import { inputValue, onEnter, onSubmit } from "../parts/events.ts";
import { CheckField } from "../parts/fields.tsx";
import { navigate, threadHref } from "../shell/route.ts";
import { inputsOf, isSentDirectly, type MessageOption, messageOptions } from "./message-options.ts";
import { RunActions } from "./run-actions.tsx";

export const Composer: FC<{ data: ThreadData; session: Session }> = ({ data, session }) =>
  data.thread ? (
    <div class="composer">
      <RunActions key="actions" data={data} thread={data.thread} session={session} />
      <MessageForm key="message" thread={data.thread} session={session} running={data.running} />
    </div>
  ) : null;

type FormProps = { readonly thread: ThreadView; readonly session: Session; readonly running: boolean };

const MessageForm: FC<FormProps> = ({ thread, session, running }) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const [replan, setReplan] = useState(false);
  const [busyPolicy, setBusyPolicy] = useState<BusyPolicy>("enqueue");
  const [sending, setSending] = useState(false);
  const [asking, setAsking] = useState(false);
  useLayoutEffect(() => {
    if (field.current) field.current.value = session.draft.text;
  }, []);
  const inBackground = isRunningInBackground(thread);
  const busy = sending || (running && !inBackground);
  const options = messageOptions(thread);
  const submit = async (option: MessageOption): Promise<void> => {
    const text = field.current?.value.trim() ?? "";
    if (!text || busy) return;
    setAsking(false);
    setSending(true);
    const target = await sendAs(option, {
      session,
      thread,
      text,
      replan,
      policy: inBackground ? busyPolicy : "enqueue",
    });
    setSending(false);
    // A gate opened while the user was typing, so the possible meanings of the message are offered.
    if (target === "gate_open") return setAsking(true);
    if (target === null) return;
    // Text typed while sending belongs to the next message.
    if (session.draft.text.trim() === text) {
      session.draft.text = "";
      if (field.current) field.current.value = "";
    }
    if (target !== session.id) navigate(threadHref(target));
  };
  const send = (): void => {
    if (!field.current?.value.trim()) return;
    if (isSentDirectly(options)) void submit(options[0] ?? "send");
    else setAsking(true);
  };
  return (
    <form
      class="message-form"
      onSubmit={onSubmit(send)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape" && asking) {
          setAsking(false);
          field.current?.focus();
        }
      }}
    >
      {asking && !isSentDirectly(options) ? (
        <OptionList key="options" options={options} onChoose={(option) => void submit(option)} />
      ) : null}
      <div key="more" class="message-more">
        {inBackground ? <BusyPolicySelect key="policy" policy={busyPolicy} onPolicy={setBusyPolicy} /> : null}
        {thread.state === "rest" || thread.state === "failed" || thread.gate ? null : (
          <CheckField key="replan" label={t().composer.replan} name="replan" checked={replan} onValue={setReplan} />
        )}
      </div>
      <div key="field" class="message-row">
        <label class="field grow">
          <span class="sr-only">{labelOf(thread)}</span>
          <textarea
            ref={field}
            name="message"
            rows={1}
            placeholder={placeholderOf(thread)}
            onInput={(event: Event) => {
              session.draft.text = inputValue(event);
            }}
            onKeyDown={onEnter(send)}
          />
        </label>
        <Button type="submit" class="primary" title={t().composer.keys} disabled={busy}>
          {thread.gate?.kind === "question" ? t().gates.answer : t().composer.send}
        </Button>
      </div>
    </form>
  );
};

/** Shows the options, and focuses the first one, so that the choice can be made with the keyboard. */
const OptionList: FC<{ options: readonly MessageOption[]; onChoose: (option: MessageOption) => void }> = (props) => {
  const list = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => list.current?.querySelector("button")?.focus(), []);
  return (
    <fieldset ref={list} class="bare message-options">
      <legend class="small quiet">{t().composer.whatIsThis}</legend>
      <div class="row">
        {props.options.map((option) => (
          <Button key={option} class="small" onClick={() => props.onChoose(option)}>
            {t().composer.options[option]}
          </Button>
        ))}
      </div>
    </fieldset>
  );
};

type SendRequest = {
  readonly session: Session;
  readonly thread: ThreadView;
  readonly text: string;
  readonly replan: boolean;
  readonly policy: BusyPolicy;
};

/** Returns the thread that received the message, "gate_open", or null if nothing was sent. */
async function sendAs(option: MessageOption, request: SendRequest): Promise<string | "gate_open" | null> {
  const { session, thread, text, replan, policy } = request;
  const message = { type: "message" as const, text, ...(replan ? { replan } : {}) };
  if (option === "edit") {
    session.view.set({ editedGate: thread.gate?.id ?? null });
    return null;
  }
  const inBackground = thread.background?.status === "on";
  if (option === "queue") return session.sendToBackground(message, "enqueue");
  if (option === "send" && inBackground && policy !== "interrupt") return session.sendToBackground(message, policy);
  // A run that is being delivered reads no messages, so it must end first.
  if (option === "send" && thread.state === "deliver" && !(await session.send(null))) return null;
  const inputs = option === "send" ? [message] : inputsOf(option, text, thread);
  for (const input of inputs) {
    const sendOptions = option === "send" && inBackground ? { if_busy: policy } : {};
    if (!(await session.send(input, sendOptions))) return session.takeGateOpened() ? "gate_open" : null;
  }
  return session.id;
}

const labelOf = ({ state, gate }: ThreadView): string => {
  if (gate?.kind === "question") return t().gates.yourAnswer;
  return state === "rest" ? t().composer.nextGoal : t().composer.message;
};

function placeholderOf({ state, gate }: ThreadView): string {
  const { placeholders } = t().composer;
  if (gate) return placeholders[gate.kind];
  if (state === "failed") return placeholders.failed;
  return state === "rest" ? placeholders.next : placeholders.turn;
}

type Props = { readonly policy: BusyPolicy; readonly onPolicy: (policy: BusyPolicy) => void };

const BusyPolicySelect: FC<Props> = ({ policy, onPolicy }) => (
  <div class="busy-policy small">
    <label>
      {t().composer.whileBusy}{" "}
      <select
        name="if_busy"
        aria-describedby="busy-help"
        value={policy}
        onChange={(event: Event) => onPolicy(BUSY_POLICIES.find((one) => one === inputValue(event)) ?? "enqueue")}
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
