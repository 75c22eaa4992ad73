// Formats the figures of a turn, compared with the bare file and with the same turn at other ages.
import type { Section } from "./report.ts";
import type { AgeMeasurement } from "./turn-ages.ts";

export type Medians = { readonly turn: number; readonly roundTrip: number; readonly write: number };
export type Costs = {
  /** The medians if the thread's newest rows are cached from the previous turn. */
  readonly cached: Medians;
  /** The medians if the rows had to be read, because another process wrote in between. */
  readonly uncached: Medians;
  readonly cpu_ms: number;
  readonly bare_pages: number;
};

const DESCRIPTION = `A pure turn with an observation of 2 KB, without model time, one thread, SQLite with \`synchronous=FULL\`. The
**bare write** inserts one row of the same bytes into a table with an integer key, in a file with the same settings on the
same disk; the **bare round trip** also reads the newest seventeen rows first, and parses and serializes JSON. All are measured
alternately in one process, and the medians are compared.`;

export function sectionOf(costs: Costs, ages: readonly AgeMeasurement[]): Section {
  const { cached, uncached, cpu_ms, bare_pages } = costs;
  const { turn, roundTrip, write } = cached;
  const [young, full, , oldest] = ages;
  const thousand = ages[2];
  const ratio = (a: number | undefined, b: number | undefined): string => ((a ?? 0) / (b || 1)).toFixed(2);
  return {
    name: "turn",
    title: "What a turn costs",
    description: DESCRIPTION,
    rows: [
      ["turn / bare round trip (target 2)", ratio(turn, roundTrip)],
      ["turn / bare write (target 3)", ratio(turn, write)],
      [
        "the same when another process wrote in between, so that the rows are read",
        `${ratio(uncached.turn, uncached.roundTrip)} and ${ratio(uncached.turn, uncached.write)}`,
      ],
      ["turn, bare round trip, bare write", [turn, roundTrip, write].map((ms) => `${ms.toFixed(3)} ms`).join(", ")],
      ["CPU time of a turn", `${cpu_ms.toFixed(3)} ms`],
      ["pages in the log of a bare write", bare_pages],
      ...ages.map(({ turn: n, ms, row, pages }): Section["rows"][number] => [
        `turn ${n.toLocaleString("en")}`,
        `${ms.toFixed(3)} ms, ${Buffer.byteLength(row.entry)} + ${Buffer.byteLength(row.state)} bytes (entry, state), ${pages.toFixed(1)} pages`,
      ]),
      ["turn 1,000 / turn 18 (target 1.1)", ratio(thousand?.ms, young?.ms)],
      ["turn 10,000 / turn 100 (target 1.1)", ratio(oldest?.ms, full?.ms)],
    ],
    plot: {
      title: "microseconds of a turn by the age of its thread",
      labels: ages.map(({ turn: n }) => `turn ${n.toLocaleString("en")}`),
      series: [{ name: "microseconds", values: ages.map(({ ms }) => ms * 1000) }],
    },
  };
}
