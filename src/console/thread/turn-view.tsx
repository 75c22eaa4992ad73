// Shows one turn of the conversation: its lines, and a collapsible section with all details.
import { type FC, memo } from "hono/jsx/dom";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { Button, Disclosure, Pill } from "../parts/components.tsx";
import { formatNumber } from "../parts/format.ts";
import { Markdown } from "../parts/markdown.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { stateLabel } from "../parts/state-labels.ts";
import { ToolCard } from "../results/tool-card.tsx";
import { threadHref, turnHref } from "../shell/route.ts";
import { headline, type Line, type Turn, usageOf } from "./conversation.ts";
import { TurnDetail } from "./turn-detail.tsx";

type TurnProps = {
  readonly turn: Turn;
  readonly api: Api;
  readonly thread: string;
  readonly calendar: CalendarView | null;
  /** The text of the open gate, which is shown below and not repeated in the turn. */
  readonly omittedText: string | null;
  readonly onFork: (turn: number) => void;
};

const TurnItem: FC<TurnProps> = ({ turn, api, thread, calendar, omittedText, onFork }) => {
  const usage = usageOf(turn);
  return (
    <li id={`turn-${turn.number}`} class={turn.lines.length > 0 ? "turn" : "turn turn-quiet"} tabIndex={-1}>
      {turn.lines.map((line, i) =>
        line.kind === "speak" && omittedText !== null && line.text.startsWith(omittedText) ? null : (
          <LineView key={i} line={line} calendar={calendar} />
        ),
      )}
      <div key="foot" class="turn-foot">
        <Disclosure class="turn-disclosure" label={<span class="turn-line quiet">{t().panels.turn(turn.number)}</span>}>
          {() => (
            <>
              <p class="turn-title">
                {headline(turn)}
                {usage ? ` · ${t().turn.tokens(formatNumber(usage.input_tokens + usage.output_tokens))}` : ""}
              </p>
              <TurnDetail turn={turn} api={api} thread={thread} />
              <div class="row">
                <Button class="small" onClick={() => onFork(turn.number)}>
                  {t().turn.forkFrom(turn.number)}
                </Button>
                <a class="button small" href={turnHref(thread, turn.number)}>
                  {t().turn.link}
                </a>
              </div>
            </>
          )}
        </Disclosure>
      </div>
    </li>
  );
};

export const TurnView = memo(TurnItem);

const LineView: FC<{ line: Line; calendar: CalendarView | null }> = ({ line, calendar }) => {
  switch (line.kind) {
    case "user":
      return (
        <div class="message message-user">
          <span class="sr-only">{t().thread.you}</span>
          <p>{line.text}</p>
        </div>
      );
    case "speak":
      return (
        <div class="message message-agent">
          <span class="sr-only">{t().thread.agent}</span>
          <Markdown text={line.text} />
        </div>
      );
    case "notice":
      return (
        <p class={`notice notice-${line.tone}`}>
          <span>
            {line.text}
            {line.thread ? (
              <>
                . <a href={threadHref(line.thread)}>{t().thread.openFork}</a>
              </>
            ) : null}
          </span>
        </p>
      );
    case "result":
      return <ToolCard result={line.result} calendar={calendar} />;
    case "problem":
      return <ProblemCard problem={line.problem} onRetry={null} />;
    case "end": {
      const { label, tone } = stateLabel({ state: "rest", at: null, outcome: line.outcome });
      return (
        <p class="run-end">
          <Pill tone={tone}>{t().thread.runEnd(line.run, label)}</Pill>
        </p>
      );
    }
  }
};
