// Paths that stay closed although they lie in the workspace: the server's own folder and files. They are looked up for
// each comparison, so a file that was replaced or does not exist yet is closed as well.
import { type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";

export type Identity = Pick<Stats, "dev" | "ino">;

/** Compares identities, so a closed file is closed under every name. */
export const isClosedFile = (closed: readonly string[], stats: Identity): boolean =>
  closed.some((path) => isSame(lookUp(path), stats));

/** Also true if nothing exists there yet. Upper and lower case are treated as equal. */
export const isClosedName = (closed: readonly string[], name: string, folder: () => Identity): boolean =>
  closed.some((path) => sameName(basename(path), name) && isSame(lookUp(dirname(path)), folder()));

export const isSame = (one: Identity | null, other: Identity): boolean =>
  one !== null && one.ino === other.ino && one.dev === other.dev;

const sameName = (one: string, other: string): boolean => toComparable(one) === toComparable(other);
const toComparable = (name: string): string => name.normalize("NFKC").toLowerCase();

function lookUp(path: string): Identity | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A part of the path is not a folder, or this process may not enter it. In both cases, no tool of this process can
    // reach the path either.
    return null;
  }
}
