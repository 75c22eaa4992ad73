// Finds files in system folders that not every user may read, such as host keys, network passwords and password hashes.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Deeper folders count as private. */
const DEPTH_MAX = 8;
const OTHERS_READ_BIT = 0o004;
const OTHERS_EXECUTE_BIT = 0o001;

/** A private folder counts as one path. Symbolic links are not followed. */
export function privatePaths(folder: string, depth = 0): readonly string[] {
  if (depth > DEPTH_MAX) return [folder];
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return [];
    if (!stat.isDirectory()) return stat.isFile() && (stat.mode & OTHERS_READ_BIT) === 0 ? [path] : [];
    if ((stat.mode & OTHERS_READ_BIT) === 0 || (stat.mode & OTHERS_EXECUTE_BIT) === 0) return [path];
    return privatePaths(path, depth + 1);
  });
}

/** A folder that the server itself cannot read has no names. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
