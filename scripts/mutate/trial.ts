// A process that tries mutants one after another in a single Vitest. The source text is patched when it is loaded, so
// nothing is written to disk. It receives a mutant as a message and answers with the verdict.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import { applyMutant, type Mutant } from "./catalog.ts";
import { readImporters, relatedTests } from "./import-graph.ts";

export type Trial = { readonly mutant: Mutant; readonly tests_max: number; readonly histories: number };
export type Verdict = {
  readonly killed: boolean;
  readonly file: string | null;
  /** The first failing test, or how many test files passed. */
  readonly by: string;
};

const ROOT = resolve(import.meta.dirname, "../..");
const HISTORIES = "test/mutants/histories.ts";
/** Batches: the test that last noticed the mutant, then those next to the code, which notice most. */
const BATCHES = [1, 4, 16, Number.POSITIVE_INFINITY];

let active: Mutant | null = null;

const patch = {
  name: "mutant",
  enforce: "pre" as const,
  load(id: string) {
    if (!active || id.split("?")[0] !== join(ROOT, active.file)) return null;
    return applyMutant(readFileSync(join(ROOT, active.file), "utf8"), active);
  },
};

const vitest = await createVitest(
  {
    root: ROOT,
    config: false,
    watch: false,
    include: ["test/**/*.test.ts", HISTORIES],
    exclude: ["test/**/*.slow.test.ts"],
    isolate: false,
    pool: "threads",
    maxWorkers: 1,
    bail: 1,
    testTimeout: 20_000,
    // The cache identifies a module by its file's content, which a mutant does not change.
    fsModuleCache: false,
    reporters: [{}],
    // A mutant may leave a promise that nobody awaits, which alone is not a verdict.
    dangerouslyIgnoreUnhandledErrors: true,
  },
  { plugins: [patch], server: { watch: null } },
);
const importers = readImporters(ROOT);

type Failure = { readonly file: string; readonly by: string };

async function runFiles(instance: Vitest, files: readonly string[]): Promise<Failure | null> {
  const specifications = (
    await Promise.all(files.map((file) => instance.globTestSpecifications([join(ROOT, file)])))
  ).flat();
  // Vitest also counts the failures of earlier runs, and with `bail` they would end this run before it starts.
  instance.state.filesMap.clear();
  instance.state.idMap.clear();
  const { testModules } = await instance.runTestSpecifications(specifications, true);
  return firstFailure(testModules);
}

function firstFailure(modules: readonly TestModule[]): Failure | null {
  for (const module of modules) {
    const file = module.relativeModuleId;
    for (const failed of module.children.allTests("failed")) return { file, by: `${file}: ${failed.fullName}` };
    if (module.state() === "failed") return { file, by: `${file}: ${module.errors()[0]?.message ?? "failed"}` };
  }
  return null;
}

/** Returns all tests that may notice the mutant, and the histories last. */
function testsFor({ mutant, tests_max, histories }: Trial): readonly string[] {
  const related = relatedTests(importers, mutant.file);
  const all = [...related.slice(0, tests_max), ...(histories > 0 ? [HISTORIES] : [])];
  const first = mutant.noticed_by;
  if (first === undefined || !(related.includes(first) || all.includes(first))) return all;
  return [first, ...all.filter((file) => file !== first)];
}

/** Confirms a failure: it repeats, and does not occur without the mutant. On a loaded machine, tests time out. */
async function isConfirmed(mutant: Mutant, { file }: Failure): Promise<boolean> {
  const again = await runFiles(vitest, [file]);
  if (!again) return false;
  setActive(null, mutant.file);
  const clean = await runFiles(vitest, [file]);
  setActive(mutant, mutant.file);
  return clean === null;
}

/** A run ends at its first failure, so after one that is not confirmed all other files run again. */
async function confirmedFailure(mutant: Mutant, files: readonly string[]): Promise<Failure | null> {
  if (files.length === 0) return null;
  const failure = await runFiles(vitest, files);
  if (!failure || (await isConfirmed(mutant, failure))) return failure;
  const others = files.filter((file) => file !== failure.file);
  return others.length < files.length ? confirmedFailure(mutant, others) : null;
}

function setActive(mutant: Mutant | null, file: string): void {
  active = mutant;
  vitest.invalidateFile(join(ROOT, file));
}

async function runTrial(trial: Trial): Promise<Verdict> {
  const { mutant, histories } = trial;
  process.env.PAWL_MUTANT_HISTORIES = String(histories);
  process.env.PAWL_MUTANT_FILE = mutant.file;
  setActive(mutant, mutant.file);
  try {
    const tests = testsFor(trial);
    for (let start = 0, batch = 0; start < tests.length; batch += 1) {
      const end = start + (BATCHES[batch] ?? Number.POSITIVE_INFINITY);
      const failure = await confirmedFailure(mutant, tests.slice(start, end));
      if (failure) return { killed: true, ...failure };
      start = end;
    }
    return { killed: false, file: null, by: `${tests.length} test files and ${histories} histories passed` };
  } finally {
    setActive(null, mutant.file);
  }
}

process.on("message", (trial: Trial) => {
  runTrial(trial).then(
    (verdict) => process.send?.(verdict),
    (error: unknown) => process.send?.({ killed: false, file: null, by: `error: ${String(error)}` } satisfies Verdict),
  );
});
process.send?.("ready");
