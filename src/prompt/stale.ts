// Which observations a later call made out of date: by paths where both name some, otherwise by toolkit.
import type { Manifest } from "../schema/manifest.ts";
import type { ObservedCall, WindowEntry } from "./window-entry.ts";

type Change = Pick<ObservedCall, "changedPaths"> & { readonly group: string; readonly receipt: string };

/** Each observation with the earliest later call that changed it, or may have. */
export function markStale(entries: readonly WindowEntry[], tools: readonly Manifest[]): WindowEntry[] {
  const groups = new Map(
    tools.map((tool) => [tool.name, tool.tags.includes("workspace") ? "workspace" : tool.toolset]),
  );
  const changes: Change[] = [];
  const result = [...entries];
  for (let i = result.length - 1; i >= 0; i--) {
    const one = result[i];
    const group = groups.get(one?.observed.name ?? "");
    if (!one || group === undefined) continue;
    const { changed, changedPaths, receipt } = one.observed;
    if (changed && receipt !== null) changes.push({ group, changedPaths, receipt });
    else if (one.observed.shows) result[i] = { ...one, staleBy: staleBy(one.observed, group, changes) };
  }
  return result;
}

/** `changes`: newest first. One that is certain counts more than an earlier one that is not. */
function staleBy({ path }: ObservedCall, group: string, changes: readonly Change[]): string | null {
  const reaching = changes.filter((change) => change.group === group && reach(change, path) !== "no").reverse();
  const certain = reaching.find((change) => reach(change, path) === "yes");
  if (certain) return `changed by ${certain.receipt}`;
  return reaching[0] ? `may be changed by ${reaching[0].receipt}` : null;
}

/** A call of a toolkit without paths changes what its other calls show. A folder may look the same after a change in it. */
function reach({ changedPaths, group }: Change, path: string | null): "yes" | "maybe" | "no" {
  if (changedPaths === null || path === null) return group === "workspace" ? "maybe" : "yes";
  if (changedPaths.some((changed) => isWithin(path, changed))) return "yes";
  return changedPaths.some((changed) => isWithin(changed, path)) ? "maybe" : "no";
}

const isWithin = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder}/`);
