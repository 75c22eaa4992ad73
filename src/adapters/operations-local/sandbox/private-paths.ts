// Finds what a system folder keeps from other users: keys of the machine, passwords of networks, the list of password hashes.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** No system folder is deeper; a limit because links are not followed but mounts are. */
const DEPTH_MAX = 8;
const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

/** Files and folders below `folder` that are not readable by everybody. A private folder counts as one path. */
export function privatePaths(folder: string, depth = 0): readonly string[] {
  if (depth > DEPTH_MAX) return [];
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return [];
    if (!stat.isDirectory()) return stat.isFile() && (stat.mode & OTHERS_READ) === 0 ? [path] : [];
    if ((stat.mode & OTHERS_READ) === 0 || (stat.mode & OTHERS_ENTER) === 0) return [path];
    return privatePaths(path, depth + 1);
  });
}

/** A folder that we cannot read either is empty here. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
