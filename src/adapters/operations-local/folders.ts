// Walks from the workspace's root to a place in it, one component at a time, without ever following a link blindly.
// On Linux every folder is held open and its children are named through the handle (/proc/self/fd/N/name), so that
// swapping a folder for a link in the meantime changes nothing. Elsewhere names are checked before and after use.
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
  /** Absolute, with every link resolved. */
  readonly root: string;
  /** True: folders are held by handle. False: the weaker way for systems without /proc. */
  readonly handles: boolean;
  /** Absolute paths of folders that nobody enters and files that nobody opens. */
  readonly blockedFolder: readonly string[];
};

/** `at` is how its children are named; `fd` keeps the handle behind it alive. */
export type Folder = { readonly path: string; readonly fd: number | null };

export type FileLocation = {
  readonly folder: Folder;
  /** null: the folder itself is meant. Never a link when `stats` was taken. */
  readonly name: string | null;
  readonly stats: Stats | null;
  /** A link named this place and nothing is there. */
  readonly dangling: boolean;
};

const LINKS_MAX = 40;
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const windows = process.platform === "win32";

export type OpenLocation = { readonly location: FileLocation; readonly close: () => void };

/** Everything on the way is open until `close`. */
export function openLocation(
  workspace: Workspace,
  text: string,
  options: { makeFolders: boolean },
): Result<OpenLocation> {
  const path = parseWorkspacePath(text, { root: workspace.root, windows });
  if (!path.ok) return path;
  const openFolders: Folder[] = [];
  const close = (): void => {
    for (const folder of openFolders.splice(0)) closeFolder(folder);
  };
  const opened = tryOpen(workspace, openFolders, text, path.value, options.makeFolders);
  if (!opened.ok) close();
  return opened.ok ? ok({ location: opened.value, close }) : opened;
}

export async function withLocation<T>(
  workspace: Workspace,
  text: string,
  options: { makeFolders: boolean },
  use: (place: FileLocation) => Promise<Result<T>>,
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

function tryOpen(
  workspace: Workspace,
  openFolders: Folder[],
  text: string,
  path: WorkspacePath,
  make: boolean,
): Result<FileLocation> {
  try {
    openFolders.push(openFolder(workspace, workspace.root));
    const location = resolvePath(workspace, openFolders, text, path, make);
    if (location.ok && !isInside(workspace, location.value.folder)) return outsideWorkspace(text, "link");
    if (location.ok && isClosedPlace(workspace, location.value)) return outsideWorkspace(text, "closed");
    return location;
  } catch (error) {
    return systemProblem(error, text);
  }
}

function resolvePath(
  workspace: Workspace,
  openFolders: Folder[],
  text: string,
  path: WorkspacePath,
  makeFolders: boolean,
): Result<FileLocation> {
  const remaining = [...path];
  let linkComponents = 0; // how many of the components to come were read from a link
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
    if (!stats && !makeFolders) return fail("file_not_found", `There is no ${JSON.stringify(text)}.`);
    if (!stats && linked) return outsideWorkspace(text, "link");
    if (stats && !stats.isDirectory()) return fail("not_a_folder", `${JSON.stringify(name)} is not a folder.`);
    if (!stats) makeFolder(`${folder.path}/${name}`);
    openFolders.push(openFolder(workspace, `${folder.path}/${name}`));
  }
}

export function openFolder(workspace: Workspace, path: string): Folder {
  if (workspace.handles) {
    const fd = openSync(path, FOLDER_FLAGS);
    if (isClosedFile(workspace.blockedFolder, fstatSync(fd))) {
      closeSync(fd);
      throw blockedFolderError(path);
    }
    return { path: `/proc/self/fd/${fd}`, fd };
  }
  const stats = lstatSync(path);
  if (!stats.isDirectory() || realpathSync(path) !== path) throw linkRaceError(path);
  if (isClosedFile(workspace.blockedFolder, stats)) throw blockedFolderError(path);
  return { path, fd: null };
}

/** Every path to what is in a closed folder leads through the folder itself, which `openFolder` refuses. */
function isClosedPlace({ blockedFolder: closed }: Workspace, { folder, name, stats }: FileLocation): boolean {
  if (name === null) return false;
  if (stats && isClosedFile(closed, stats)) return true;
  return isClosedName(closed, name, () => statSync(`${folder.path}/.`));
}

const blockedFolderError = (at: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${at} is closed`), { code: "ECLOSED" });

export function closeFolder(folder: Folder | undefined): void {
  if (folder && folder.fd !== null) closeSync(folder.fd);
}

/** Where the folder really is now, asked of the system and not of the name we came by. */
export function isInside(workspace: Workspace, folder: Folder): boolean {
  const real = currentPath(workspace, folder);
  return real === workspace.root || real.startsWith(workspace.root === "/" ? "/" : `${workspace.root}/`);
}

const currentPath = ({ handles }: Workspace, { path: at }: Folder): string =>
  handles ? readlinkSync(at) : realpathSync(at);

/** Where a place is seen from the root, with every link on the way followed. */
export const realPath = (workspace: Workspace, { folder, name }: FileLocation): string =>
  [...(relativeToRoot(currentPath(workspace, folder), workspace.root) ?? []), ...(name === null ? [] : [name])].join(
    "/",
  );

/** The folder a place names, for listing and walking. The caller closes it unless it is the place's own. */
export function folderAt(workspace: Workspace, place: FileLocation, text: string): Result<Folder> {
  if (place.name === null) return ok(place.folder);
  if (!place.stats) return fail("file_not_found", `There is no ${JSON.stringify(text)}.`);
  if (!place.stats.isDirectory()) return fail("not_a_folder", `${JSON.stringify(text)} is not a folder.`);
  return ok(openFolder(workspace, `${place.folder.path}/${place.name}`));
}

/** The path as it is told back: relative and clean. One that cannot be read is refused by whoever walks it. */
export function relativePath(workspace: Workspace, text: string): string {
  const path = parseWorkspacePath(text, { root: workspace.root, windows });
  return path.ok ? pathText(path.value) : text;
}

/** One name for one file, whichever links lead to it; for a place that is not there yet, the name it will have. */
export function canonicalPath(workspace: Workspace, text: string): string {
  const at = `${workspace.root}/${relativePath(workspace, text)}`;
  try {
    return realpathSync(at);
  } catch {
    return at;
  }
}

/** Reported like a link met by O_NOFOLLOW: somebody changed a name under us. */
export const linkRaceError = (at: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${at} was replaced by a link`), { code: "ELOOP" });

function readTarget(at: string): string {
  try {
    return readlinkSync(at);
  } catch (error) {
    // EINVAL: it was a link a moment ago and is none any more.
    throw (error as NodeJS.ErrnoException).code === "EINVAL" ? linkRaceError(at) : error;
  }
}

function makeFolder(at: string): void {
  try {
    mkdirSync(at);
  } catch (error) {
    // Another write made it first: opening it decides whether it is a folder.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function currentFolder(way: readonly Folder[]): Folder {
  const folder = way.at(-1);
  if (!folder) throw new Error("the root is always on the way");
  return folder;
}
