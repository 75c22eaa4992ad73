// Finds the files that a step or a goal names. An observation about another file does not prove the step.
import type { Proof, ThreadState } from "../../schema/thread.ts";

/** Only well-known file extensions, because "e.g." and "12.Nov" are not files. */
const ENDINGS =
  "txt|md|csv|tsv|json|jsonl|ya?ml|toml|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|cc?|h|[ch]pp|cs|php|sh|ps1|sql|log|ini|cfg|conf|env|lock|pdf|docx?|xlsx?|pptx?|odt|ods|rtf|tex|png|jpe?g|gif|svg|webp|ics|vcf|zip|tar|gz|db|sqlite|ipynb|swift|lua|vue|svelte|diff|patch|bak";
/**
 * Matches file names. Characters of languages written without spaces do not belong to a name, except directly before its dot: "写到report.txt里" names
 * report.txt.
 */
const FILE = new RegExp(
  String.raw`(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{N}_@~./\\-])*[\p{L}\p{N}_-]\.(?:${ENDINGS})(?![a-z0-9_-]|\.[a-z0-9])`,
  "giu",
);
/** Matches products with names that look like file names. */
const PRODUCT = /^[A-Z][A-Za-z]+\.js$/;
const FILES_MAX = 8;

const baseName = (path: string): string => (path.split(/[\\/]/).at(-1) ?? path).toLowerCase();

/** Returns names without folders and in lower case, because a call may name the folder in another argument. */
const readFiles = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(FILE)].flatMap(([file]) => (PRODUCT.test(file) ? [] : [baseName(file)]))),
];

const known = new Map<string, readonly string[]>();
const KNOWN_MAX = 500;
const KNOWN_CHARS_MAX = 2_000;

/** Caches the files named in a goal or a step, because these stay the same during a run, and searching them takes longer than most parts of a turn. */
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

/** Null if the run names no files. `call` returns the arguments and, for a command, its output. */
export function filesOfCall(state: Pick<ThreadState, "plan" | "goal">, call: () => string): string[] | null {
  const files = [...new Set(textsOf(state).flatMap(filesIn))];
  if (files.length === 0) return null;
  const text = call().toLowerCase();
  return files.filter((file) => names(text, file)).slice(0, FILES_MAX);
}

/** True if the text names the file. The name must not be the end of another name: "old-report.txt" is not report.txt. */
function names(text: string, file: string): boolean {
  for (let at = text.indexOf(file); at >= 0; at = text.indexOf(file, at + 1))
    if (!/[\p{Script=Latin}\p{N}_-]/u.test(text[at - 1] ?? "")) return true;
  return false;
}

/** Matches orders to write the file that follows. "Fix the test in a.test.js" is not one of them, because the fix may be in another file. */
const WRITES = [
  String.raw`\b(?:write|writing|overwrite|create|creating|save|saving|delete|deleting|remove|rename|edit|update|append|store)\b(?:[^.,;]{0,40}?\b(?:to|into|in|as))?`,
  String.raw`\b(?:schreibe?|erstelle?|lösche?|speichere?|aktualisiere?|crea[r]?|borra[r]?|escrib(?:e|ir))\b`,
  String.raw`\b(?:écri(?:s|re|vez)|cré(?:e|er|ez)|supprime[rz]?)(?!\p{L})`,
  "写(?:入|到|进)?|保存(?:到|为)?|创建|新建|删除|编辑|修改|更新",
].join("|");
const ARTICLES = "the|an?|new|die|eine|le|la|un|el|file|datei|fichier|archivo|文件|named|called";
const WRITTEN = new RegExp(String.raw`(?:${WRITES})\s*(?:(?:${ARTICLES})\s*)*["'\x60“”]?(${FILE.source})`, "giu");

/** True if the text orders to write a file, and all writes were to other files. A write whose files are unknown may have been to this one. */
export function writesOtherFiles(text: string, proofs: readonly Proof[]): boolean {
  const files = [...text.matchAll(WRITTEN)].map((match) => baseName(match[1] ?? ""));
  const writes = proofs.filter(({ kind }) => kind === "write");
  if (files.length === 0 || writes.length === 0) return false;
  return writes.every(({ files: known }) => known !== undefined && !known.some((file) => files.includes(file)));
}

/** True if the text names files, and no call was about any of them. Proofs of earlier releases do not say what their calls were about. */
export function isAboutOtherFiles(text: string, proofs: readonly Proof[]): boolean {
  const files = filesIn(text);
  if (files.length === 0) return false;
  return proofs.every(({ files: known }) => known !== undefined && !known.some((file) => files.includes(file)));
}
