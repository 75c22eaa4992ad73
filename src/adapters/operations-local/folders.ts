// Walks from the workspace root to a path, one component at a time, and never follows a link without checking it. On
// Linux, every folder is kept open and its children are reached through the handle (/proc/self/fd/N/name), so replacing
// a folder with a link has no effect. On other systems, names are checked before and after use.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { fail, ok, type Result } from "../../schema/problem.ts";
import {
  outsideWorkspace,
  parseWorkspacePath,
  pathText,
  relativeToRoot,
  type WorkspacePath,
} from "../../schema/workspace-path.ts";
import { isClosedFile, isClosedName } from "./closed-paths.ts";
import { systemProblem } from "./system-problem.ts";

export type Workspace = {
  /** The absolute path with all links resolved. */
  readonly root: string;
  /** True if folders are kept open as handles. False selects the weaker fallback for systems without /proc. */
  readonly handles: boolean;
  /** Absolute paths of folders that no operation may enter and files that none may open. */
  readonly closedPaths: readonly string[];
};

/** `path` is the prefix for the paths of its children; `fd` keeps the handle alive. */
export type Folder = { readonly path: string; readonly fd: number | null };

export type FileLocation = {
  readonly folder: Folder;
  /** Null for the folder itself. If `stats` is set, the name is not that of a link. */
  readonly name: string | null;
  readonly stats: Stats | null;
  /** True if a link points to this location, but nothing exists there. */
  readonly dangling: boolean;
};

const LINKS_MAX = 40;
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const windows = process.platform === "win32";

/** Every folder on the path stays open until `close`. */
export function openLocation(
  workspace: Workspace,
  text: string,
  options: { makeFolders: boolean },
): Result<{ readonly location: FileLocation; readonly close: () => void }> {
  const path = parseWorkspacePath(text, { root: workspace.root, windows });
  if (!path.ok) return path;
  const openFolders: Folder[] = [];
  const close = (): void => {
    for (const folder of openFolders.splice(0)) closeFolder(folder);
  };
  const opened = tryOpen({ workspace, openFolders, text, ...options }, path.value);
  if (!opened.ok) close();
  return opened.ok ? ok({ location: opened.value, close }) : opened;
}

export async function withLocation<T>(
  workspace: Workspace,
  text: string,
  options: { makeFolders: boolean },
  use: (location: FileLocation) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened = openLocation(workspace, text, options);
  if (!opened.ok) return opened;
  try {
    return await use(opened.value.location);
  } catch (error) {
    return systemProblem(error, text);
  } finally {
    opened.value.close();
  }
}

type Opening = {
  readonly workspace: Workspace;
  /** The folders on the path so far, beginning with the root. */
  readonly openFolders: Folder[];
  readonly text: string;
  readonly makeFolders: boolean;
};

function tryOpen(opening: Opening, path: WorkspacePath): Result<FileLocation> {
  const { workspace, openFolders, text } = opening;
  try {
    openFolders.push(openFolder(workspace, workspace.root));
    const location = resolvePath(opening, path);
    if (location.ok && !isInside(workspace, location.value.folder)) return outsideWorkspace(text, "link");
    if (location.ok && isClosedPlace(workspace, location.value)) return outsideWorkspace(text, "closed");
    return location;
  } catch (error) {
    return systemProblem(error, text);
  }
}

function resolvePath(opening: Opening, path: WorkspacePath): Result<FileLocation> {
  const { workspace, openFolders, text, makeFolders } = opening;
  const remaining = [...path];
  let linkComponents = 0; // The number of pending components that came from a link.
  let links = 0;
  for (;;) {
    const folder = currentFolder(openFolders);
    const name = remaining.shift();
    if (name === undefined) return ok({ folder, name: null, stats: null, dangling: false });
    const linked = linkComponents > 0;
    if (linked) linkComponents--;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (openFolders.length === 1) return outsideWorkspace(text, "link");
      closeFolder(openFolders.pop());
      continue;
    }
    const stats = lstatSync(`${folder.path}/${name}`, { throwIfNoEntry: false }) ?? null;
    if (stats?.isSymbolicLink()) {
      const target = readTarget(`${folder.path}/${name}`);
      const names = target.startsWith("/") ? relativeToRoot(target, workspace.root) : target.split("/");
      if (!names || ++links > LINKS_MAX) return outsideWorkspace(text, "link");
      if (target.startsWith("/")) for (const passed of openFolders.splice(1)) closeFolder(passed);
      remaining.unshift(...names);
      linkComponents += names.length;
      continue;
    }
    if (remaining.length === 0) return ok({ folder, name, stats, dangling: linked && stats === null });
    if (!stats && !makeFolders) return fail("file_not_found", `${JSON.stringify(text)} does not exist.`);
    if (!stats && linked) return outsideWorkspace(text, "link");
    if (stats && !stats.isDirectory()) return fail("not_a_folder", `${JSON.stringify(name)} is not a folder.`);
    if (!stats) makeFolder(`${folder.path}/${name}`);
    openFolders.push(openFolder(workspace, `${folder.path}/${name}`));
  }
}

export function openFolder(workspace: Workspace, path: string): Folder {
  if (workspace.handles) {
    const fd = openSync(path, FOLDER_FLAGS);
    if (isClosedFile(workspace.closedPaths, fstatSync(fd))) {
      closeSync(fd);
      throw closedPathError(path);
    }
    return { path: `/proc/self/fd/${fd}`, fd };
  }
  const stats = lstatSync(path);
  if (!stats.isDirectory() || realpathSync(path) !== path) throw linkRaceError(path);
  if (isClosedFile(workspace.closedPaths, stats)) throw closedPathError(path);
  return { path, fd: null };
}

/** The content of a closed folder needs no check, because `openFolder` refuses that folder. */
function isClosedPlace({ closedPaths: closed }: Workspace, { folder, name, stats }: FileLocation): boolean {
  if (name === null) return false;
  if (stats && isClosedFile(closed, stats)) return true;
  return isClosedName(closed, name, () => statSync(`${folder.path}/.`));
}

const closedPathError = (at: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${at} is blocked`), { code: "ECLOSED" });

export function closeFolder(folder: Folder | undefined): void {
  if (folder && folder.fd !== null) closeSync(folder.fd);
}

/** Checks the folder's current location in the file system instead of trusting the name that led here. */
export function isInside(workspace: Workspace, folder: Folder): boolean {
  const real = currentPath(workspace, folder);
  return real === workspace.root || real.startsWith(workspace.root === "/" ? "/" : `${workspace.root}/`);
}

const currentPath = ({ handles }: Workspace, { path: at }: Folder): string =>
  handles ? readlinkSync(at) : realpathSync(at);

/** Returns the path below the root, with all links resolved. */
export const realPath = (workspace: Workspace, { folder, name }: FileLocation): string =>
  [...(relativeToRoot(currentPath(workspace, folder), workspace.root) ?? []), ...(name === null ? [] : [name])].join(
    "/",
  );

/** The caller must close the folder, unless it is `location.folder`. */
export function folderAt(workspace: Workspace, location: FileLocation, text: string): Result<Folder> {
  if (location.name === null) return ok(location.folder);
  if (!location.stats) return fail("file_not_found", `${JSON.stringify(text)} does not exist.`);
  if (!location.stats.isDirectory()) return fail("not_a_folder", `${JSON.stringify(text)} is not a folder.`);
  return ok(openFolder(workspace, `${location.folder.path}/${location.name}`));
}

/** An invalid path is returned unchanged, because opening it fails anyway. */
export function relativePath(workspace: Workspace, text: string): string {
  const path = parseWorkspacePath(text, { root: workspace.root, windows });
  return path.ok ? pathText(path.value) : text;
}

/** The same name for every link to a file. A missing file has the name that it will get. */
export function canonicalPath(workspace: Workspace, text: string): string {
  const at = `${workspace.root}/${relativePath(workspace, text)}`;
  try {
    return realpathSync(at);
  } catch {
    return at;
  }
}

/** The error that O_NOFOLLOW causes, for a name that was replaced by a link during the walk. */
export const linkRaceError = (at: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${at} was replaced by a link`), { code: "ELOOP" });

function readTarget(at: string): string {
  try {
    return readlinkSync(at);
  } catch (error) {
    // EINVAL means that the path was a link a moment ago but no longer is.
    throw (error as NodeJS.ErrnoException).code === "EINVAL" ? linkRaceError(at) : error;
  }
}

function makeFolder(at: string): void {
  try {
    mkdirSync(at);
  } catch (error) {
    // A concurrent write created the path first. Opening it shows whether it is a folder.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function currentFolder(openFolders: readonly Folder[]): Folder {
  const folder = openFolders.at(-1);
  if (!folder) throw new Error("the root is always on the path");
  return folder;
}
