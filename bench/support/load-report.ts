// The figures of the load as a page with a plot, for people who look rather than read.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

export type LoadFigures = {
  readonly threads: number;
  readonly seconds: number;
  readonly turns: number;
  readonly per_second: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  readonly lost: number;
  readonly memory_start: number;
  readonly memory_end: number;
};
export type ParkedFigures = {
  readonly count: number;
  readonly memory_start: number;
  readonly memory_end: number;
  readonly resume_p50: number;
  readonly resume_p99: number;
};

const root = join(import.meta.dirname, "../..");

export function writeReport(load: LoadFigures, parked: ParkedFigures, keep: boolean): string {
  const table = tableOf(load, parked);
  if (!keep) return table;
  mkdirSync(join(root, "docs/images"), { recursive: true });
  writeFileSync(join(root, "docs/images/load.svg"), plotOf(load.per_second));
  writeFileSync(join(root, "docs/reference/benchmarks.md"), pageOf(table));
  return table;
}

function tableOf(load: LoadFigures, parked: ParkedFigures): string {
  const rows = [
    ["threads at once", load.threads],
    ["turns per second", Math.round(load.turns / load.seconds)],
    ["p50 / p99 of a turn", `${load.p50.toFixed(1)} / ${load.p99.toFixed(1)} ms`],
    ["errors", load.errors],
    ["acknowledged turns that are not in the log", load.lost],
    ["resident memory, start → end", `${load.memory_start} → ${load.memory_end} MB`],
    ["parked confirmations", parked.count],
    ["resident memory, none → all parked", `${parked.memory_start} → ${parked.memory_end} MB`],
    ["p50 / p99 to resume one", `${parked.resume_p50.toFixed(1)} / ${parked.resume_p99.toFixed(1)} ms`],
  ];
  return ["| what | figure |", "|---|---|", ...rows.map(([what, figure]) => `| ${what} | ${figure} |`)].join("\n");
}

function pageOf(table: string): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform}`;
  return `# Benchmarks

Measured on ${machine}: SQLite with \`synchronous=FULL\`, a model that answers at once, one process. Seconds are this machine's;
repeat it on yours with \`npm run bench -- load\`. What does not depend on the machine is shown as ratios by
\`npm run bench -- turn\` and \`npm run bench -- core\`.

${table}

![turns per second over the run](../images/load.svg)
`;
}

const WIDTH = 640;
const HEIGHT = 200;
const PAD = 36;

function plotOf(per_second: readonly number[]): string {
  const top = Math.max(1, ...per_second) * 1.1;
  const x = (i: number): number => PAD + (i / Math.max(1, per_second.length - 1)) * (WIDTH - 2 * PAD);
  const y = (value: number): number => HEIGHT - PAD - (value / top) * (HEIGHT - 2 * PAD);
  const points = per_second.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const label = (px: number, py: number, text: string, anchor = "middle"): string =>
    `<text x="${px}" y="${py}" font-size="11" font-family="system-ui, sans-serif" fill="#667" text-anchor="${anchor}">${text}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="turns per second over the run">`,
    `<line x1="${PAD}" y1="${y(0)}" x2="${WIDTH - PAD}" y2="${y(0)}" stroke="#99a"/>`,
    `<polyline points="${points}" fill="none" stroke="#2a6fdb" stroke-width="2"/>`,
    label(PAD - 6, y(top / 1.1) + 4, String(Math.round(top / 1.1)), "end"),
    label(PAD - 6, y(0) + 4, "0", "end"),
    label(WIDTH / 2, HEIGHT - 10, `seconds (${per_second.length})`),
    label(PAD, 18, "turns per second", "start"),
    "</svg>",
  ].join("\n");
}
