// Shows the card of an open gate, with the form for its kind.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { DoubtGate, Gate, PlanGate, SuspendGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Session } from "../client/session.ts";
import { t } from "../messages/messages.ts";
import { Button, TextButton, useNow, VisibleText } from "../parts/components.tsx";
import { copyText } from "../parts/copy-text.ts";
import { inputValue } from "../parts/events.ts";
import { formatDateTime, formatDuration } from "../parts/format.ts";
import { isFocusIdle } from "../parts/keep-focus.ts";
import { ProblemCard } from "../parts/problem-card.tsx";
import { recordGateShown } from "./approve-guard.ts";
import { ConfirmationForm } from "./confirmation-form.tsx";
import { DecisionButtons } from "./decision-buttons.tsx";
import { GateArguments } from "./gate-arguments.tsx";
import type { GateProps } from "./gate-props.ts";
import { QuestionForm } from "./question-form.tsx";

export const GateCard: FC<{ gate: Gate; session: Session; busy: boolean }> = ({ gate, session, busy }) => {
  const now = useNow(1000);
  // The previous gate's button, which had the focus, was unmounted. Move the focus here unless the user is typing elsewhere.
  useLayoutEffect(() => {
    recordGateShown();
    if (isFocusIdle()) document.getElementById("gate-title")?.focus({ preventScroll: true });
  }, [gate.id]);
  const expired = gate.expires_at !== null && now >= Date.parse(gate.expires_at);
  return (
    <section class={`gate gate-${gate.kind}`} aria-labelledby="gate-title">
      <header class="row spread">
        <h2 id="gate-title" tabIndex={-1}>
          {t().gates.titles[gate.kind]}
        </h2>
        <Expiry gate={gate} now={now} />
      </header>
      {gate.kind === "question" && gate.questions ? null : (
        <p key="text" class="gate-text">
          <VisibleText text={gate.text} />
        </p>
      )}
      {expired ? (
        <Expired session={session} />
      ) : (
        <fieldset class="bare" disabled={busy}>
          <legend class="sr-only">{t().gates.titles[gate.kind]}</legend>
          <GateForm key={gate.id} gate={gate} session={session} />
          {gate.kind === "plan" || gate.kind === "confirmation" ? (
            <GateLink key="link" gate={gate} session={session} />
          ) : null}
        </fieldset>
      )}
    </section>
  );
};

const GateForm: FC<GateProps<Gate>> = ({ gate, session }) => {
  switch (gate.kind) {
    case "plan":
      return <PlanForm gate={gate} session={session} />;
    case "question":
      return <QuestionForm gate={gate} session={session} />;
    case "confirmation":
      return <ConfirmationForm gate={gate} session={session} />;
    case "doubt":
      return <DoubtForm gate={gate} session={session} />;
    case "external":
      return <GateArguments value={gate.call.arguments ?? {}} />;
    case "suspend":
      return <SuspendForm gate={gate} session={session} />;
  }
};

const Expiry: FC<{ gate: Gate; now: number }> = ({ gate, now }) => {
  if (gate.expires_at === null) return <span class="quiet small">{t().gates.doesNotExpire}</span>;
  const left = Date.parse(gate.expires_at) - now;
  return (
    <time class="small expiry" dateTime={gate.expires_at} title={formatDateTime(gate.expires_at)}>
      {left > 0 ? t().common.expiresIn(formatDuration(left)) : t().gates.expired}
    </time>
  );
};

const Expired: FC<{ session: Session }> = ({ session }) => (
  <div>
    <p>{t().gates.expiredText}</p>
    <Button class="primary" onClick={() => void session.send(null)}>
      {t().composer.continue}
    </Button>
  </div>
);

const PlanForm: FC<GateProps<PlanGate>> = ({ gate, session }) => (
  <>
    <ol class="gate-steps">
      {gate.steps.map((step, i) => (
        <li key={i}>
          {step.content}
          <span class="quiet small">{t().gates.stepFacts(step.done_when ?? null, t().labels.needs[step.needs])}</span>
        </li>
      ))}
    </ol>
    <DecisionButtons gate={gate} session={session} label={t().gates.approvePlan} hint={t().gates.planHint} />
  </>
);

const SuspendForm: FC<GateProps<SuspendGate>> = ({ gate, session }) => (
  <div class="row">
    <span class="quiet small grow">{t().gates.suspendedRole(gate.role)}</span>
    {gate.failed ? (
      <Button key="again" class="primary" onClick={() => void session.send({ type: "resume", supplement: "" })}>
        {t().common.retry}
      </Button>
    ) : null}
  </div>
);

const DoubtForm: FC<GateProps<DoubtGate>> = ({ gate, session }) => {
  const [note, setNote] = useState("");
  const resolve = (outcome: Extract<TurnInput, { type: "resolve" }>["outcome"]): void =>
    void session.send({ type: "resolve", gate_id: gate.id, outcome, ...(note.trim() ? { note: note.trim() } : {}) });
  return (
    <>
      <p class="small">{t().gates.startedAt(gate.call.name, formatDateTime(gate.intended.started_at))}</p>
      <GateArguments value={gate.call.arguments ?? {}} />
      <label class="field">
        <span>{t().gates.howKnown}</span>
        <input name="note" autocomplete="off" onInput={(event: Event) => setNote(inputValue(event))} />
      </label>
      <div class="gate-actions row">
        <Button class="primary" onClick={() => resolve("happened")}>
          {t().gates.happened}
        </Button>
        <Button onClick={() => resolve("not_happened")}>{t().gates.notHappened}</Button>
        <Button onClick={() => resolve("try_again")}>{t().common.retry}</Button>
        <Button class="danger" onClick={() => resolve("abort")}>
          {t().gates.abort}
        </Button>
      </div>
    </>
  );
};

const GateLink: FC<{ gate: Gate; session: Session }> = ({ gate, session }) => {
  const [url, setUrl] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const make = async (): Promise<void> => {
    const made = await session.gateLink(gate.id);
    setProblem(made.ok ? null : made.problem);
    if (!made.ok) return;
    setUrl(made.value.url);
    await copyText(made.value.url);
  };
  return (
    <div class="gate-link small">
      <TextButton onClick={() => void make()}>{url ? t().gates.linkCopied : t().gates.copyLink}</TextButton>
      {url ? <code key="url">{url}</code> : null}
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
    </div>
  );
};
