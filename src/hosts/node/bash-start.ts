// Whether commands may run at all on this host. This only decides; the host resolves the real paths first and reports the reason.
import { basename, dirname, join } from "node:path";
import { isWithin, quoted } from "./data-folder.ts";

export type BashFacts = {
  readonly enabled: boolean;
  /** Real paths: absolute, with every link resolved. */
  readonly workspace: string | null;
  readonly data: string;
  /** Whether commands see nothing but the workspace, without the server's own files. */
  readonly sandboxed: boolean;
  /** A link in the workspace on the way to a file or folder of the server; null: there is none. */
  readonly link: string | null;
  /** A file of the program of this server that lies in the workspace; null: none does. */
  readonly program: string | null;
};

/**
 * Why bash does not start, and what to do about it; null: it may start. A process that reads the data folder can read the
 * secret that signs approvals, so a command must not find it within its own folder or right above.
 */
export function bashRefusal({ enabled, workspace, data, sandboxed, link, program }: BashFacts): string | null {
  if (!enabled || workspace === null) return null;
  if (link !== null)
    return `bash is off: the server finds its own files through the link ${link} in the workspace, which a command could replace. Configure the path that the link leads to, and remove the link.`;
  if (sandboxed && program !== null)
    return `bash is off: commands could change the program of this server, ${program}, and so leave the sandbox. Install Pawl outside of the workspace ${workspace}, or set "workspace" to a folder without it.`;
  if (sandboxed) return null;
  if (!isWithin(workspace, data) && !isWithin(data, workspace)) return null;
  const reached = `bash is off: commands in the workspace ${workspace} could read the data folder ${data}.`;
  if (isWithin(data, workspace)) return `${reached} Set "workspace" to a folder outside the data folder.`;
  if (dirname(workspace) === workspace) return `${reached} Set "workspace" to a folder that does not hold it.`;
  const target = join(dirname(workspace), `${basename(workspace)}-data`);
  return `${reached} Stop the server, move the folder and name its new place: mv ${quoted(data)} ${quoted(target)}, then set PAWL_DATA=${quoted(target)} or "data" in the configuration.`;
}
