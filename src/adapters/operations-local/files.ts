// Files of a workspace folder on this machine. Confinement is in folders.ts, atomic replacing in replace-file.ts.
import { closeSync, lstatSync, unlinkSync } from "node:fs";
import { FILE_BYTES_MAX, type FileOperations, type FolderEntry, READ_BYTES_DEFAULT } from "../../ports/operations.ts";
import { fail, ok } from "../../schema/problem.ts";
import { atPlace, closeFolder, folderAt, realName, relativeName, type Workspace } from "./folders.ts";
import { kindOf, readFolder } from "./read-folder.ts";
import { type HardLinks, openRegular, readBytes } from "./regular-file.ts";
import { rewriteFile, writeFile } from "./write-file.ts";
import { createWriteQueue } from "./write-queue.ts";

const LIST_ENTRIES = 1_000;
const never = (): boolean => false;

export function createLocalFiles(workspace: Workspace, hardLinks: HardLinks): FileOperations {
  const queued = createWriteQueue();
  const named = (text: string): string => relativeName(workspace, text);
  const keyOf = (text: string): string => realName(workspace, text);

  return {
    stat: (text) =>
      atPlace(workspace, text, { makeFolders: false }, async (place) => {
        const stats = place.name === null ? lstatSync(`${place.folder.at}/.`) : place.stats;
        if (!stats) return fail("file_not_found", `There is no ${JSON.stringify(text)}.`);
        const kind = kindOf(stats);
        const size = kind === "file" ? stats.size : 0;
        return ok({ path: named(text), kind, size, modified_at: Math.trunc(stats.mtimeMs) });
      }),

    read: (text, { offset = 0, limit = READ_BYTES_DEFAULT } = {}) =>
      atPlace(workspace, text, { makeFolders: false }, async (place) => {
        const file = openRegular(workspace, place, text, hardLinks);
        if (!file.ok) return file;
        try {
          const room = Math.min(limit, FILE_BYTES_MAX, Math.max(0, file.value.stats.size - offset));
          const bytes = await readBytes(file.value.fd, offset, room);
          return ok({ path: named(text), bytes, offset, size: file.value.stats.size });
        } finally {
          closeSync(file.value.fd);
        }
      }),

    write: (text, content) => queued(keyOf(text), () => writeFile(workspace, text, content)),
    rewrite: (text, change) => queued(keyOf(text), () => rewriteFile(workspace, text, change)),

    remove: (text) =>
      queued(keyOf(text), () =>
        atPlace<void>(workspace, text, { makeFolders: false }, async (place) => {
          if (place.name === null || place.stats?.isDirectory())
            return fail("not_a_file", `${JSON.stringify(text)} is a folder.`);
          if (!place.stats) return fail("file_not_found", `There is no ${JSON.stringify(text)}.`);
          unlinkSync(`${place.folder.at}/${place.name}`);
          return ok(undefined);
        }),
      ),

    list: (text, { limit = LIST_ENTRIES } = {}) =>
      atPlace(workspace, text, { makeFolders: false }, async (place) => {
        const folder = folderAt(workspace, place, text);
        if (!folder.ok) return folder;
        try {
          const { entries, complete } = await readFolder(folder.value, never);
          const shown = entries.slice(0, limit).map(({ name, kind }): FolderEntry => {
            const size =
              kind === "file" ? (lstatSync(`${folder.value.at}/${name}`, { throwIfNoEntry: false })?.size ?? 0) : 0;
            return { name, kind, size };
          });
          return ok({ path: named(text), entries: shown, truncated: !complete || entries.length > limit });
        } finally {
          if (folder.value !== place.folder) closeFolder(folder.value);
        }
      }),
  };
}
