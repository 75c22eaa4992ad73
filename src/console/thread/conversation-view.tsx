// Shows past turns, the running turn and the open gate, and the message field below them.
import { type FC, memo, type RefObject, useLayoutEffect, useRef } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { connectionStore } from "../client/connection.ts";
import type { QueuedMessage } from "../client/queued-messages.ts";
import { isConnectionProblem } from "../client/request-helpers.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { useStore } from "../client/store.ts";
import { GateCard } from "../gates/gate-card.tsx";
import { t } from "../messages/messages.ts";
import { Code, TextButton } from "../parts/components.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { Composer } from "./composer.tsx";
import type { Turn } from "./conversation.ts";
import { TurnView } from "./turn-view.tsx";

type ConversationViewProps = {
  readonly api: Api;
  readonly session: Session;
  readonly data: ThreadData;
  readonly turns: readonly Turn[];
  readonly onFork: (turn: number) => void;
};

const View: FC<ConversationViewProps> = ({ api, session, data, turns, onFork }) => {
  const content = useRef<HTMLDivElement>(null);
  const gate = data.thread?.gate ?? null;
  const hasEarlier = (data.records[0]?.version ?? 0) > 0;
  useStickToBottom(content);
  // While the server cannot be reached, the page shows this in one place instead of here, and repeats the request
  // itself when the server is back.
  const { lost } = useStore(connectionStore);
  return (
    <section class="conversation" aria-label={t().thread.conversation}>
      <div key="scroll" class="conversation-scroll">
        <div ref={content} class="conversation-content">
          {hasEarlier ? (
            <TextButton key="earlier" onClick={() => void session.loadEarlier()}>
              {t().thread.earlier}
            </TextButton>
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
          {data.failure && !(lost && isConnectionProblem(data.failure.problem)) ? (
            <ProblemCard
              key="problem"
              problem={data.failure.problem}
              onRetry={data.failure.retry}
              dismiss={session.dismiss}
            />
          ) : null}
          {gate && !data.running ? <GateCard key="gate" gate={gate} session={session} busy={data.running} /> : null}
          {data.queuedMessages.length > 0 ? <QueuedMessageList key="queued" messages={data.queuedMessages} /> : null}
        </div>
      </div>
      <div key="dock" class="dock">
        <Composer data={data} session={session} />
      </div>
    </section>
  );
};

export const ConversationView = memo(View);

/** Shows messages that no turn has read yet. The server stores them, so closing the page loses only this list. */
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

const LiveView: FC<{ session: Session; running: boolean }> = ({ session, running }) => {
  const live = useStore(session.live);
  if (!running && live.turn === null) return null;
  return (
    <div class="turn live" aria-live="off">
      {live.discarded ? (
        <div key="discarded" class="discarded">
          {live.discarded.text ? (
            <p>
              <del>{live.discarded.text}</del>
            </p>
          ) : null}
          <p class="small quiet">{t().thread.discarded(live.discarded.reason)}</p>
        </div>
      ) : null}
      {live.text ? (
        <div key="text" class="message message-agent">
          <Markdown text={live.text} />
        </div>
      ) : null}
      {live.tool ? (
        <div key="tool" class="tool-live">
          <p>
            <span class="spinner" aria-hidden="true" /> {t().thread.isRunning(live.tool.name)}
          </p>
          {live.tool.progress.length > 0 ? <Code>{live.tool.progress.join("\n")}</Code> : null}
        </div>
      ) : (
        <p key="wait" class="thinking quiet small">
          <span class="spinner" aria-hidden="true" /> {live.turn === null ? t().thread.sending : t().thread.thinking}
        </p>
      )}
    </div>
  );
};

const NEAR_BOTTOM_PX = 120;
/** A scroll event this soon after a gesture comes from the user, any other from content that changed its size. */
const GESTURE_MS = 1000;
const GESTURES = ["wheel", "touchmove", "keydown"] as const;

/** Keeps the newest text in view while it grows, until the user scrolls away from it. */
function useStickToBottom(content: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const element = content.current;
    const scroller = element?.parentElement;
    if (!element || !scroller) return;
    let isFollowing = true;
    let gestureAt = Number.NEGATIVE_INFINITY;
    const noteGesture = (): void => {
      gestureAt = performance.now();
    };
    /** Detects dragging of the scroll bar, which begins with a press on the scroller itself. */
    const notePress = (event: Event): void => {
      if (event.target === scroller) noteGesture();
    };
    const onScroll = (): void => {
      const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      if (below < NEAR_BOTTOM_PX) isFollowing = true;
      else if (performance.now() - gestureAt < GESTURE_MS) isFollowing = false;
    };
    const follow = (): void => {
      if (!isFollowing) return;
      const gate = element.querySelector<HTMLElement>(".gate");
      // Shows the beginning of a gate that is taller than the view. Its sticky buttons stay visible at the bottom.
      if (gate && gate.offsetHeight > scroller.clientHeight) gate.scrollIntoView({ block: "start" });
      else scroller.scrollTop = scroller.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    observer.observe(scroller);
    const listeners = new AbortController();
    const options = { passive: true, signal: listeners.signal };
    for (const gesture of GESTURES) scroller.addEventListener(gesture, noteGesture, options);
    scroller.addEventListener("pointerdown", notePress, options);
    scroller.addEventListener("scroll", onScroll, options);
    return () => {
      observer.disconnect();
      listeners.abort();
    };
  }, []);
}
