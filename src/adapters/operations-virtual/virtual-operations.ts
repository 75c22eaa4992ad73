// A workspace without a disk: files are in an injected map, folders follow from path prefixes, and there are no
// commands.
import type { FileTree, SearchEngine, TreeFile, WalkOptions } from "../../ports/file-tree.ts";
import type { Operations } from "../../ports/operations.ts";
import type { VirtualFiles } from "../../ports/virtual-files.ts";
import { fail, ok } from "../../schema/problem.ts";
import { parseWorkspacePath, pathText } from "../../schema/workspace-path.ts";
import { createVirtualFileOperations, type VirtualLimits } from "./files.ts";

export type VirtualOptions = {
  readonly store: VirtualFiles;
  readonly search: SearchEngine;
  readonly limits?: Partial<VirtualLimits>;
};

const LIMITS: VirtualLimits = { files: 2_000, bytes: 67_108_864 };

export function createVirtualOperations({ store, search, limits }: VirtualOptions): Operations {
  return {
    files: createVirtualFileOperations(store, { ...LIMITS, ...limits }),
    search: search(createVirtualTree(store)),
    process: null,
  };
}

/** Walks virtual files for a search in the same order as on disk: first the files of a folder, then its subfolders. */
function createVirtualTree(store: VirtualFiles): FileTree {
  return {
    async walk(text, walk) {
      const parsed = parseWorkspacePath(text);
      if (!parsed.ok) return parsed;
      const listed = await store.list();
      if (!listed.ok) return listed;
      const name = pathText(parsed.value);
      const prefix = name === "." ? "" : `${name}/`;
      const paths = listed.value.map((file) => file.path);
      if (paths.includes(name)) return ok(oneFile(store, name));
      const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      if (below.length === 0 && prefix !== "") return fail("file_not_found", `${JSON.stringify(text)} does not exist.`);
      return ok(walkFolder({ ...walk, store, prefix }, "", below.sort()));
    },
  };
}

async function* oneFile(store: VirtualFiles, path: string): AsyncGenerator<TreeFile> {
  yield treeFile(store, path, path.slice(path.lastIndexOf("/") + 1));
}

type Walk = WalkOptions & { readonly store: VirtualFiles; readonly prefix: string };

/** `names` are sorted and relative to `folder`. */
async function* walkFolder(walk: Walk, folder: string, names: readonly string[]): AsyncGenerator<TreeFile> {
  const folders = new Map<string, string[]>();
  for (const name of names) {
    if (walk.stop()) return;
    const slash = name.indexOf("/");
    if (slash < 0) {
      yield treeFile(walk.store, walk.prefix + folder + name, folder + name);
      continue;
    }
    const inner = folders.get(name.slice(0, slash)) ?? [];
    inner.push(name.slice(slash + 1));
    folders.set(name.slice(0, slash), inner);
  }
  for (const name of [...folders.keys()].sort()) {
    if (walk.stop()) return;
    if (walk.enter(folder + name)) yield* walkFolder(walk, `${folder}${name}/`, folders.get(name) ?? []);
  }
}

const treeFile = (store: VirtualFiles, path: string, below: string): TreeFile => ({
  path,
  relative_path: below,
  read: (limit) => readFrom(store, path, limit),
});

async function readFrom(store: VirtualFiles, path: string, limit: number) {
  const got = await store.get(path);
  if (!got.ok || got.value === null) return null;
  return { bytes: got.value.subarray(0, limit), size: got.value.length };
}
