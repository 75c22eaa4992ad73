// The conversation: turns, the one that is running, the open gate, and what can be sent.
import type { FC, RefObject } from "hono/jsx/dom";
import { useEffect, useRef } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import type { QueuedMessage } from "../client/queued-messages.ts";
import type { Session, ThreadData } from "../client/session.ts";
import { GateCard } from "../gates/gate-card.tsx";
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
    <section class="talk" aria-label="Conversation">
      {hasEarlier ? (
        <button key="earlier" type="button" class="link" onClick={() => void session.loadEarlier()}>
          Show earlier turns
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
          key="trouble"
          problem={data.failure.problem}
          onRetry={data.failure.retry}
          dismiss={session.dismiss}
        />
      ) : null}
      {gate && !data.running ? <GateCard key="gate" gate={gate} session={session} busy={data.running} /> : null}
      {data.queuedMessages.length > 0 ? <QueuedMessageList key="waiting" waiting={data.queuedMessages} /> : null}
      <Composer key="composer" data={data} session={session} />
      <div key="end" ref={end} />
    </section>
  );
};

/** Sent and not heard yet. The server has them: whoever closes the page loses nothing but this view of them. */
const QueuedMessageList: FC<{ waiting: readonly QueuedMessage[] }> = ({ waiting }) => (
  <ol class="waiting-line" aria-label="Messages that wait">
    {waiting.map(({ text, after }, i) => (
      <li key={`${after}:${i}`} class="said-waiting">
        <span class="sr-only">You: </span>
        <p>{text}</p>
        <p class="quiet small">waits in line</p>
      </li>
    ))}
  </ol>
);

const NEAR_BOTTOM_PX = 120;

/** How much of it can be seen at once: beside panels the conversation scrolls below the head, else the whole page does. */
const visibleHeight = (part: HTMLElement): number =>
  Math.min(window.innerHeight - NEAR_BOTTOM_PX, part.closest(".thread-talk")?.clientHeight ?? Number.POSITIVE_INFINITY);

/** Follows the newest turn, but only for a reader who was there before it came. */
function useStickToBottom(end: RefObject<HTMLDivElement | null>, changes: readonly unknown[]): void {
  const isNearBottom = useRef(true);
  useEffect(() => {
    // Heard on its way down, because the conversation scrolls by itself where there is room beside it.
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
    // The beginning of a long question is worth more than its end.
    if (gate && gate.offsetHeight > visibleHeight(gate)) gate.scrollIntoView({ block: "start" });
    else end.current?.scrollIntoView({ block: "end" });
  }, changes);
}
