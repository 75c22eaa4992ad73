// The files that a step or a goal names, and which of them a call is about. In any language: a look that is not about the file
// that a step names does not prove the step.
import type { Proof, ThreadState } from "../../schema/thread.ts";

/** Well-known endings only: "e.g." and "12.Nov" are no files. */
const ENDINGS =
  "txt|md|csv|tsv|json|jsonl|ya?ml|toml|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|cc?|h|[ch]pp|cs|php|sh|ps1|sql|log|ini|cfg|conf|env|lock|pdf|docx?|xlsx?|pptx?|odt|ods|rtf|tex|png|jpe?g|gif|svg|webp|ics|vcf|zip|tar|gz|db|sqlite|ipynb|swift|lua|vue|svelte|diff|patch|bak";
/** Scripts without spaces are left out of names: "写到report.txt里" names report.txt. */
const FILE = new RegExp(
  String.raw`(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{N}_@~./\\-])*[\p{L}\p{N}_-]\.(?:${ENDINGS})(?![a-z0-9_-]|\.[a-z0-9])`,
  "giu",
);
/** Products that are named like a file. */
const PRODUCT = /^[A-Z][A-Za-z]+\.js$/;
const FILES_MAX = 8;

const baseName = (path: string): string => (path.split(/[\\/]/).at(-1) ?? path).toLowerCase();

/** Without folders, in small letters: a call may name the folder in another argument. */
const readFiles = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(FILE)].flatMap(([file]) => (PRODUCT.test(file) ? [] : [baseName(file)]))),
];

const known = new Map<string, readonly string[]>();
const KNOWN_MAX = 500;
const KNOWN_CHARS_MAX = 2_000;

/** Goals and steps are the same in all turns of a run, and to search them takes longer than most of what a turn does. */
function filesIn(text: string): readonly string[] {
  const found = known.get(text);
  if (found) return found;
  const files = readFiles(text);
  if (known.size >= KNOWN_MAX) known.clear();
  if (text.length <= KNOWN_CHARS_MAX) known.set(text, files);
  return files;
}

const textsOf = ({ plan, goal }: Pick<ThreadState, "plan" | "goal">): readonly string[] => [
  goal,
  ...(plan ?? []).flatMap(({ content, done_when }) => [content, done_when ?? ""]),
];

/** Which of the files of the run a call is about; null if the run names none. `call`: its arguments, and the output of a command. */
export function filesOfCall(state: Pick<ThreadState, "plan" | "goal">, call: () => string): string[] | null {
  const files = [...new Set(textsOf(state).flatMap(filesIn))];
  if (files.length === 0) return null;
  const text = call().toLowerCase();
  return files.filter((file) => text.includes(file)).slice(0, FILES_MAX);
}

/** The text names files, and no call of the run was about one of them. Proofs of earlier releases do not say what they are about. */
export function isAboutOtherFiles(text: string, proofs: readonly Proof[]): boolean {
  const files = filesIn(text);
  if (files.length === 0) return false;
  return proofs.every(({ files: known }) => known !== undefined && !known.some((file) => files.includes(file)));
}
