// Shows the state diagram of the thread with the current state highlighted, and the most recent signals.
import type { FC } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import { t } from "../messages/messages.ts";
import type { Turn } from "../thread/conversation.ts";
import { BOXES, type Box, DIAGRAM_SIZE, EDGES } from "./machine-layout.ts";

const HEAD = 24;
const ROW = 24;
const SIGNALS_SHOWN = 8;

const nameOf = (state: string): string => t().panels.stateName(state);

export const MachinePanel: FC<{ thread: ThreadView; turns: readonly Turn[] }> = ({ thread, turns }) => {
  const position = [thread.state, ...(thread.at ? [thread.at] : [])].map(nameOf).join(", ");
  const signals = turns
    .flatMap((turn) =>
      turn.records.flatMap((record) => record.signals.map((signal) => ({ signal, turn: turn.number }))),
    )
    .slice(-SIGNALS_SHOWN)
    .reverse();
  return (
    <div class="machine">
      <svg
        viewBox={`0 0 ${DIAGRAM_SIZE.width} ${DIAGRAM_SIZE.height}`}
        role="img"
        aria-label={t().panels.currentState(position)}
      >
        <defs>
          <marker id="edge-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path class="edge-tip" d="M0 1L7 4L0 7" />
          </marker>
        </defs>
        {EDGES.map((edge) => (
          <path
            key={`${edge.from}>${edge.to}`}
            class={`edge ${edge.from === thread.state ? "edge-active" : ""}`}
            d={edge.d}
            marker-end="url(#edge-tip)"
          />
        ))}
        {BOXES.map((box) => (
          <StateBox key={box.id} box={box} isCurrent={box.id === thread.state} at={thread.at} />
        ))}
      </svg>
      <p class="small">
        {t().panels.currentStateLabel} <strong>{position}</strong>
        {thread.outcome ? (
          <span class="quiet"> · {t().panels.lastRun(t().labels.outcomes[thread.outcome])}</span>
        ) : null}
      </p>
      {signals.length > 0 ? (
        <>
          <h3 class="panel-title">{t().panels.signals}</h3>
          <ul class="plain-list small">
            {signals.map(({ signal, turn }, i) => (
              <li key={`${turn}:${i}`}>
                <code>{signal}</code> <span class="quiet">{t().panels.turn(turn)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
};

const StateBox: FC<{ box: Box; isCurrent: boolean; at: string | null }> = ({ box, isCurrent, at }) => (
  <g class={`state ${isCurrent ? "state-current" : ""}`}>
    <rect x={box.x} y={box.y} width={box.w} height={box.h} rx="8" />
    <text class="state-name" x={box.x + 12} y={box.y + (box.substates.length > 0 ? 18 : 23)}>
      {nameOf(box.id)}
    </text>
    {box.substates.map((name, i) => (
      <g key={name} class={`substate ${isCurrent && name === at ? "substate-current" : ""}`}>
        <rect x={box.x + 8} y={box.y + HEAD + i * ROW + 2} width={box.w - 16} height={ROW - 4} rx="5" />
        <text x={box.x + 18} y={box.y + HEAD + i * ROW + 16}>
          {nameOf(name)}
        </text>
      </g>
    ))}
  </g>
);
