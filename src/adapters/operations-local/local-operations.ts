// Implements a workspace in a local folder. Use one instance per folder, because writes are only queued within an
// instance.
import { existsSync, realpathSync, statSync } from "node:fs";
import type { SearchEngine } from "../../ports/file-tree.ts";
import type { Operations } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { isClosedFile } from "./closed-paths.ts";
import { createLocalFiles } from "./files.ts";
import type { Workspace } from "./folders.ts";
import type { HardLinks } from "./regular-file.ts";
import { createLocalProcess, type ProcessOptions } from "./run-command.ts";
import { systemCode } from "./system-problem.ts";
import { createLocalTree } from "./tree.ts";

export type LocalOptions = {
  /** The folder must exist. Links in its path are resolved once, at creation. */
  readonly root: string;
  readonly search: SearchEngine;
  /** Commands are disabled if this is omitted or null. */
  readonly process?: ProcessOptions | null;
  /** A file with several hard links may also exist outside the workspace. Default: "refuse". */
  readonly hardLinks?: HardLinks;
  /** True keeps folders open (Linux). False checks names, which is weaker against races. Detected by default. */
  readonly handles?: boolean;
  /** Absolute paths that stay inaccessible even inside the workspace, such as the server's own data. */
  readonly blockedFolder?: readonly string[];
};

export function createLocalOperations(options: LocalOptions): Result<Operations> {
  const root = realRoot(options.root);
  if (root === null) return fail("config_invalid", `The workspace ${JSON.stringify(options.root)} is not a folder.`);
  const handles = options.handles ?? (process.platform === "linux" && existsSync("/proc/self/fd"));
  const closedPaths = options.blockedFolder ?? [];
  if (isClosedFile(closedPaths, statSync(root)))
    return fail("config_invalid", `The workspace ${JSON.stringify(options.root)} is the data folder of the server.`);
  const workspace: Workspace = { root, handles, closedPaths };
  const hardLinks = options.hardLinks ?? "refuse";
  return ok({
    files: createLocalFiles(workspace, hardLinks),
    search: options.search(createLocalTree(workspace, hardLinks)),
    process: options.process ? createLocalProcess(workspace, options.process) : null,
  });
}

function realRoot(root: string): string | null {
  try {
    const real = realpathSync(root);
    return statSync(real).isDirectory() ? real : null;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}
