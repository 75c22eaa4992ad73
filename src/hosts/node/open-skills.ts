// Opens the folder of skills. It is read at the start, so that prompts can name the skills.
import { isAbsolute, relative } from "node:path";
import { createLocalOperations } from "../../adapters/operations-local/local-operations.ts";
import type { SkillFolder, SkillSummary } from "../../ports/data/skill-folder.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { readSkillText } from "../../toolkits/skills/skill.ts";
import { readText } from "../../toolkits/skills/skill-source.ts";
import type { LoadedConfig } from "../shared/config.ts";
import { lazySearch as search } from "../shared/lazy-adapters.ts";
import { realPath } from "./data-folder.ts";

type SkillsConfig = Pick<LoadedConfig, "skills" | "workspace">;

export type OpenedSkills = { readonly folder: SkillFolder | null; readonly warnings: readonly string[] };

export async function openSkills({ skills, workspace }: SkillsConfig): Promise<Result<OpenedSkills>> {
  if (skills.folder === null) return ok({ folder: null, warnings: [] });
  const root = realPath(skills.folder);
  // What tools can write must not become a program that runs.
  if (workspace !== null && isInside(realPath(workspace), root))
    return fail("config_invalid", "skills.folder: must be outside of the workspace, because agents can write there.");
  const operations = createLocalOperations({ root, search });
  if (!operations.ok) return fail("config_invalid", `skills.folder: ${skills.folder} is not a folder.`);
  const { files } = operations.value;
  const listed = await files.list("");
  if (!listed.ok) return listed;
  const summaries: SkillSummary[] = [];
  const warnings: string[] = [];
  for (const { name } of listed.value.entries.filter(({ kind }) => kind === "folder")) {
    const text = await readText({ files }, `${name}/SKILL.md`);
    const skill = text.ok ? readSkillText(text.value) : text;
    if (!skill.ok) warnings.push(`The skill ${name} is left out: ${skill.problem.message}`);
    else if (skill.value.name !== name)
      warnings.push(`The skill ${name} is left out: its name is ${skill.value.name}.`);
    else summaries.push({ name, description: skill.value.description });
  }
  return ok({ folder: { files, root, summaries }, warnings });
}

const isInside = (outer: string, inner: string): boolean => {
  const path = relative(outer, inner);
  return path === "" || (!path.startsWith("..") && !isAbsolute(path));
};
