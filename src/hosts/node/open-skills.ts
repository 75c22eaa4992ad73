// Opens the folder of skills. The folder is read at startup, because prompts list the names of the skills.
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
  // Skills may contain programs, and tools could change these programs if the folder were in the workspace.
  if (workspace !== null && isInside(realPath(workspace), root))
    return fail("config_invalid", "skills.folder: must be outside of the workspace, because agents can write there.");
  const operations = createLocalOperations({ root, search });
  if (!operations.ok) return fail("config_invalid", `skills.folder: ${skills.folder} is not a folder.`);
  // The module imports a YAML parser, so it is loaded only if a folder is configured.
  const { openSkillFolder } = await import("../../adapters/skills-folder/skill-folder.ts");
  return openSkillFolder(root, operations.value.files);
}

const isInside = (outer: string, inner: string): boolean => {
  const path = relative(outer, inner);
  return path === "" || (!path.startsWith("..") && !isAbsolute(path));
};
