// Implements file operations in a local workspace folder. folders.ts confines paths, and replace-file.ts replaces files
// atomically.
import { closeSync, lstatSync, unlinkSync } from "node:fs";
import { FILE_BYTES_MAX, type FileOperations, type FolderEntry, READ_BYTES_DEFAULT } from "../../ports/operations.ts";
import { fail, ok } from "../../schema/problem.ts";
import {
  canonicalPath,
  closeFolder,
  folderAt,
  realPath,
  relativePath,
  type Workspace,
  withLocation,
} from "./folders.ts";
import { kindOf, readFolder } from "./read-folder.ts";
import { type HardLinks, openRegularFile, readBytes } from "./regular-file.ts";
import { rewriteFile, writeFile } from "./write-file.ts";

const LIST_ENTRIES = 1_000;
const neverStop = (): boolean => false;

export function createLocalFiles(workspace: Workspace, hardLinks: HardLinks): FileOperations {
  const queued = createWriteQueue();
  const pathOf = (text: string): string => relativePath(workspace, text);
  const keyOf = (text: string): string => canonicalPath(workspace, text);

  return {
    stat: (text) =>
      withLocation(workspace, text, { makeFolders: false }, async (location) => {
        const stats = location.name === null ? lstatSync(`${location.folder.path}/.`) : location.stats;
        if (!stats) return fail("file_not_found", `${JSON.stringify(text)} does not exist.`);
        const kind = kindOf(stats);
        const size = kind === "file" ? stats.size : 0;
        const modified_at = Math.trunc(stats.mtimeMs);
        return ok({ path: pathOf(text), kind, size, modified_at, real: realPath(workspace, location) });
      }),

    read: (text, { offset = 0, limit = READ_BYTES_DEFAULT } = {}) =>
      withLocation(workspace, text, { makeFolders: false }, async (location) => {
        const file = openRegularFile(workspace, location, text, hardLinks);
        if (!file.ok) return file;
        try {
          const available = Math.min(limit, FILE_BYTES_MAX, Math.max(0, file.value.stats.size - offset));
          const bytes = await readBytes(file.value.fd, offset, available);
          return ok({ path: pathOf(text), bytes, offset, size: file.value.stats.size });
        } finally {
          closeSync(file.value.fd);
        }
      }),

    write: (text, content) => queued(keyOf(text), () => writeFile(workspace, text, content)),
    rewrite: (text, change) => queued(keyOf(text), () => rewriteFile(workspace, text, change)),

    remove: (text) =>
      queued(keyOf(text), () =>
        withLocation<void>(workspace, text, { makeFolders: false }, async (location) => {
          if (location.name === null || location.stats?.isDirectory())
            return fail("not_a_file", `${JSON.stringify(text)} is a folder.`);
          if (!location.stats) return fail("file_not_found", `${JSON.stringify(text)} does not exist.`);
          unlinkSync(`${location.folder.path}/${location.name}`);
          return ok(undefined);
        }),
      ),

    list: (text, { limit = LIST_ENTRIES } = {}) =>
      withLocation(workspace, text, { makeFolders: false }, async (location) => {
        const folder = folderAt(workspace, location, text);
        if (!folder.ok) return folder;
        try {
          const { entries, complete } = await readFolder(folder.value, neverStop);
          const shown = entries.slice(0, limit).map(({ name, kind }): FolderEntry => {
            const size =
              kind === "file" ? (lstatSync(`${folder.value.path}/${name}`, { throwIfNoEntry: false })?.size ?? 0) : 0;
            return { name, kind, size };
          });
          return ok({ path: pathOf(text), entries: shown, truncated: !complete || entries.length > limit });
        } finally {
          if (folder.value !== location.folder) closeFolder(folder.value);
        }
      }),
  };
}

/** Allows one writer at a time per path, in order of arrival and within this process only. */
function createWriteQueue(): <T>(path: string, task: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async (path, task) => {
    // Some disks treat two spellings as one file. Waiting unnecessarily is better than losing a write.
    const key = path.normalize("NFC").toLowerCase();
    const previous = tails.get(key) ?? Promise.resolve();
    const current = previous.then(task, task);
    tails.set(key, current);
    try {
      return await current;
    } finally {
      if (tails.get(key) === current) tails.delete(key);
    }
  };
}
