// Walks the files of a workspace for a search. Enters every folder through its parent's handle and follows no link.
import { closeSync, lstatSync } from "node:fs";
import type { FileTree, TreeFile, WalkOptions } from "../../ports/file-tree.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { PATH_DEPTH_MAX } from "../../schema/workspace-path.ts";
import {
  closeFolder,
  type FileLocation,
  type Folder,
  folderAt,
  openFolder,
  openLocation,
  relativePath,
  type Workspace,
  withLocation,
} from "./folders.ts";
import { readFolder } from "./read-folder.ts";
import { type HardLinks, openRegularFile, readBytes } from "./regular-file.ts";
import { systemCode } from "./system-problem.ts";

export function createLocalTree(workspace: Workspace, hardLinks: HardLinks): FileTree {
  return {
    async walk(text, walk) {
      // Checks the folder first, so that a missing or inaccessible folder is a problem instead of an empty result.
      const checked = await withLocation(workspace, text, { makeFolders: false }, async (location) =>
        checkStart(workspace, location, text),
      );
      return checked.ok ? ok(walkFrom(workspace, hardLinks, text, walk)) : checked;
    },
  };
}

function checkStart(workspace: Workspace, location: FileLocation, text: string): Result<void> {
  if (location.name === null || location.stats?.isFile()) return ok(undefined);
  if (location.stats && !location.stats.isDirectory())
    return fail("not_a_file", `${JSON.stringify(text)} is not a regular file.`);
  const folder = folderAt(workspace, location, text);
  if (!folder.ok) return folder;
  closeFolder(folder.value);
  return ok(undefined);
}

async function* walkFrom(
  workspace: Workspace,
  hardLinks: HardLinks,
  text: string,
  walk: WalkOptions,
): AsyncGenerator<TreeFile> {
  const opened = openLocation(workspace, text, { makeFolders: false });
  if (!opened.ok) return;
  const { location, close } = opened.value;
  try {
    const name = relativePath(workspace, text);
    if (location.name !== null && location.stats?.isFile()) {
      yield treeFile(workspace, hardLinks, location.folder, location.name, {
        path: name,
        relative_path: name.slice(name.lastIndexOf("/") + 1),
      });
      return;
    }
    const folder = location.name === null ? location.folder : openChild(workspace, location.folder, location.name);
    if (!folder) return;
    try {
      yield* walkFolder(
        workspace,
        hardLinks,
        folder,
        { start: name === "." ? "" : `${name}/`, relative_path: "" },
        walk,
      );
    } finally {
      if (folder !== location.folder) closeFolder(folder);
    }
  } finally {
    close();
  }
}

/**
 * `start` is the path of the walk's start in the workspace, and `relative_path` is the folder's path from there. Both
 * end with a slash unless empty.
 */
type FolderPath = { readonly start: string; readonly relative_path: string };

async function* walkFolder(
  workspace: Workspace,
  hardLinks: HardLinks,
  folder: Folder,
  folderPath: FolderPath,
  walk: WalkOptions,
): AsyncGenerator<TreeFile> {
  const { entries } = await readFolder(folder, walk.stop);
  for (const { name, kind } of entries) {
    if (walk.stop()) return;
    const relative_path = folderPath.relative_path + name;
    if (kind === "file")
      yield treeFile(workspace, hardLinks, folder, name, { path: folderPath.start + relative_path, relative_path });
  }
  if ((folderPath.start + folderPath.relative_path).split("/").length > PATH_DEPTH_MAX) return;
  for (const { name, kind } of entries) {
    if (walk.stop()) return;
    if (kind !== "folder" || !walk.enter(folderPath.relative_path + name)) continue;
    const child = openChild(workspace, folder, name);
    if (!child) continue;
    try {
      yield* walkFolder(
        workspace,
        hardLinks,
        child,
        { start: folderPath.start, relative_path: `${folderPath.relative_path}${name}/` },
        walk,
      );
    } finally {
      closeFolder(child);
    }
  }
}

/**
 * Opens a child folder. A search skips a folder that was deleted, made inaccessible or replaced by a link after it was
 * listed.
 */
function openChild(workspace: Workspace, folder: Folder, name: string): Folder | null {
  try {
    return openFolder(workspace, `${folder.path}/${name}`);
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
  names: { readonly path: string; readonly relative_path: string },
): TreeFile {
  return {
    ...names,
    async read(limit) {
      try {
        const stats = lstatSync(`${folder.path}/${name}`);
        const file = openRegularFile(workspace, { folder, name, stats, dangling: false }, names.path, hardLinks);
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
