// Finds files by name and lines by pattern in any file tree, in bounded time whatever the pattern and the tree.
import type { FileTree, SearchEngine, TreeFile, Walk } from "../../ports/file-tree.ts";
import type { FindQuery, GrepMatch, GrepQuery, SearchOperations } from "../../ports/operations.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { type Bounds, createBounds, SEARCH_LIMITS, type SearchLimits } from "./bounds.ts";
import { compileGlob, type Glob } from "./glob.ts";
import { compilePattern } from "./pattern.ts";
import { scanText } from "./scan-text.ts";

export type LinearSearchOptions = {
  readonly limits?: Partial<SearchLimits>;
  /** Folders that are only entered when a query names them. */
  readonly ignore?: readonly string[];
};

const PATHS_DEFAULT = 1_000;
const PATHS_MAX = 10_000;
const MATCHES_DEFAULT = 200;
const MATCHES_MAX = 1_000;
const CONTEXT_MAX = 10;
const BINARY_LOOK = 8_192;

export function createLinearSearch(options: LinearSearchOptions = {}): SearchEngine {
  const limits = { ...SEARCH_LIMITS, ...options.limits };
  const ignore = options.ignore ?? [".git", "node_modules"];
  return (tree): SearchOperations => ({
    find: (query) => find(tree, query, limits, ignore),
    grep: (query) => grep(tree, query, limits, ignore),
  });
}

async function find(tree: FileTree, query: FindQuery, limits: SearchLimits, ignore: readonly string[]) {
  const glob = compileGlob(query.glob);
  if (!glob.ok) return glob;
  const bounds = createBounds(limits.ms, query.signal);
  const walked = await tree.walk(query.under ?? ".", walkFor(bounds, glob.value, ignore));
  if (!walked.ok) return walked;
  const most = Math.min(query.limit ?? PATHS_DEFAULT, PATHS_MAX);
  const paths: string[] = [];
  let files = 0;
  for await (const file of walked.value) {
    if (files >= limits.find_files) bounds.stop("files");
    if (bounds.over()) break;
    await bounds.breathe();
    files++;
    if (!glob.value.matches(file.below)) continue;
    if (paths.length >= most) {
      bounds.stop("matches");
      break;
    }
    paths.push(file.path);
  }
  return ok({ paths, files, stopped: bounds.stopped() });
}

async function grep(tree: FileTree, query: GrepQuery, limits: SearchLimits, ignore: readonly string[]) {
  const pattern = compilePattern(query);
  if (!pattern.ok) return pattern;
  const include: Result<Glob | null> = query.include === undefined ? ok(null) : compileGlob(query.include);
  if (!include.ok) return include;
  const bounds = createBounds(limits.ms, query.signal);
  const walked = await tree.walk(query.under ?? ".", walkFor(bounds, include.value, ignore));
  if (!walked.ok) return walked;
  const most = Math.min(query.limit ?? MATCHES_DEFAULT, MATCHES_MAX);
  const context = Math.min(query.context ?? 0, CONTEXT_MAX);
  const matches: GrepMatch[] = [];
  const skipped = { binary: 0, unreadable: 0, partial: 0 };
  let files = 0;
  let bytes = 0;
  for await (const file of walked.value) {
    if (files >= limits.grep_files) bounds.stop("files");
    if (bytes >= limits.bytes) bounds.stop("bytes");
    if (bounds.over()) break;
    await bounds.breathe();
    if (include.value && !include.value.matches(file.below)) continue;
    files++;
    const text = await textOf(file, Math.min(limits.file_bytes, limits.bytes - bytes));
    bytes += text.bytes;
    if (text.kind !== "text") {
      skipped[text.kind]++;
      continue;
    }
    // One more than asked for, to know whether there are more.
    const room = most - matches.length + 1;
    const scan = await scanText(file.path, text.text, pattern.value, context, room, bounds);
    if (text.cut || scan.cutLine) skipped.partial++;
    matches.push(...scan.matches);
    if (matches.length > most) bounds.stop("matches");
    if (bounds.over()) break;
  }
  return ok({ matches: matches.slice(0, most), files, bytes, skipped, stopped: bounds.stopped() });
}

function walkFor(bounds: Bounds, glob: Glob | null, ignore: readonly string[]): Walk {
  return {
    stop: bounds.over,
    enter(below) {
      const reach = glob?.reaches(below) ?? { possible: true, named: false };
      const name = below.slice(below.lastIndexOf("/") + 1);
      return reach.possible && (reach.named || !ignore.includes(name));
    },
  };
}

type FileText =
  | { readonly kind: "text"; readonly text: string; readonly cut: boolean; readonly bytes: number }
  | { readonly kind: "binary" | "unreadable"; readonly bytes: number };

async function textOf(file: TreeFile, limit: number): Promise<FileText> {
  const read = await file.read(limit);
  if (!read) return { kind: "unreadable", bytes: 0 };
  const { bytes, size } = read;
  if (bytes.subarray(0, BINARY_LOOK).includes(0)) return { kind: "binary", bytes: bytes.length };
  return { kind: "text", text: new TextDecoder().decode(bytes), cut: size > bytes.length, bytes: bytes.length };
}
