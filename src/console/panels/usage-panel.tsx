// Plots prompt size and stored bytes per turn, to show that neither grows with the age of the thread.
import type { FC } from "hono/jsx/dom";
import { Disclosure, SCROLLABLE } from "../parts/components.tsx";
import { formatBytes, formatNumber } from "../parts/format.ts";
import type { Turn } from "../thread/conversation.ts";
import { plotPoints, promptSizes, recordSizes, roundedMax, type Sample } from "./plot.ts";

const FRAME = { width: 340, height: 120, pad: 12 };

export const UsagePanel: FC<{ turns: readonly Turn[] }> = ({ turns }) => (
  <div>
    <Plot title="Prompt size" unit="tokens per model request" samples={promptSizes(turns)} format={formatNumber} />
    <Plot title="Stored data" unit="bytes" samples={recordSizes(turns)} format={formatBytes} />
    <p class="quiet small">
      Neither grows with the age of the thread: old turns are compacted, and each record holds only what changed.
    </p>
  </div>
);

type PlotProps = {
  readonly title: string;
  readonly unit: string;
  readonly samples: readonly Sample[];
  readonly format: (value: number) => string;
};

const Plot: FC<PlotProps> = ({ title, unit, samples, format }) => {
  const last = samples.at(-1);
  if (!last) return <p class="quiet">{title}: no data yet.</p>;
  const plotted = plotPoints(samples, FRAME);
  const top = roundedMax(Math.max(...samples.map((one) => one.value)));
  const base = FRAME.height - FRAME.pad;
  return (
    <figure class="plot">
      <figcaption class="row spread">
        <span>
          <strong>{title}</strong> <span class="quiet small">{unit}</span>
        </span>
        <span class="quiet small">
          turn {last.turn}: {format(last.value)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
        role="img"
        aria-label={`${title} per turn, ${unit}. Turn ${last.turn}: ${format(last.value)}. Scale maximum: ${format(top)}.`}
      >
        <path class="plot-grid" d={`M0 ${FRAME.pad}H${FRAME.width}M0 ${base}H${FRAME.width}`} />
        <text class="plot-label" x="0" y={FRAME.pad - 3}>
          {format(top)}
        </text>
        <path
          class="plot-line"
          d={plotted.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("")}
        />
        {plotted.length > 60
          ? null
          : plotted.map(({ x, y, turn, value }) => (
              <circle key={turn} class="plot-point" cx={x.toFixed(1)} cy={y.toFixed(1)} r="3">
                <title>{`turn ${turn}: ${format(value)}`}</title>
              </circle>
            ))}
      </svg>
      <Disclosure label="Values">
        {() => (
          <section class="table-scroll" aria-label={`${title} per turn`} {...SCROLLABLE}>
            <table>
              <thead>
                <tr>
                  <th scope="col">Turn</th>
                  <th scope="col">{unit}</th>
                </tr>
              </thead>
              <tbody>
                {samples.map((one) => (
                  <tr key={one.turn}>
                    <td>{one.turn}</td>
                    <td>{format(one.value)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Disclosure>
    </figure>
  );
};
