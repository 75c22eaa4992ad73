// Determines the folders of the workspace that a child may use.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ChildState } from "../../schema/workflow/child.ts";
import { parseWorkspacePath, pathText } from "../../schema/workspace-path.ts";
import { isWithin, WHOLE_WORKSPACE } from "../../tools/confine-to-roots.ts";

/** A child can pass on only folders that it has itself. */
export function childRoots(roots: readonly string[], limits: ChildState | undefined): Result<readonly string[]> {
  const parents = limits?.roots.map((one) => one.split("/").filter((name) => name !== WHOLE_WORKSPACE)) ?? [[]];
  const folders: string[] = [];
  for (const root of roots) {
    const path = parseWorkspacePath(root);
    if (!path.ok) return path;
    if (!parents.some((parent) => isWithin(path.value, parent)))
      return fail("path_outside_workspace", `roots: ${JSON.stringify(root)} is outside your own folders.`);
    folders.push(pathText(path.value));
  }
  return ok([...new Set(folders)]);
}
