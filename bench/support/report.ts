// The page of measurements: every measurement has a section of its own between marks, and writes only that.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { type Plot, renderPlot } from "./plot.ts";

export type Section = {
  /** Of the measurement, as in `npm run bench -- name`. */
  readonly name: string;
  readonly title: string;
  /** What was measured, in a sentence or two. */
  readonly description: string;
  readonly rows: readonly (readonly [what: string, figure: string | number])[];
  readonly plot: Plot;
};

const root = join(import.meta.dirname, "../..");
const PAGE = "docs/reference/benchmarks.md";
const PAGE_HEADER = `# Benchmarks

Seconds are those of the machine that each section names; repeat them on yours. What does not depend on the machine is shown as ratios
by \`npm run bench -- turn\` and \`npm run bench -- core\`.
`;

/** The table, for the terminal; `keep` also writes the section and its picture. */
export function writeReport(section: Section, save: boolean): string {
  const table = tableOf(section.rows);
  if (!save) return table;
  mkdirSync(join(root, "docs/images"), { recursive: true });
  writeFileSync(join(root, `docs/images/bench-${section.name}.svg`), renderPlot(section.plot));
  const page = existsSync(join(root, PAGE)) ? readFileSync(join(root, PAGE), "utf8") : PAGE_HEADER;
  writeFileSync(join(root, PAGE), withSection(page, section.name, textOf(section, table)));
  return table;
}

const tableOf = (rows: Section["rows"]): string =>
  ["| what | figure |", "|---|---|", ...rows.map(([what, figure]) => `| ${what} | ${figure} |`)].join("\n");

const textOf = ({ name, title, description, plot }: Section, table: string): string =>
  `## ${title}

${description} Measured on ${machine()}; again with \`npm run bench -- ${name}\`.

${table}

![${plot.title}](../images/bench-${name}.svg)`;

const machine = (): string => {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model ?? "unknown processor"}, ${memory} GiB, Node ${process.version}, ${process.platform}`;
};

/** The page with this section in place of the one that was there, or at its end. */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end of bench ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  const section = `${begin}\n${text}\n${end}`;
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`;
  return `${page.slice(0, from)}${section}${page.slice(to + end.length)}`;
}
