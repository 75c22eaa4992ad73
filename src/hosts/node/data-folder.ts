// Chooses the folder of the embedded store. If it is missing but a default folder holds a store, startup fails.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail, ok, type Result } from "../../schema/problem.ts";

export const DEFAULT_DATA = ".pawl";
const STORE_FILE = "pawl.db";

export const storeFile = (data: string): string => join(data, STORE_FILE);

export type DataFolderFacts = {
  /** The folder in which the server was started. */
  readonly cwd: string;
  /** The folder of the configuration file, or `cwd` if there is none. */
  readonly folder: string;
  /** The absolute path of the configured folder, or null if none is configured. */
  readonly named: string | null;
  readonly exists: (path: string) => boolean;
};

/** Without a configured folder, it is a default folder that holds a store, or else a new one beside the configuration file. */
export function chooseDataFolder({ cwd, folder, named, exists }: DataFolderFacts): Result<string> {
  const defaults = [resolve(folder, DEFAULT_DATA), resolve(cwd, DEFAULT_DATA)];
  const inUse = defaults.find((path) => exists(storeFile(path))) ?? null;
  if (named === null) return ok(inUse ?? resolve(folder, DEFAULT_DATA));
  // If the configured folder is missing, it may have been renamed in the configuration without moving the store.
  if (inUse === null || inUse === named || exists(named)) return ok(named);
  return fail(
    "config_invalid",
    `data: ${named} does not exist, but ${inUse} holds a store. ` +
      `To keep its threads, stop every server that uses it and move it: mv ${quoted(inUse)} ${quoted(named)}. ` +
      `To begin with an empty store, create the folder: mkdir -p ${quoted(named)}`,
  );
}

export const pathExists = (path: string): boolean => existsSync(path);

/** Quotes a path for a command line that a user copies. */
export const quoted = (path: string): string =>
  /^[A-Za-z0-9_./@%+:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** A path that does not exist is returned unchanged, so that opening it later reports the error. */
export const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

/**
 * The first link in the workspace that leads to one of these paths. The sandbox can hide only the target of a link. A
 * command could replace the link itself, and the next start would follow it to another store or other code.
 */
export function replaceableLink(workspace: string, paths: readonly string[]): string | null {
  const root = realPath(workspace);
  for (const path of paths) {
    for (let part = resolve(path); part !== dirname(part); part = dirname(part))
      if (isLink(part) && isWithin(realPath(dirname(part)), root)) return part;
  }
  return null;
}

/** A file of this program or of Node in the workspace. A command could replace parts that are loaded only on demand. */
export const replaceableProgram = (workspace: string): string | null =>
  [import.meta.filename, process.execPath].map(realPath).find((path) => isWithin(path, realPath(workspace))) ?? null;

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
