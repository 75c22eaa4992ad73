// Shows a timeline of turns with times and tokens, the runs side by side, and two turns side by side.
import { type FC, memo, useCallback, useState } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { TextButton } from "../parts/components.tsx";
import { formatDateTime, formatElapsed, formatNumber, formatTime } from "../parts/format.ts";
import { headline, type Turn } from "../thread/conversation.ts";
import { TurnDetail } from "../thread/turn-detail.tsx";
import { RunsCompared } from "./runs-compared.tsx";
import { toggleSelection, turnTime } from "./turn-times.ts";

/** The number of rows to show at first and to add at a time, which is enough to fill a tall window. */
const ROWS_SHOWN = 25;

type Props = {
  readonly api: Api;
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly onTurn: (turn: number) => void;
};

const Panel: FC<Props> = ({ api, id, turns, onTurn }) => {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [shown, setShown] = useState(ROWS_SHOWN);
  const compared = turns.filter(({ number }) => chosen.includes(number));
  // Keeps the callback stable, so that only changed rows are rendered again.
  const onToggle = useCallback((turn: number): void => setChosen((before) => toggleSelection(before, turn)), []);
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
        {turns
          .slice(-shown)
          .map((turn, i, { length }) => ({ turn, before: turns[turns.length - length + i - 1] }))
          .toReversed()
          .map(({ turn, before }) => (
            <TurnRow
              key={turn.number}
              turn={turn}
              before={before}
              isChosen={chosen.includes(turn.number)}
              onToggle={onToggle}
              onShow={onTurn}
            />
          ))}
      </ol>
      {turns.length > shown ? (
        <TextButton key="more" onClick={() => setShown(shown + ROWS_SHOWN)}>
          {t().thread.earlier}
        </TextButton>
      ) : null}
    </div>
  );
};

export const TurnsPanel = memo(Panel);

type RowProps = {
  readonly turn: Turn;
  readonly before: Turn | undefined;
  readonly isChosen: boolean;
  readonly onToggle: (turn: number) => void;
  readonly onShow: (turn: number) => void;
};

const Row: FC<RowProps> = ({ turn, before, isChosen, onToggle, onShow }) => {
  const { ms, tokens } = turnTime(turn, before);
  return (
    <li class="row turn-time">
      <label class="check">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={t().panels.compare(turn.number)}
          onChange={() => onToggle(turn.number)}
        />
      </label>
      <TextButton onClick={() => onShow(turn.number)}>{t().panels.turn(turn.number)}</TextButton>
      <span class="turn-time-title">{headline(turn)}</span>
      <span class="quiet small">
        <time title={formatDateTime(turn.at)}>{formatTime(turn.at)}</time>
        {ms === null ? "" : ` · ${formatElapsed(ms)}`}
        {tokens > 0 ? ` · ${t().turn.tokens(formatNumber(tokens))}` : ""}
      </span>
    </li>
  );
};

const TurnRow = memo(Row);
