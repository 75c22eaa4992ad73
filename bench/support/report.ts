// Updates the page of benchmarks. Every benchmark has its own section between markers and writes only that section.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { type Plot, renderPlot } from "./plot.ts";

export type Section = {
  /** The name of the benchmark, as in `npm run bench -- name`. */
  readonly name: string;
  readonly title: string;
  /** The subject of the measurement, in one or two sentences. */
  readonly description: string;
  /** The titles of the columns. The default is "what" and "figure". */
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly plot: Plot;
};

const root = join(import.meta.dirname, "../..");
const PAGE = "docs/reference/benchmarks.md";
const PAGE_HEADER = "# Benchmarks\n";

/** Returns the table for the terminal; `save` also writes the section and its chart. */
export function writeReport(section: Section, save: boolean): string {
  const table = tableOf(section);
  if (!save) return table;
  mkdirSync(join(root, "docs/images"), { recursive: true });
  writeFileSync(join(root, `docs/images/bench-${section.name}.svg`), renderPlot(section.plot));
  const page = existsSync(join(root, PAGE)) ? readFileSync(join(root, PAGE), "utf8") : PAGE_HEADER;
  writeFileSync(join(root, PAGE), withSection(page, section.name, textOf(section, table)));
  return table;
}

const tableOf = ({ columns = ["what", "figure"], rows }: Section): string =>
  [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const textOf = ({ name, title, description, plot }: Section, table: string): string =>
  `## ${title}

${description} Measured on ${machine()}; repeat with \`npm run bench -- ${name}\`.

${table}

![${plot.title}](../images/bench-${name}.svg)`;

const machine = (): string => {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model ?? "unknown processor"}, ${memory} GiB, Node ${process.version}, ${process.platform}`;
};

/** Returns the page with this section replaced, or appended if it was missing. */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end of bench ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  const section = `${begin}\n${text}\n${end}`;
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`;
  return `${page.slice(0, from)}${section}${page.slice(to + end.length)}`;
}
