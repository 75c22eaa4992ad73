// npm run mutate                              tries every mutant of the catalog and reports the score
// npm run mutate -- --sample                  the fixed sample that the slow tests run
// npm run mutate -- --only src/turn/judge     mutants whose file or description contains the text
// npm run mutate -- --histories 500 --jobs 1  simulator histories per mutant that no test notices; processes
// npm run mutate -- --save                    also stores which test noticed each mutant; it is tried first from then on
// npm run mutate -- --new                     only mutants for which no such test is stored
// npm run mutate -- --resume                  continues a run of the same sources and tests that was interrupted
// npm run mutate -- --check                   only checks that every mutant can be applied
// npm run mutate -- --propose src/turn/x.ts   prints mutants made by rules, to choose from
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { catalogErrors, type Mutant, readCatalog, saveNoticedBy } from "./mutate/catalog.ts";
import { proposeMutants } from "./mutate/rules.ts";
import { keyOf, openSavedRun } from "./mutate/saved-run.ts";
import { type Limits, type Tried, tryMutants } from "./mutate/try-mutants.ts";

const ROOT = resolve(import.meta.dirname, "..");
const SCORE_MIN = 0.95;

const { values } = parseArgs({
  options: {
    sample: { type: "boolean", default: false },
    only: { type: "string" },
    histories: { type: "string", default: "2000" },
    tests: { type: "string", default: "1000" },
    jobs: { type: "string", default: "1" },
    save: { type: "boolean", default: false },
    new: { type: "boolean", default: false },
    resume: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    propose: { type: "string" },
  },
});

function parseCount(name: "histories" | "tests" | "jobs"): number {
  const count = Number(values[name]);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  console.error(`--${name} must be a whole number, not ${values[name]}`);
  process.exit(2);
}

function selectMutants(catalog: readonly Mutant[]): readonly Mutant[] {
  const { only, sample } = values;
  const known = values.new ? catalog.filter((mutant) => mutant.noticed_by === undefined) : catalog;
  const sampled = sample ? known.filter((mutant) => mutant.sample) : known;
  return only === undefined ? sampled : sampled.filter(({ file, what }) => file.includes(only) || what.includes(only));
}

function reportTried({ mutant, verdict, ms }: Tried, progress: string): void {
  if (values.save && verdict.file) saveNoticedBy(ROOT, mutant, verdict.file);
  const name = verdict.killed ? "killed  " : mutant.survives ? "known   " : "SURVIVED";
  console.log(`${progress} ${name} ${String(ms).padStart(6)} ms  ${mutant.file}: ${mutant.what}`);
  if (!verdict.killed || mutant.survives)
    console.log(`         ${mutant.find}  →  ${mutant.replace}\n         ${verdict.by}`);
}

function summarize(tried: readonly Tried[]): number {
  const killed = tried.filter(({ verdict }) => verdict.killed).length;
  const unknown = tried.filter(({ mutant, verdict }) => !verdict.killed && !mutant.survives);
  const outdated = tried.filter(({ mutant, verdict }) => verdict.killed && mutant.survives);
  const score = killed / tried.length;
  console.log(`${killed} of ${tried.length} mutants were noticed (${(score * 100).toFixed(1)} %).`);
  for (const { mutant } of unknown) console.log(`Nobody noticed: ${mutant.file}: ${mutant.what}`);
  for (const { mutant } of outdated)
    console.log(`Noticed although listed as a survivor: ${mutant.file}: ${mutant.what}`);
  return unknown.length > 0 || score < SCORE_MIN ? 1 : 0;
}

async function tryAll(mutants: readonly Mutant[], limits: Limits): Promise<readonly Tried[]> {
  const run = openSavedRun(ROOT, mutants, limits);
  const taken = values.resume ? run.tried : [];
  if (taken.length > 0) console.log(`${taken.length} verdicts are taken from ${run.path}.`);
  const known = new Set(taken.map(({ mutant }) => keyOf(mutant)));
  const left = mutants.filter((mutant) => !known.has(keyOf(mutant)));
  let done = taken.length;
  const onTried = (tried: Tried): void => {
    if (tried.ended) run.add(tried);
    done += 1;
    reportTried(tried, `${done}/${mutants.length}`);
  };
  return [...taken, ...(await tryMutants(left, limits, parseCount("jobs"), onTried))];
}

async function main(): Promise<number> {
  if (values.propose !== undefined) {
    const proposed = proposeMutants(values.propose, readFileSync(join(ROOT, values.propose), "utf8"));
    console.log(JSON.stringify(proposed, null, 2));
    return 0;
  }
  const catalog = readCatalog(ROOT);
  const selected = selectMutants(catalog);
  if (selected.length === 0) {
    console.error("No mutant of the catalog fits these options.");
    return 2;
  }
  const errors = catalogErrors(ROOT, values.check ? catalog : selected);
  for (const error of errors) console.error(error);
  if (errors.length > 0) return 2;
  if (values.check) {
    console.log(`All ${catalog.length} mutants can be applied.`);
    return 0;
  }
  const limits = { histories: parseCount("histories"), tests_max: parseCount("tests") };
  return summarize(await tryAll(selected, limits));
}

process.exit(await main());
