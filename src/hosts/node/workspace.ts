// Where the tools on files work: the configured folder of this machine, or, without one, files kept in the thread itself.

import { createLocalOperations } from "../../adapters/operations-local/local-operations.ts";
import { createVirtualOperations } from "../../adapters/operations-virtual/virtual-operations.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { OperationsFor } from "../../toolkits/files/workspace.ts";
import type { LoadedConfig } from "../shared/config.ts";
import { lazySearch as search } from "../shared/lazy-adapters.ts";

export type Workspace = { readonly operations: OperationsFor; readonly parts: readonly string[] };

type WorkspaceConfig = Pick<LoadedConfig, "workspace" | "bash" | "data">;

/** The data folder is there by now, and no tool on files enters it: all threads and the server's secret are in it. */
export function openWorkspace({ workspace, bash, data }: WorkspaceConfig): Result<Workspace> {
  if (workspace === null) {
    return ok({ operations: ({ own }) => createVirtualOperations({ store: own.files, search }), parts: ["files"] });
  }
  const local = createLocalOperations({
    root: workspace,
    search,
    process: bash.enabled ? {} : null,
    blockedFolder: data,
  });
  if (!local.ok) return local;
  return ok({ operations: () => local.value, parts: bash.enabled ? ["files", "process"] : ["files"] });
}
