// Whether commands may run at all on this host. Decides only; the host resolves the real paths first and reports the reason.
import { basename, dirname, join } from "node:path";
import { quoted } from "./data-folder.ts";

export type BashFacts = {
  readonly enabled: boolean;
  /** Real paths: absolute, with every link resolved. */
  readonly workspace: string | null;
  readonly data: string;
  /** Whether commands see nothing but the workspace, without the server's own files. */
  readonly sandboxed: boolean;
};

/**
 * Why bash does not start, and what to do about it; null: it may start. A process that reads the data folder can read the
 * secret that signs approvals, so a command must not find it within its own folder or right above.
 */
export function bashRefusal({ enabled, workspace, data, sandboxed }: BashFacts): string | null {
  if (!enabled || workspace === null || sandboxed) return null;
  if (!contains(workspace, data) && !contains(data, workspace)) return null;
  const reached = `bash is off: commands in the workspace ${workspace} could read the data folder ${data}.`;
  if (contains(data, workspace)) return `${reached} Set "workspace" to a folder outside the data folder.`;
  if (dirname(workspace) === workspace) return `${reached} Set "workspace" to a folder that does not hold it.`;
  const target = join(dirname(workspace), `${basename(workspace)}-data`);
  return `${reached} Stop the server, move the folder and name its new place: mv ${quoted(data)} ${quoted(target)}, then set PAWL_DATA=${quoted(target)} or "data" in the configuration.`;
}

const contains = (outer: string, inner: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
