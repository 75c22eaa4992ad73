// npm run kill -- [--full] [--per-point 5] [--blind 100]   kills a real server with a real data file again and again
// --full: each fault point 25 times and 600 random instants; writes its table into docs/reference/guarantees.md.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type KillRow, killAtPoint, killAtRandom, killTable, POINTS } from "../test/kill/kills.ts";
import { bundleTarget } from "../test/kill/target-process.ts";

const PAGE = join(import.meta.dirname, "../docs/reference/guarantees.md");
const BEGIN = "<!-- written by npm run kill -- --full: begin -->";
const END = "<!-- end -->";
const PROGRESS_EVERY = 25;

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    "per-point": { type: "string" },
    blind: { type: "string" },
    page: { type: "string" },
  },
});

function parseCount(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`--${name} must be a whole number, not ${text}`);
  process.exit(2);
}
const perPoint = parseCount("per-point", values["per-point"] ?? (values.full ? "25" : "5"));
const randomKills = parseCount("blind", values.blind ?? (values.full ? "600" : "100"));

const started = performance.now();
const seconds = (): string => `${Math.round((performance.now() - started) / 1000)} s`;
const bundle = await bundleTarget();
const rows: KillRow[] = [];
for (const [n, point] of POINTS.entries()) {
  if (perPoint === 0) break;
  rows.push(await killAtPoint(bundle, point, perPoint));
  console.error(`${seconds().padStart(6)}  ${n + 1} of ${POINTS.length} points  ${point}: ${perPoint} kills`);
}
if (randomKills > 0) {
  const onKill = (kills: number): void => {
    if (kills % PROGRESS_EVERY === 0 || kills === randomKills)
      console.error(`${seconds().padStart(6)}  ${kills} of ${randomKills} random instants`);
  };
  rows.push(await killAtRandom(bundle, randomKills, onKill));
}
const table = killTable(rows);
console.log(table);
const notes = rows.flatMap((row) => row.notes);
for (const note of notes) console.log(note);
const page = values.page ?? (values.full ? PAGE : null);
if (page !== null) writeTable(page);
process.exit(notes.length === 0 ? 0 : 1);

/** Replaces the text between the two markers. The rest of the page is written by hand. */
function writeTable(path: string): void {
  const text = readFileSync(path, "utf8");
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END, begin);
  if (begin < 0 || end < 0) throw new Error(`${path} has no markers for the table`);
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Node ${process.versions.node}`;
  const heading = `Killed on ${new Date().toISOString().slice(0, 10)} on ${machine}, in ${seconds()}:`;
  const section = [BEGIN, heading, "", "```", table, "```", ""].join("\n");
  writeFileSync(path, text.slice(0, begin) + section + text.slice(end));
  console.error(`wrote ${path}`);
}
