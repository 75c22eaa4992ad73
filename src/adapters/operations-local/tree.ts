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
    async walk(text, options) {
      // Checks the folder first, so that a missing or inaccessible folder is a problem instead of an empty result.
      const checked = await withLocation(workspace, text, { makeFolders: false }, async (location) =>
        checkStart(workspace, location, text),
      );
      const path = relativePath(workspace, text);
      const start = path === "." ? "" : `${path}/`;
      return checked.ok ? ok(walkFrom({ ...options, workspace, hardLinks, start }, text)) : checked;
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

type Walk = WalkOptions & {
  readonly workspace: Workspace;
  readonly hardLinks: HardLinks;
  /** The path of the first folder in the workspace, with a slash at its end unless it is empty. */
  readonly start: string;
};

async function* walkFrom(walk: Walk, text: string): AsyncGenerator<TreeFile> {
  const opened = openLocation(walk.workspace, text, { makeFolders: false });
  if (!opened.ok) return;
  const { location, close } = opened.value;
  const { folder: parent, name, stats } = location;
  try {
    if (name !== null && stats?.isFile()) {
      const path = walk.start.slice(0, -1);
      yield treeFile(walk, parent, name, { path, relative_path: path.slice(path.lastIndexOf("/") + 1) });
      return;
    }
    const folder = name === null ? parent : openChild(walk, parent, name);
    if (!folder) return;
    try {
      yield* walkFolder(walk, folder, "");
    } finally {
      if (folder !== parent) closeFolder(folder);
    }
  } finally {
    close();
  }
}

/** `prefix` is the folder's path from the start, with a slash at its end unless it is empty. */
async function* walkFolder(walk: Walk, folder: Folder, prefix: string): AsyncGenerator<TreeFile> {
  const { entries } = await readFolder(folder, walk.stop);
  for (const { name, kind } of entries) {
    if (walk.stop()) return;
    const relative_path = prefix + name;
    if (kind === "file") yield treeFile(walk, folder, name, { path: walk.start + relative_path, relative_path });
  }
  if ((walk.start + prefix).split("/").length > PATH_DEPTH_MAX) return;
  for (const { name, kind } of entries) {
    if (walk.stop()) return;
    if (kind !== "folder" || !walk.enter(prefix + name)) continue;
    const child = openChild(walk, folder, name);
    if (!child) continue;
    try {
      yield* walkFolder(walk, child, `${prefix}${name}/`);
    } finally {
      closeFolder(child);
    }
  }
}

/** A search skips a folder that was deleted, made inaccessible or replaced by a link after it was listed. */
function openChild({ workspace }: Walk, folder: Folder, name: string): Folder | null {
  try {
    return openFolder(workspace, `${folder.path}/${name}`);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

function treeFile(
  { workspace, hardLinks }: Walk,
  folder: Folder,
  name: string,
  names: Pick<TreeFile, "path" | "relative_path">,
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
