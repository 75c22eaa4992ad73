// Shows the card of an open gate, with the form for its kind.
import { type FC, useLayoutEffect } from "hono/jsx/dom";
import type { Gate } from "../../schema/gate.ts";
import type { Session } from "../client/session.ts";
import { t } from "../messages/messages.ts";
import { Button, useNow, VisibleText } from "../parts/components.tsx";
import { formatDateTime, formatDuration } from "../parts/format.ts";
import { isFocusIdle } from "../parts/keep-focus.ts";
import { recordGateShown } from "./approve-guard.ts";
import { ConfirmationForm } from "./confirmation-form.tsx";
import { DoubtForm } from "./doubt-form.tsx";
import { GateArguments } from "./gate-arguments.tsx";
import { GateLink } from "./gate-link.tsx";
import type { GateProps } from "./gate-props.ts";
import { PlanForm } from "./plan-form.tsx";
import { QuestionForm } from "./question-form.tsx";
import { SuspendForm } from "./suspend-form.tsx";

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
