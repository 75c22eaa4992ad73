// Plots prompt size and stored bytes per turn, to show that neither grows with the age of the thread.
import { type FC, memo } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { Disclosure } from "../parts/components.tsx";
import { formatBytes, formatNumber } from "../parts/format.ts";
import { Table } from "../parts/table.tsx";
import type { Turn } from "../thread/conversation.ts";
import { highestOf, plotPoints, promptSizes, recordSizes, roundedMax, type Sample } from "./plot.ts";

/** The maximum number of points with a circle. More circles would touch each other. */
const POINTS_MAX = 30;
/** The maximum number of points of the line: one for every second pixel of the frame. */
const LINE_POINTS_MAX = 170;
const FRAME = { width: 340, height: 120, pad: 12 };

const Panel: FC<{ turns: readonly Turn[] }> = ({ turns }) => (
  <div>
    <Plot
      title={t().panels.promptSize}
      unit={t().panels.promptUnit}
      samples={promptSizes(turns)}
      format={formatNumber}
    />
    <Plot
      title={t().panels.storedData}
      unit={t().panels.storedUnit}
      samples={recordSizes(turns)}
      format={formatBytes}
    />
    <p class="quiet small">{t().panels.usageNote}</p>
  </div>
);

export const UsagePanel = memo(Panel);

type PlotProps = {
  readonly title: string;
  readonly unit: string;
  readonly samples: readonly Sample[];
  readonly format: (value: number) => string;
};

const Plot: FC<PlotProps> = ({ title, unit, samples, format }) => {
  const last = samples.at(-1);
  if (!last) return <p class="quiet">{t().panels.noData(title)}</p>;
  const plotted = plotPoints(highestOf(samples, LINE_POINTS_MAX), FRAME);
  const top = roundedMax(Math.max(...samples.map((one) => one.value)));
  const base = FRAME.height - FRAME.pad;
  return (
    <figure class="plot">
      <figcaption class="row spread">
        <span>
          <strong>{title}</strong> <span class="quiet small">{unit}</span>
        </span>
        <span class="quiet small">{t().panels.turnValue(last.turn, format(last.value))}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
        role="img"
        aria-label={t().panels.plotLabel(title, unit, t().panels.turnValue(last.turn, format(last.value)), format(top))}
      >
        <path class="plot-grid" d={`M0 ${FRAME.pad}H${FRAME.width}M0 ${base}H${FRAME.width}`} />
        <text class="plot-label" x="0" y={FRAME.pad - 3}>
          {format(top)}
        </text>
        <path
          class="plot-line"
          d={plotted.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("")}
        />
        {plotted.length > POINTS_MAX
          ? null
          : plotted.map(({ x, y, turn, value }) => (
              <circle key={turn} class="plot-point" cx={x.toFixed(1)} cy={y.toFixed(1)} r="3">
                <title>{t().panels.turnValue(turn, format(value))}</title>
              </circle>
            ))}
      </svg>
      <Disclosure label={t().panels.values}>
        {() => (
          <Table
            label={t().panels.perTurn(title)}
            columns={[t().panels.turnColumn, unit]}
            rows={samples.map(({ turn, value }) => [turn, format(value)])}
          />
        )}
      </Disclosure>
    </figure>
  );
};
