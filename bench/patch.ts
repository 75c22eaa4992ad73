// Measures the patch matcher. Edits blocks in the files of the installed packages, adds noise of each class, and
// applies the edits.
import { applyPatch } from "../src/toolkits/files/patch/apply-patch.ts";
import { type BlockEdit, makeEdit, sourceFiles } from "./support/patch-edits.ts";
import { APPLICABLE_CLASSES, type NoiseClass, type PatchCase, REFUSED_CLASSES } from "./support/patch-noise.ts";
import { type Random, seededRandom } from "./support/random.ts";

const CASES = 150;
/**
 * The class with its own target. It needs many cases, because its share would otherwise depend on the files that the
 * seed picks.
 */
const WRONG_TOKENS = "one or two tokens wrong";
const WRONG_TOKENS_CASES = 900;
const TRIES_PER_CASE_MAX = 60;
const SEED = 20_260;

type Score = { cases: number; located: number; exact: number; wrong: number; refused: number };

const emptyScore = (): Score => ({ cases: 0, located: 0, exact: 0, wrong: 0, refused: 0 });

export function run(): void {
  const files = sourceFiles();
  console.log(
    `patch: ${files.length} files of the installed packages, up to ${CASES} edits per class, and ${WRONG_TOKENS_CASES} of "${WRONG_TOKENS}"\n`,
  );
  console.log(`${"class".padEnd(26)} cases  located    exact    wrong  refused`);
  const edited = measureAll(files, APPLICABLE_CLASSES);
  const tokens = measure(files, APPLICABLE_CLASSES[WRONG_TOKENS] as NoiseClass, seededRandom(SEED), WRONG_TOKENS_CASES);
  const refused = measureAll(files, REFUSED_CLASSES);
  printRow("all edits", edited);
  printRow("all to refuse", refused);
  printRow(WRONG_TOKENS, tokens);
  const wrong = (edited.wrong + tokens.wrong + refused.wrong) / (edited.cases + tokens.cases + refused.cases);
  console.log(
    `\nwrong overall: ${(100 * wrong).toFixed(2)} %. Target: located >= 93 %, exact >= 90 %, wrong <= 0.3 %, and 85 % of wrong tokens located.`,
  );
  const located = edited.located >= 0.93 * edited.cases && tokens.located >= 0.85 * tokens.cases;
  if (!located || edited.exact < 0.9 * edited.cases || wrong > 0.003) process.exitCode = 1;
}

function measureAll(files: readonly string[][], classes: Readonly<Record<string, NoiseClass>>): Score {
  const total = emptyScore();
  for (const [index, [name, noise]] of Object.entries(classes).entries()) {
    const score = measure(files, noise, seededRandom(SEED + index));
    for (const key of Object.keys(total) as (keyof Score)[]) total[key] += score[key];
    printRow(name, score);
  }
  return total;
}

function measure(files: readonly string[][], noise: NoiseClass, random: Random, cases = CASES): Score {
  const score = emptyScore();
  for (let tries = 0; tries < cases * TRIES_PER_CASE_MAX && score.cases < cases; tries += 1) {
    const [edit, other] = [randomEdit(files, random), randomEdit(files, random)];
    const patchCase = edit && other ? noise(edit, random, other) : null;
    if (edit && patchCase) scoreCase(score, edit, patchCase);
  }
  return score;
}

function randomEdit(files: readonly string[][], random: Random): BlockEdit | null {
  const lines = random.pick(files);
  return lines ? makeEdit(lines, random) : null;
}

function scoreCase(score: Score, edit: BlockEdit, { content, old, replacement, expected }: PatchCase): void {
  score.cases += 1;
  const result = applyPatch(content, old, replacement);
  if (!result.ok) {
    score.refused += 1;
    return;
  }
  const line = content.slice(0, result.matches[0]?.startIndex).split("\n").length - 1;
  const near = expected !== null && Math.abs(line - edit.first) <= 2;
  score.located += near ? 1 : 0;
  score.wrong += near ? 0 : 1;
  score.exact += result.content === expected ? 1 : 0;
}

function printRow(name: string, { cases, located, exact, wrong, refused }: Score): void {
  const share = (count: number) => `${((100 * count) / Math.max(1, cases)).toFixed(1)} %`.padStart(9);
  console.log(name.padEnd(26) + String(cases).padStart(6) + [located, exact, wrong, refused].map(share).join(""));
}

if (import.meta.main) run();
