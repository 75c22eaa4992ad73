// The conversation: turns, the one that is running, the open gate, and what can be sent.
import type { FC, RefObject } from "hono/jsx/dom";
import { useEffect, useRef } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import type { Session, ThreadData } from "../client/session.ts";
import type { Waiting } from "../client/waiting.ts";
import { GateCard } from "../gates/gate-card.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { Composer } from "./composer.tsx";
import type { Turn } from "./conversation.ts";
import { LiveView } from "./live-view.tsx";
import { TurnView } from "./turn-view.tsx";

type TalkProps = {
  readonly api: Api;
  readonly session: Session;
  readonly data: ThreadData;
  readonly turns: readonly Turn[];
  readonly onFork: (turn: number) => void;
};

export const Talk: FC<TalkProps> = ({ api, session, data, turns, onFork }) => {
  const end = useRef<HTMLDivElement>(null);
  const gate = data.thread?.gate ?? null;
  const earlier = (data.records[0]?.version ?? 0) > 0;
  useFollowing(end, [turns.length, gate?.id, data.trouble, data.running, data.waiting.length]);
  return (
    <section class="talk" aria-label="Conversation">
      {earlier ? (
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
            unsaid={turn === turns.at(-1) ? (gate?.text ?? null) : null}
            onFork={onFork}
          />
        ))}
      </ol>
      <LiveView key="live" session={session} running={data.running} />
      {data.trouble ? (
        <ProblemCard
          key="trouble"
          problem={data.trouble.problem}
          again={data.trouble.again}
          dismiss={session.dismiss}
        />
      ) : null}
      {gate && !data.running ? <GateCard key="gate" gate={gate} session={session} busy={data.running} /> : null}
      {data.waiting.length > 0 ? <WaitingLine key="waiting" waiting={data.waiting} /> : null}
      <Composer key="composer" data={data} session={session} />
      <div key="end" ref={end} />
    </section>
  );
};

/** Sent and not heard yet. The server has them: whoever closes the page loses nothing but this view of them. */
const WaitingLine: FC<{ waiting: readonly Waiting[] }> = ({ waiting }) => (
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

const NEAR_PX = 120;

/** How much of it can be seen at once: beside panels the conversation scrolls below the head, else the whole page does. */
const roomOf = (part: HTMLElement): number =>
  Math.min(window.innerHeight - NEAR_PX, part.closest(".thread-talk")?.clientHeight ?? Number.POSITIVE_INFINITY);

/** Follows the newest turn, but only for a reader who was there before it came. */
function useFollowing(end: RefObject<HTMLDivElement | null>, changes: readonly unknown[]): void {
  const near = useRef(true);
  useEffect(() => {
    // Heard on its way down, because the conversation scrolls by itself where there is room beside it.
    const how = { capture: true, passive: true };
    const look = (): void => {
      const below = end.current?.getBoundingClientRect().top ?? 0;
      near.current = below - window.innerHeight < NEAR_PX;
    };
    document.addEventListener("scroll", look, how);
    return () => document.removeEventListener("scroll", look, how);
  }, []);
  useEffect(() => {
    if (!near.current) return;
    const gate = document.querySelector<HTMLElement>(".gate");
    // The beginning of a long question is worth more than its end.
    if (gate && gate.offsetHeight > roomOf(gate)) gate.scrollIntoView({ block: "start" });
    else end.current?.scrollIntoView({ block: "end" });
  }, changes);
}
