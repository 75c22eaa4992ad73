// Finds files by name and lines by pattern in any file tree. The time is bounded for every pattern and tree.
import type { FileTree, SearchEngine, TreeFile, WalkOptions } from "../../ports/file-tree.ts";
import type { FindQuery, GrepMatch, GrepQuery, SearchOperations } from "../../ports/operations.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { Glob } from "./glob.ts";
import { scanText } from "./scan-text.ts";
import { createSearchBudget, SEARCH_LIMITS, type SearchBudget, type SearchLimits } from "./search-budget.ts";

export type LinearSearchOptions = {
  readonly limits?: Partial<SearchLimits>;
  /** Folders that are entered only if a query names them. */
  readonly ignore?: readonly string[];
};

const PATHS_DEFAULT = 1_000;
const PATHS_MAX = 10_000;
const MATCHES_DEFAULT = 200;
const MATCHES_MAX = 1_000;
const CONTEXT_MAX = 10;
const BINARY_PROBE_BYTES = 8_192;

export function createLinearSearch(options: LinearSearchOptions = {}): SearchEngine {
  const limits = { ...SEARCH_LIMITS, ...options.limits };
  const ignore = options.ignore ?? [".git", "node_modules"];
  return (tree): SearchOperations => ({
    find: (query) => find(tree, query, limits, ignore),
    grep: (query) => grep(tree, query, limits, ignore),
  });
}

async function find(tree: FileTree, query: FindQuery, limits: SearchLimits, ignore: readonly string[]) {
  const { compileGlob } = await import("./glob.ts");
  const glob = compileGlob(query.glob);
  if (!glob.ok) return glob;
  const budget = createSearchBudget(limits.ms, query.signal);
  const walked = await tree.walk(query.under ?? ".", walkOptions(budget, glob.value, ignore));
  if (!walked.ok) return walked;
  const maxResults = Math.min(query.limit ?? PATHS_DEFAULT, PATHS_MAX);
  const paths: string[] = [];
  let files = 0;
  for await (const file of walked.value) {
    if (files >= limits.find_files) budget.stop("files");
    if (budget.isExhausted()) break;
    await budget.yieldIfDue();
    files++;
    if (!glob.value.matches(file.relative_path)) continue;
    if (paths.length >= maxResults) {
      budget.stop("matches");
      break;
    }
    paths.push(file.path);
  }
  return ok({ paths, files, stopped: budget.stopped() });
}

async function grep(tree: FileTree, query: GrepQuery, limits: SearchLimits, ignore: readonly string[]) {
  // Loaded on demand, because the engine for regular expressions is large and many programs never search.
  const [{ compileGlob }, { compilePattern }] = await Promise.all([import("./glob.ts"), import("./pattern.ts")]);
  const pattern = compilePattern(query);
  if (!pattern.ok) return pattern;
  const include: Result<Glob | null> = query.include === undefined ? ok(null) : compileGlob(query.include);
  if (!include.ok) return include;
  const budget = createSearchBudget(limits.ms, query.signal);
  const walked = await tree.walk(query.under ?? ".", walkOptions(budget, include.value, ignore));
  if (!walked.ok) return walked;
  const maxResults = Math.min(query.limit ?? MATCHES_DEFAULT, MATCHES_MAX);
  const context = Math.min(query.context ?? 0, CONTEXT_MAX);
  const matches: GrepMatch[] = [];
  const skipped = { binary: 0, unreadable: 0, partial: 0 };
  let files = 0;
  let bytes = 0;
  for await (const file of walked.value) {
    if (files >= limits.grep_files) budget.stop("files");
    if (bytes >= limits.bytes) budget.stop("bytes");
    if (budget.isExhausted()) break;
    await budget.yieldIfDue();
    if (include.value && !include.value.matches(file.relative_path)) continue;
    files++;
    const text = await readText(file, Math.min(limits.file_bytes, limits.bytes - bytes));
    bytes += text.bytes;
    if (text.kind !== "text") {
      skipped[text.kind]++;
      continue;
    }
    // Requests one match more than needed, to detect whether there are more.
    const remaining = maxResults - matches.length + 1;
    const scan = await scanText(file.path, text.text, pattern.value, context, remaining, budget);
    if (text.truncated || scan.truncatedLine) skipped.partial++;
    matches.push(...scan.matches);
    if (matches.length > maxResults) budget.stop("matches");
    if (budget.isExhausted()) break;
  }
  return ok({ matches: matches.slice(0, maxResults), files, bytes, skipped, stopped: budget.stopped() });
}

function walkOptions(budget: SearchBudget, glob: Glob | null, ignore: readonly string[]): WalkOptions {
  return {
    stop: budget.isExhausted,
    enter(below) {
      const containment = glob?.mayContain(below) ?? { possible: true, named: false };
      const name = below.slice(below.lastIndexOf("/") + 1);
      return containment.possible && (containment.named || !ignore.includes(name));
    },
  };
}

type FileText =
  | { readonly kind: "text"; readonly text: string; readonly truncated: boolean; readonly bytes: number }
  | { readonly kind: "binary" | "unreadable"; readonly bytes: number };

async function readText(file: TreeFile, limit: number): Promise<FileText> {
  const read = await file.read(limit);
  if (!read) return { kind: "unreadable", bytes: 0 };
  const { bytes, size } = read;
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return { kind: "binary", bytes: bytes.length };
  return { kind: "text", text: new TextDecoder().decode(bytes), truncated: size > bytes.length, bytes: bytes.length };
}
