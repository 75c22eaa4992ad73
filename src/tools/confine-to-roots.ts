// Confines a child thread's files to the folders that its parent assigned. Such a thread runs no commands, because they cannot be confined.
import type {
  FileOperations,
  FindReport,
  FolderListing,
  GrepReport,
  Operations,
  SearchOperations,
} from "../ports/operations.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { outsideWorkspace, parseWorkspacePath, pathText, type WorkspacePath } from "../schema/workspace-path.ts";
import type { OperationsFor } from "./toolkit.ts";

export const WHOLE_WORKSPACE = ".";

export const isPartial = (roots: readonly string[]): boolean => !roots.includes(WHOLE_WORKSPACE);

export const isWithin = (path: WorkspacePath, folder: WorkspacePath): boolean =>
  folder.every((name, i) => path[i] === name);

/** Threads without folders in their context keep their operations. */
export function confineToRoots(operations: OperationsFor): OperationsFor {
  const confined: OperationsFor = (context) => {
    const all = operations(context);
    return context.roots && isPartial(context.roots) ? withinRoots(all, context.roots) : all;
  };
  return operations.places ? Object.assign(confined, { places: operations.places }) : confined;
}

function withinRoots({ files, search }: Operations, names: readonly string[]): Operations {
  const roots = names.map((name) => name.split("/"));
  const check = (path: string): Promise<Result<WorkspacePath>> => checkPath(files, roots, path);
  return { files: confinedFiles(files, roots, check), search: confinedSearch(search, roots, check), process: null };
}

type CheckPath = (path: string) => Promise<Result<WorkspacePath>>;

/** The resolved path decides, or that of the nearest existing folder, because a link may lead out of the folders. */
async function checkPath(
  files: FileOperations,
  roots: readonly WorkspacePath[],
  text: string,
): Promise<Result<WorkspacePath>> {
  const path = parseWorkspacePath(text);
  if (!path.ok) return path;
  if (!roots.some((root) => isWithin(path.value, root))) return outsideRoots(text, roots);
  for (let depth = path.value.length; depth > 0; depth -= 1) {
    const existing = path.value.slice(0, depth);
    const found = await files.stat(pathText(existing));
    if (!found.ok && found.problem.code !== "file_not_found") return found;
    if (!found.ok) continue;
    const real = found.value.real ?? found.value.path;
    // If the root does not exist yet, the path above it must not contain links.
    const isRoot = roots.some((root) => isWithin(existing, root));
    const inside = isRoot ? roots.some((root) => isWithin(real.split("/"), root)) : real === pathText(existing);
    return inside ? path : outsideWorkspace(text, "link");
  }
  return path;
}

const outsideRoots = (path: string, roots: readonly WorkspacePath[]) =>
  fail(
    "path_outside_workspace",
    `${JSON.stringify(path)} is outside the folders of this thread: ${roots.map(pathText).join(", ")}.`,
    { reason: "outside_roots" },
  );

function confinedFiles(files: FileOperations, roots: readonly WorkspacePath[], check: CheckPath): FileOperations {
  const checked =
    <A extends readonly unknown[], T>(operation: (path: string, ...rest: A) => Promise<Result<T>>) =>
    async (path: string, ...rest: A): Promise<Result<T>> => {
      const allowed = await check(path);
      return allowed.ok ? operation(path, ...rest) : allowed;
    };
  return {
    stat: checked(files.stat),
    read: checked(files.read),
    write: checked(files.write),
    rewrite: checked(files.rewrite),
    remove: checked(files.remove),
    list: async (path, options) => {
      const allowed = await check(path);
      if (allowed.ok) return files.list(path, options);
      return (await listAbove(files, roots, path)) ?? allowed;
    },
  };
}

/** A folder above the roots has only the entries that lead to them. Null for any other folder. */
async function listAbove(
  files: FileOperations,
  roots: readonly WorkspacePath[],
  text: string,
): Promise<Result<FolderListing> | null> {
  const path = parseWorkspacePath(text);
  if (!path.ok) return null;
  const names = new Set(
    roots.flatMap((root) => (isWithin(root, path.value) ? root.slice(path.value.length, path.value.length + 1) : [])),
  );
  if (names.size === 0) return null;
  const entries = await Promise.all(
    [...names].sort().map(async (name) => ({ name, stat: await files.stat(pathText([...path.value, name])) })),
  );
  return ok({
    path: pathText(path.value),
    entries: entries.flatMap(({ name, stat }) =>
      stat.ok ? [{ name, kind: stat.value.kind, size: stat.value.size }] : [],
    ),
    truncated: false,
  });
}

function confinedSearch(search: SearchOperations, roots: readonly WorkspacePath[], check: CheckPath): SearchOperations {
  const foldersOf = async (under: string = WHOLE_WORKSPACE): Promise<Result<readonly string[]>> => {
    const allowed = await check(under);
    if (allowed.ok) return ok([under]);
    const path = parseWorkspacePath(under);
    const below = path.ok ? roots.filter((root) => isWithin(root, path.value)).map(pathText) : [];
    return below.length > 0 ? ok(below) : allowed;
  };
  const each = async <Q extends { readonly under?: string }, R>(
    query: Q,
    run: (query: Q) => Promise<Result<R>>,
    join: (a: R, b: R) => R,
  ): Promise<Result<R>> => {
    const folders = await foldersOf(query.under);
    if (!folders.ok) return folders;
    let joined: R | null = null;
    for (const under of folders.value) {
      const found = await run({ ...query, under });
      if (!found.ok) return found;
      joined = joined === null ? found.value : join(joined, found.value);
    }
    if (joined === null) throw new Error("a thread with no folder has no search");
    return ok(joined);
  };
  return {
    find: (query) => each(query, (one) => search.find(one), joinFound(query.limit)),
    grep: (query) => each(query, (one) => search.grep(one), joinMatches(query.limit)),
  };
}

const joinFound =
  (limit = Number.POSITIVE_INFINITY) =>
  (a: FindReport, b: FindReport): FindReport => ({
    paths: [...new Set([...a.paths, ...b.paths])].slice(0, limit),
    files: a.files + b.files,
    stopped: a.stopped ?? b.stopped,
  });

const joinMatches =
  (limit = Number.POSITIVE_INFINITY) =>
  (a: GrepReport, b: GrepReport): GrepReport => ({
    matches: [...a.matches, ...b.matches].slice(0, limit),
    files: a.files + b.files,
    bytes: a.bytes + b.bytes,
    skipped: {
      binary: a.skipped.binary + b.skipped.binary,
      unreadable: a.skipped.unreadable + b.skipped.unreadable,
      partial: a.skipped.partial + b.skipped.partial,
    },
    stopped: a.stopped ?? b.stopped,
  });
