// Shows buttons above the message field for a run that does not continue by itself: continue, extend the budget, reset.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";

const EXTRA_TURNS = 60;

type Props = { readonly data: ThreadData; readonly thread: ThreadView; readonly session: Session };

export const RunActions: FC<Props> = ({ data, thread, session }) => {
  if (thread.state === "failed") return <FailedThread session={session} />;
  if (data.running || thread.gate) return null;
  const inBackground = thread.background?.status === "on";
  return (
    <>
      {data.next === "advance" && !inBackground ? (
        <div key="advance" class="row">
          <Button class="primary" onClick={() => void session.send(null)}>
            {data.autoAdvance ? t().composer.continue : t().composer.nextTurn}
          </Button>
          <span class="quiet small">{t().composer.idleBetweenTurns}</span>
        </div>
      ) : null}
      {thread.outcome === "exhausted" ? (
        <Button
          key="budget"
          class="primary"
          onClick={() => void session.send(null, { budget: { turns: thread.budget.limit.turns + EXTRA_TURNS } })}
        >
          {t().composer.moreTurns(EXTRA_TURNS)}
        </Button>
      ) : null}
    </>
  );
};

const FailedThread: FC<{ session: Session }> = ({ session }) => (
  <div>
    <p>{t().composer.failed}</p>
    <div class="row">
      <Button class="primary" onClick={() => void session.send({ type: "reset" })}>
        {t().composer.reset}
      </Button>
      <Button onClick={() => void session.send({ type: "cancel" })}>{t().thread.cancelRun}</Button>
    </div>
  </div>
);
