// Reads the names in an open folder up to a limit, and yields to the event loop while reading a huge one.
import { type Dirent, opendirSync } from "node:fs";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { EntryKind } from "../../ports/operations.ts";
import type { Folder } from "./folders.ts";
import { isTemporary } from "./replace-file.ts";

export const NAMES_MAX = 100_000;
const NAMES_PER_YIELD = 1_024;

export type NamedEntry = { readonly name: string; readonly kind: EntryKind };

/** Sorts the names. `complete` is false if there were too many names or if `stop` returned true. */
export async function readFolder(
  folder: Folder,
  stop: () => boolean,
): Promise<{ entries: NamedEntry[]; complete: boolean }> {
  const directory = opendirSync(folder.path, { bufferSize: NAMES_PER_YIELD });
  const entries: NamedEntry[] = [];
  let complete = true;
  try {
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
      if (!isTemporary(entry.name)) entries.push({ name: entry.name, kind: kindOf(entry) });
      if (entries.length % NAMES_PER_YIELD === 0) await yieldToOthers();
      if (entries.length > NAMES_MAX || stop()) {
        complete = false;
        break;
      }
    }
  } finally {
    directory.closeSync();
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries, complete };
}

export function kindOf(entry: Pick<Dirent, "isFile" | "isDirectory" | "isSymbolicLink">): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
