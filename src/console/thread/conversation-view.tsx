// Shows past turns, the running turn and the open gate, and the message field below them.
import { type FC, memo, useRef } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { connectionStore } from "../client/connection.ts";
import type { QueuedMessage } from "../client/queued-messages.ts";
import { isConnectionProblem } from "../client/request-helpers.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { useStore } from "../client/store.ts";
import { GateCard } from "../gates/gate-card.tsx";
import { t } from "../messages/messages.ts";
import { TextButton } from "../parts/components.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { Composer } from "./composer.tsx";
import type { Turn } from "./conversation.ts";
import { LiveView } from "./live-view.tsx";
import { TurnView } from "./turn-view.tsx";
import { useStickToBottom } from "./use-stick-to-bottom.ts";

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
