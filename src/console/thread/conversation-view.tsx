// The conversation: past turns, the running turn, the open gate, and the composer.
import type { FC, RefObject } from "hono/jsx/dom";
import { useEffect, useRef } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import type { QueuedMessage } from "../client/queued-messages.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { GateCard } from "../gates/gate-card.tsx";
import { t } from "../messages/messages.ts";
import { ProblemCard } from "../parts/problem-card.tsx";
import { Composer } from "./composer.tsx";
import type { Turn } from "./conversation.ts";
import { LiveView } from "./live-view.tsx";
import { TurnView } from "./turn-view.tsx";

type ConversationViewProps = {
  readonly api: Api;
  readonly session: Session;
  readonly data: ThreadData;
  readonly turns: readonly Turn[];
  readonly onFork: (turn: number) => void;
};

export const ConversationView: FC<ConversationViewProps> = ({ api, session, data, turns, onFork }) => {
  const end = useRef<HTMLDivElement>(null);
  const gate = data.thread?.gate ?? null;
  const hasEarlier = (data.records[0]?.version ?? 0) > 0;
  useStickToBottom(end, [turns.length, gate?.id, data.failure, data.running, data.queuedMessages.length]);
  return (
    <section class="conversation" aria-label={t().thread.conversation}>
      {hasEarlier ? (
        <button key="earlier" type="button" class="link" onClick={() => void session.loadEarlier()}>
          {t().thread.earlier}
        </button>
      ) : null}
      <ol key="turns" class="turns">
        {turns.map((turn) => (
          <TurnView
            key={turn.number}
            turn={turn}
            api={api}
            thread={session.id}
            calendar={data.calendar}
            omittedText={turn === turns.at(-1) ? (gate?.text ?? null) : null}
            onFork={onFork}
          />
        ))}
      </ol>
      <LiveView key="live" session={session} running={data.running} />
      {data.failure ? (
        <ProblemCard
          key="problem"
          problem={data.failure.problem}
          onRetry={data.failure.retry}
          dismiss={session.dismiss}
        />
      ) : null}
      {gate && !data.running ? <GateCard key="gate" gate={gate} session={session} busy={data.running} /> : null}
      {data.queuedMessages.length > 0 ? <QueuedMessageList key="queued" messages={data.queuedMessages} /> : null}
      <Composer key="composer" data={data} session={session} />
      <div key="end" ref={end} />
    </section>
  );
};

/** Messages that no turn has read yet. The server stores them, so closing the page loses only this list. */
const QueuedMessageList: FC<{ messages: readonly QueuedMessage[] }> = ({ messages }) => (
  <ol class="queued-messages" aria-label={t().thread.queuedMessages}>
    {messages.map(({ text, after }, i) => (
      <li key={`${after}:${i}`} class="message-queued">
        <span class="sr-only">{t().thread.you}</span>
        <p>{text}</p>
        <p class="quiet small">{t().thread.queued}</p>
      </li>
    ))}
  </ol>
);

const NEAR_BOTTOM_PX = 120;

/** The visible height: in the wide layout the conversation scrolls on its own, otherwise the whole page scrolls. */
const visibleHeight = (element: HTMLElement): number =>
  Math.min(
    window.innerHeight - NEAR_BOTTOM_PX,
    element.closest(".thread-conversation")?.clientHeight ?? Number.POSITIVE_INFINITY,
  );

/** Scrolls to the newest turn, but only if the user was already near the bottom. */
function useStickToBottom(end: RefObject<HTMLDivElement | null>, changes: readonly unknown[]): void {
  const isNearBottom = useRef(true);
  useEffect(() => {
    // Scroll events do not bubble. Capturing also catches those of the conversation, which scrolls in the wide layout.
    const listenerOptions = { capture: true, passive: true };
    const updateNearBottom = (): void => {
      const below = end.current?.getBoundingClientRect().top ?? 0;
      isNearBottom.current = below - window.innerHeight < NEAR_BOTTOM_PX;
    };
    document.addEventListener("scroll", updateNearBottom, listenerOptions);
    return () => document.removeEventListener("scroll", updateNearBottom, listenerOptions);
  }, []);
  useEffect(() => {
    if (!isNearBottom.current) return;
    const gate = document.querySelector<HTMLElement>(".gate");
    // For a gate taller than the view, show its beginning.
    if (gate && gate.offsetHeight > visibleHeight(gate)) gate.scrollIntoView({ block: "start" });
    else end.current?.scrollIntoView({ block: "end" });
  }, changes);
}
