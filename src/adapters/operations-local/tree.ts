// Walks the files of a workspace for a search. Every folder is entered through its parent's handle; no link is followed.
import { closeSync, lstatSync } from "node:fs";
import type { FileTree, TreeFile, Walk } from "../../ports/file-tree.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { PATH_DEPTH_MAX } from "../../schema/workspace-path.ts";
import {
  atPlace,
  closeFolder,
  type Folder,
  folderAt,
  openFolder,
  openPlace,
  type Place,
  relativeName,
  type Workspace,
} from "./folders.ts";
import { readFolder } from "./read-folder.ts";
import { type HardLinks, openRegular, readBytes } from "./regular-file.ts";
import { systemCode } from "./system-problem.ts";

export function createLocalTree(workspace: Workspace, hardLinks: HardLinks): FileTree {
  return {
    async walk(text, walk) {
      // First only a look, so that a folder that is missing or shut is a problem and not an empty answer.
      const seen = await atPlace(workspace, text, { makeFolders: false }, async (place) =>
        startAt(workspace, place, text),
      );
      return seen.ok ? ok(walkFrom(workspace, hardLinks, text, walk)) : seen;
    },
  };
}

function startAt(workspace: Workspace, place: Place, text: string): Result<void> {
  if (place.name === null || place.stats?.isFile()) return ok(undefined);
  if (place.stats && !place.stats.isDirectory())
    return fail("not_a_file", `${JSON.stringify(text)} is not a regular file.`);
  const folder = folderAt(workspace, place, text);
  if (!folder.ok) return folder;
  closeFolder(folder.value);
  return ok(undefined);
}

async function* walkFrom(
  workspace: Workspace,
  hardLinks: HardLinks,
  text: string,
  walk: Walk,
): AsyncGenerator<TreeFile> {
  const opened = openPlace(workspace, text, { makeFolders: false });
  if (!opened.ok) return;
  const { place, close } = opened.value;
  try {
    const name = relativeName(workspace, text);
    if (place.name !== null && place.stats?.isFile()) {
      yield treeFile(workspace, hardLinks, place.folder, place.name, {
        path: name,
        below: name.slice(name.lastIndexOf("/") + 1),
      });
      return;
    }
    const folder = place.name === null ? place.folder : openChild(workspace, place.folder, place.name);
    if (!folder) return;
    try {
      yield* walkFolder(workspace, hardLinks, folder, { start: name === "." ? "" : `${name}/`, below: "" }, walk);
    } finally {
      if (folder !== place.folder) closeFolder(folder);
    }
  } finally {
    close();
  }
}

/** Where a folder is, seen from where the walk started; both end with a slash unless empty. */
type Way = { readonly start: string; readonly below: string };

async function* walkFolder(
  workspace: Workspace,
  hardLinks: HardLinks,
  folder: Folder,
  way: Way,
  walk: Walk,
): AsyncGenerator<TreeFile> {
  const { entries } = await readFolder(folder, walk.stop);
  for (const { name, kind } of entries) {
    if (walk.stop()) return;
    const below = way.below + name;
    if (kind === "file") yield treeFile(workspace, hardLinks, folder, name, { path: way.start + below, below });
  }
  if ((way.start + way.below).split("/").length > PATH_DEPTH_MAX) return;
  for (const { name, kind } of entries) {
    if (walk.stop()) return;
    if (kind !== "folder" || !walk.enter(way.below + name)) continue;
    const child = openChild(workspace, folder, name);
    if (!child) continue;
    try {
      yield* walkFolder(workspace, hardLinks, child, { start: way.start, below: `${way.below}${name}/` }, walk);
    } finally {
      closeFolder(child);
    }
  }
}

/** Gone, forbidden or swapped for a link since it was listed: a search leaves it out. */
function openChild(workspace: Workspace, folder: Folder, name: string): Folder | null {
  try {
    return openFolder(workspace, `${folder.at}/${name}`);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

function treeFile(
  workspace: Workspace,
  hardLinks: HardLinks,
  folder: Folder,
  name: string,
  names: { readonly path: string; readonly below: string },
): TreeFile {
  return {
    ...names,
    async read(limit) {
      try {
        const stats = lstatSync(`${folder.at}/${name}`);
        const file = openRegular(workspace, { folder, name, stats, dangling: false }, names.path, hardLinks);
        if (!file.ok) return null;
        try {
          const { size } = file.value.stats;
          return { bytes: await readBytes(file.value.fd, 0, Math.min(size, limit)), size };
        } finally {
          closeSync(file.value.fd);
        }
      } catch (error) {
        if (systemCode(error) === null) throw error;
        return null;
      }
    },
  };
}
