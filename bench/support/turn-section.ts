// The figures of a turn in words: how it compares with the bare file, and with itself at other ages.
import type { Section } from "./report.ts";
import type { Age } from "./turn-ages.ts";

/** In milliseconds. */
export type Medians = { readonly turn: number; readonly whole: number; readonly write: number };
export type Costs = {
  /** The thread's newest rows are held from the turn before. */
  readonly held: Medians;
  /** They had to be read, because another process wrote in between. */
  readonly read: Medians;
  readonly cpu_ms: number;
  readonly bare_pages: number;
};

const SAYS = `A pure turn with an observation of 2 KB, the model's time excluded, one thread, SQLite with \`synchronous=FULL\`. The
**bare write** inserts one row of the same bytes into a table with a number as its key, in a file of the same settings on the
same disk; the **bare round trip** reads the newest seventeen rows before it, and JSON goes both ways. All are measured in
turns, in one process, and the medians are compared.`;

export function sectionOf(costs: Costs, ages: readonly Age[]): Section {
  const { held, read, cpu_ms, bare_pages } = costs;
  const { turn, whole, write } = held;
  const [young, full, , oldest] = ages;
  const thousand = ages[2];
  const over = (a: number | undefined, b: number | undefined): string => ((a ?? 0) / (b || 1)).toFixed(2);
  return {
    name: "turn",
    title: "What a turn costs",
    says: SAYS,
    rows: [
      ["turn / bare round trip (target 2)", over(turn, whole)],
      ["turn / bare write (target 3)", over(turn, write)],
      [
        "the same when another process wrote in between, so that the rows are read",
        `${over(read.turn, read.whole)} and ${over(read.turn, read.write)}`,
      ],
      ["turn, bare round trip, bare write", [turn, whole, write].map((ms) => `${ms.toFixed(3)} ms`).join(", ")],
      ["processor time of a turn", `${cpu_ms.toFixed(3)} ms`],
      ["pages in the log of a bare write", bare_pages],
      ...ages.map(({ turn: n, ms, row, pages }): Section["rows"][number] => [
        `turn ${n.toLocaleString("en")}`,
        `${ms.toFixed(3)} ms, ${Buffer.byteLength(row.entry)} + ${Buffer.byteLength(row.state)} bytes (entry, state), ${pages.toFixed(1)} pages`,
      ]),
      ["turn 1,000 / turn 18 (target 1.1)", over(thousand?.ms, young?.ms)],
      ["turn 10,000 / turn 100 (target 1.1)", over(oldest?.ms, full?.ms)],
    ],
    plot: {
      title: "microseconds of a turn by the age of its thread",
      below: ages.map(({ turn: n }) => `turn ${n.toLocaleString("en")}`),
      series: [{ name: "microseconds", values: ages.map(({ ms }) => ms * 1000) }],
    },
  };
}
