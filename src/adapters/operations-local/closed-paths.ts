// Paths that stay closed although they lie in the workspace: the server's own folder and files. Paths are looked up when
// they are compared, so a file that an editor has replaced, or that is not there yet, is closed as well.
import { type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";

export type Identity = Pick<Stats, "dev" | "ino">;

/** Whether `stats` is one of the closed paths, under whichever name it was reached. */
export const isClosedFile = (closed: readonly string[], stats: Identity): boolean =>
  closed.some((path) => isSame(lookUp(path), stats));

/**
 * Whether `name` in a folder is one of the closed paths, even if nothing exists there. Case is ignored where the file
 * system ignores it.
 */
export const isClosedName = (closed: readonly string[], name: string, folder: () => Identity): boolean =>
  closed.some((path) => sameName(basename(path), name) && isSame(lookUp(dirname(path)), folder()));

export const isSame = (one: Identity | null, other: Identity): boolean =>
  one !== null && one.ino === other.ino && one.dev === other.dev;

const sameName = (one: string, other: string): boolean => comparable(one) === comparable(other);
const comparable = (name: string): string => name.normalize("NFKC").toLowerCase();

function lookUp(path: string): Identity | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A part of the path is not a folder, or may not be entered by this process: nothing is there for its tools either.
    return null;
  }
}
