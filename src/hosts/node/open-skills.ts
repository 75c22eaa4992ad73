// Opens the folder of skills. It is read at the start, so that prompts can name the skills.
import { isAbsolute, relative } from "node:path";
import { createLocalOperations } from "../../adapters/operations-local/local-operations.ts";
import type { SkillFolder } from "../../ports/data/skill-folder.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { LoadedConfig } from "../shared/config.ts";
import { lazySearch as search } from "../shared/lazy-adapters.ts";
import { realPath } from "./data-folder.ts";

type SkillsConfig = Pick<LoadedConfig, "skills" | "workspace">;
type Opened = { readonly folder: SkillFolder | null; readonly warnings: readonly string[] };

export async function openSkills({ skills, workspace }: SkillsConfig): Promise<Result<Opened>> {
  if (skills.folder === null) return ok({ folder: null, warnings: [] });
  const root = realPath(skills.folder);
  // The folder must be outside of the workspace, because tools could write programs of skills there.
  if (workspace !== null && isInside(realPath(workspace), root))
    return fail("config_invalid", "skills.folder: must be outside of the workspace, because agents can write there.");
  const operations = createLocalOperations({ root, search });
  if (!operations.ok) return fail("config_invalid", `skills.folder: ${skills.folder} is not a folder.`);
  // The module is loaded only if there is a folder, because it imports a YAML parser.
  const { openSkillFolder } = await import("../../adapters/skills-folder/skill-folder.ts");
  return openSkillFolder(root, operations.value.files);
}

const isInside = (outer: string, inner: string): boolean => {
  const path = relative(outer, inner);
  return path === "" || (!path.startsWith("..") && !isAbsolute(path));
};
