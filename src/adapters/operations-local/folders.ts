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
} from "node:fs";
import { fail, ok, type Result } from "../../schema/problem.ts";
import {
  belowRoot,
  outsideWorkspace,
  parseWorkspacePath,
  pathText,
  type WorkspacePath,
} from "../../schema/workspace-path.ts";
import { systemProblem } from "./system-problem.ts";

export type Workspace = {
  /** Absolute, with every link resolved. */
  readonly root: string;
  /** True: folders are held by handle. False: the weaker way for systems without /proc. */
  readonly handles: boolean;
  /** A folder that nobody enters, known by itself and not by its name. */
  readonly closed: Pick<Stats, "dev" | "ino"> | null;
};

/** `at` is how its children are named; `fd` keeps the handle behind it alive. */
export type Folder = { readonly at: string; readonly fd: number | null };

export type Place = {
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

export type OpenPlace = { readonly place: Place; readonly close: () => void };

/** Everything on the way is open until `close`. */
export function openPlace(workspace: Workspace, text: string, options: { makeFolders: boolean }): Result<OpenPlace> {
  const path = parseWorkspacePath(text, { root: workspace.root, windows });
  if (!path.ok) return path;
  const way: Folder[] = [];
  const close = (): void => {
    for (const folder of way.splice(0)) closeFolder(folder);
  };
  const opened = tryOpen(workspace, way, text, path.value, options.makeFolders);
  if (!opened.ok) close();
  return opened.ok ? ok({ place: opened.value, close }) : opened;
}

export async function atPlace<T>(
  workspace: Workspace,
  text: string,
  options: { makeFolders: boolean },
  use: (place: Place) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened = openPlace(workspace, text, options);
  if (!opened.ok) return opened;
  try {
    return await use(opened.value.place);
  } catch (error) {
    return systemProblem(error, text);
  } finally {
    opened.value.close();
  }
}

function tryOpen(workspace: Workspace, way: Folder[], text: string, path: WorkspacePath, make: boolean): Result<Place> {
  try {
    way.push(openFolder(workspace, workspace.root));
    const place = locate(workspace, way, text, path, make);
    if (place.ok && !isInside(workspace, place.value.folder)) return outsideWorkspace(text, "link");
    return place;
  } catch (error) {
    return systemProblem(error, text);
  }
}

function locate(
  workspace: Workspace,
  way: Folder[],
  text: string,
  path: WorkspacePath,
  makeFolders: boolean,
): Result<Place> {
  const todo = [...path];
  let fromLink = 0; // how many of the components to come were read from a link
  let links = 0;
  for (;;) {
    const folder = last(way);
    const name = todo.shift();
    if (name === undefined) return ok({ folder, name: null, stats: null, dangling: false });
    const linked = fromLink > 0;
    if (linked) fromLink--;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (way.length === 1) return outsideWorkspace(text, "link");
      closeFolder(way.pop());
      continue;
    }
    const stats = lstatSync(`${folder.at}/${name}`, { throwIfNoEntry: false }) ?? null;
    if (stats?.isSymbolicLink()) {
      const target = readTarget(`${folder.at}/${name}`);
      const names = target.startsWith("/") ? belowRoot(target, workspace.root) : target.split("/");
      if (!names || ++links > LINKS_MAX) return outsideWorkspace(text, "link");
      if (target.startsWith("/")) for (const passed of way.splice(1)) closeFolder(passed);
      todo.unshift(...names);
      fromLink += names.length;
      continue;
    }
    if (todo.length === 0) return ok({ folder, name, stats, dangling: linked && stats === null });
    if (!stats && !makeFolders) return fail("file_not_found", `There is no ${JSON.stringify(text)}.`);
    if (!stats && linked) return outsideWorkspace(text, "link");
    if (stats && !stats.isDirectory()) return fail("not_a_folder", `${JSON.stringify(name)} is not a folder.`);
    if (!stats) makeFolder(`${folder.at}/${name}`);
    way.push(openFolder(workspace, `${folder.at}/${name}`));
  }
}

export function openFolder(workspace: Workspace, at: string): Folder {
  if (workspace.handles) {
    const fd = openSync(at, FOLDER_FLAGS);
    if (isClosed(workspace, fstatSync(fd))) {
      closeSync(fd);
      throw closedFolder(at);
    }
    return { at: `/proc/self/fd/${fd}`, fd };
  }
  const stats = lstatSync(at);
  if (!stats.isDirectory() || realpathSync(at) !== at) throw linkRace(at);
  if (isClosed(workspace, stats)) throw closedFolder(at);
  return { at, fd: null };
}

/** Every way to what is in it leads through the folder itself, so asking where one enters is enough. */
const isClosed = ({ closed }: Workspace, { dev, ino }: Stats): boolean => closed?.ino === ino && closed.dev === dev;

const closedFolder = (at: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${at} is closed`), { code: "ECLOSED" });

export function closeFolder(folder: Folder | undefined): void {
  if (folder && folder.fd !== null) closeSync(folder.fd);
}

/** Where the folder really is now, asked of the system and not of the name we came by. */
export function isInside(workspace: Workspace, folder: Folder): boolean {
  const real = whereIs(workspace, folder);
  return real === workspace.root || real.startsWith(workspace.root === "/" ? "/" : `${workspace.root}/`);
}

const whereIs = ({ handles }: Workspace, { at }: Folder): string => (handles ? readlinkSync(at) : realpathSync(at));

/** Where a place is seen from the root, with every link on the way followed. */
export const realPath = (workspace: Workspace, { folder, name }: Place): string =>
  [...(belowRoot(whereIs(workspace, folder), workspace.root) ?? []), ...(name === null ? [] : [name])].join("/");

/** The folder a place names, for listing and walking. The caller closes it unless it is the place's own. */
export function folderAt(workspace: Workspace, place: Place, text: string): Result<Folder> {
  if (place.name === null) return ok(place.folder);
  if (!place.stats) return fail("file_not_found", `There is no ${JSON.stringify(text)}.`);
  if (!place.stats.isDirectory()) return fail("not_a_folder", `${JSON.stringify(text)} is not a folder.`);
  return ok(openFolder(workspace, `${place.folder.at}/${place.name}`));
}

/** The path as it is told back: relative and clean. One that cannot be read is refused by whoever walks it. */
export function relativeName(workspace: Workspace, text: string): string {
  const path = parseWorkspacePath(text, { root: workspace.root, windows });
  return path.ok ? pathText(path.value) : text;
}

/** One name for one file, whichever links lead to it; for a place that is not there yet, the name it will have. */
export function realName(workspace: Workspace, text: string): string {
  const at = `${workspace.root}/${relativeName(workspace, text)}`;
  try {
    return realpathSync(at);
  } catch {
    return at;
  }
}

/** Reported like a link met by O_NOFOLLOW: somebody changed a name under us. */
export const linkRace = (at: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${at} was replaced by a link`), { code: "ELOOP" });

function readTarget(at: string): string {
  try {
    return readlinkSync(at);
  } catch (error) {
    // EINVAL: it was a link a moment ago and is none any more.
    throw (error as NodeJS.ErrnoException).code === "EINVAL" ? linkRace(at) : error;
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

function last(way: readonly Folder[]): Folder {
  const folder = way.at(-1);
  if (!folder) throw new Error("the root is always on the way");
  return folder;
}
