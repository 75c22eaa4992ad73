// Decides whether commands may run on this host, and says why not. The caller has resolved all links in the paths.
import { basename, dirname, join } from "node:path";
import { isWithin, quoted } from "./data-folder.ts";

export type BashFacts = {
  readonly enabled: boolean;
  /** The absolute path of the workspace with all links resolved, as in `data`. Null if there is no workspace. */
  readonly workspace: string | null;
  readonly data: string;
  /** True if commands run in a sandbox, which shows them the workspace and none of the server's own files. */
  readonly sandboxed: boolean;
  /** A link in the workspace through which the server finds one of its own files or folders. */
  readonly link: string | null;
  /** A file of the server's program that is in the workspace. */
  readonly program: string | null;
};

/**
 * Returns why bash does not start and what to do about it. A process that can read the data folder can read the secret
 * that signs links for approvals. Without a sandbox, neither the workspace nor the data folder may therefore contain
 * the other.
 */
export function bashRefusal({ enabled, workspace, data, sandboxed, link, program }: BashFacts): string | null {
  if (!enabled || workspace === null) return null;
  if (link !== null)
    return `bash is off: the server finds its own files through the link ${link} in the workspace, which a command could replace. Configure the path that the link leads to, and remove the link.`;
  if (sandboxed && program !== null)
    return `bash is off: commands could change the program of this server, ${program}, and escape the sandbox. Install Pawl outside of the workspace ${workspace}, or set "workspace" to a folder without it.`;
  if (sandboxed) return null;
  if (!isWithin(data, workspace) && !isWithin(workspace, data)) return null;
  const reached = `bash is off: commands in the workspace ${workspace} could read the data folder ${data}.`;
  if (isWithin(workspace, data)) return `${reached} Set "workspace" to a folder outside the data folder.`;
  if (dirname(workspace) === workspace) return `${reached} Set "workspace" to a folder that does not contain it.`;
  const target = join(dirname(workspace), `${basename(workspace)}-data`);
  return `${reached} Stop the server, move the folder and name its new place: mv ${quoted(data)} ${quoted(target)}, then set PAWL_DATA=${quoted(target)} or "data" in the configuration.`;
}
