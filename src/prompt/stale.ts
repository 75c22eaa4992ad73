// Finds observations that a later call made out of date: by paths if both calls name some, otherwise by toolkit.
import type { Manifest } from "../schema/manifest.ts";
import { oncePerTools } from "../tools/declared/once-per-tools.ts";
import type { ObservedCall, WindowEntry } from "./window-entry.ts";

type Change = Pick<ObservedCall, "changedPaths" | "ids"> & { readonly group: string; readonly receipt: string };

const groupsByName = oncePerTools(
  (tools) => new Map(tools.map((tool) => [tool.name, tool.tags.includes("workspace") ? "workspace" : tool.toolset])),
);

export function markStale(entries: readonly WindowEntry[], tools: readonly Manifest[]): WindowEntry[] {
  const groups = groupsByName(tools);
  const changes: Change[] = [];
  const result = [...entries];
  for (let i = result.length - 1; i >= 0; i--) {
    const one = result[i];
    const group = groups.get(one?.observed.name ?? "");
    if (!one || group === undefined) continue;
    const { changed, changedPaths, ids, receipt } = one.observed;
    if (changed && receipt !== null) changes.push({ group, changedPaths, ids, receipt });
    else if (one.observed.shows) result[i] = { ...one, staleBy: staleBy(one.observed, group, changes) };
  }
  return result;
}

/** `changes` are newest first. A certain change counts more than an earlier possible one. */
function staleBy(seen: ObservedCall, group: string, changes: readonly Change[]): string | null {
  const reaching = changes.filter((change) => change.group === group && reach(change, seen) !== "no").reverse();
  const certain = reaching.find((change) => reach(change, seen) === "yes");
  if (certain) return `changed by ${certain.receipt}`;
  return reaching[0] ? `may be changed by ${reaching[0].receipt}` : null;
}

/** A change inside a folder may or may not affect the listing of the folder. */
function reach(change: Change, seen: ObservedCall): "yes" | "maybe" | "no" {
  const { changedPaths, group } = change;
  const { path } = seen;
  if (changedPaths === null || path === null) return group === "workspace" ? "maybe" : reachById(change, seen);
  if (changedPaths.some((changed) => isWithin(path, changed))) return "yes";
  return changedPaths.some((changed) => isWithin(changed, path)) ? "maybe" : "no";
}

/** A change that names no ids may affect all observations of its toolkit. One that names ids may affect lists that do not show them yet. */
function reachById({ ids }: Change, seen: ObservedCall): "yes" | "maybe" | "no" {
  if (ids.some((id) => showsId(seen.text, id))) return "yes";
  return ids.length === 0 || seen.partial || seen.ids.length === 0 ? "maybe" : "no";
}

/** The id must not be a part of another word or number. */
function showsId(text: string, id: string): boolean {
  const isPart = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + id.length])) return true;
  return false;
}

const isWithin = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder}/`);
