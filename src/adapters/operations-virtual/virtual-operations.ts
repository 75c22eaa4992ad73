// A workspace without a disk: files are in an injected map, folders follow from path prefixes, and there are no
// commands.
import type { SearchEngine } from "../../ports/file-tree.ts";
import type { Operations } from "../../ports/operations.ts";
import type { VirtualFiles } from "../../ports/virtual-files.ts";
import { createVirtualFileOperations, type VirtualLimits } from "./files.ts";
import { createVirtualTree } from "./tree.ts";

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
