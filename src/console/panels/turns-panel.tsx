// A timeline of turns with time and tokens, the runs side by side, and two turns side by side.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { formatDateTime, formatElapsed, formatNumber, formatTime } from "../parts/format.ts";
import { headline, type Turn } from "../thread/conversation.ts";
import { TurnDetail } from "../thread/turn-detail.tsx";
import { RunsCompared } from "./runs-compared.tsx";
import { type TurnTime, toggleOfTwo, turnTimes } from "./turn-times.ts";

const ROWS_SHOWN = 40;

type Props = {
  readonly api: Api;
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly onTurn: (turn: number) => void;
};

export const TurnsPanel: FC<Props> = ({ api, id, turns, onTurn }) => {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [shown, setShown] = useState(ROWS_SHOWN);
  const compared = turns.filter(({ number }) => chosen.includes(number));
  const toggle = (turn: number): void => setChosen(toggleOfTwo(chosen, turn));
  return (
    <div>
      <RunsCompared key="runs" turns={turns} />
      <h3 class="panel-title">{t().panels.timeline}</h3>
      <p class="quiet small">{t().panels.chooseTwo}</p>
      {compared.length === 2 ? (
        <div key="compare" class="compare">
          {compared.map((turn) => (
            <section key={turn.number} aria-label={t().panels.turn(turn.number)}>
              <h4>
                {t().panels.turn(turn.number)} · {headline(turn)}
              </h4>
              <TurnDetail turn={turn} api={api} thread={id} />
            </section>
          ))}
        </div>
      ) : null}
      <ol key="turns" class="turn-times">
        {turnTimes(turns)
          .slice(-shown)
          .toReversed()
          .map((one) => (
            <TurnRow
              key={one.turn.number}
              time={one}
              isChosen={chosen.includes(one.turn.number)}
              onToggle={() => toggle(one.turn.number)}
              onShow={() => onTurn(one.turn.number)}
            />
          ))}
      </ol>
      {turns.length > shown ? (
        <button key="more" type="button" class="link" onClick={() => setShown(turns.length)}>
          {t().thread.earlier}
        </button>
      ) : null}
    </div>
  );
};

type RowProps = {
  readonly time: TurnTime;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
  readonly onShow: () => void;
};

const TurnRow: FC<RowProps> = ({ time: { turn, ms, tokens }, isChosen, onToggle, onShow }) => (
  <li class="row turn-time">
    <label class="check">
      <input type="checkbox" checked={isChosen} aria-label={t().panels.compare(turn.number)} onChange={onToggle} />
    </label>
    <button type="button" class="link" onClick={onShow}>
      {t().panels.turn(turn.number)}
    </button>
    <span class="turn-time-title">{headline(turn)}</span>
    <span class="quiet small">
      <time title={formatDateTime(turn.at)}>{formatTime(turn.at)}</time>
      {ms === null ? "" : ` · ${formatElapsed(ms)}`}
      {tokens > 0 ? ` · ${t().turn.tokens(formatNumber(tokens))}` : ""}
    </span>
  </li>
);
