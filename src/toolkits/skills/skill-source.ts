// Provides all skills that a thread can use: those of the operator's folder, and those that are stored for the tenant.
import type { Skill, SkillFolder, SkillSummary } from "../../ports/data/skill-folder.ts";
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { OutputTrust } from "../../schema/receipt.ts";
import type { StoredSkills } from "./stored-skills.ts";

export type FoundSkill = Skill & { readonly trust: OutputTrust; readonly from: "folder" | "store" };
export type FoundText = { readonly text: string; readonly trust: OutputTrust };

export type SkillSource = {
  readonly list: (tenant: TenantId) => Promise<Result<readonly (SkillSummary & { readonly trust: OutputTrust })[]>>;
  readonly read: (tenant: TenantId, name: string) => Promise<Result<FoundSkill>>;
  readonly readFile: (tenant: TenantId, name: string, path: string) => Promise<Result<FoundText>>;
  readonly isInFolder: (name: string) => boolean;
};

const missing = (name: string) => fail("skill_not_found", `There is no skill named ${name}.`);

export function createSkillSource(stored: StoredSkills, folder: SkillFolder | undefined): SkillSource {
  const isInFolder = (name: string): boolean => folder?.summaries.some((skill) => skill.name === name) ?? false;
  const findStored = async (tenant: TenantId, name: string) => {
    const listed = await stored.list(tenant);
    if (!listed.ok) return listed;
    const found = listed.value.find((skill) => skill.name === name);
    return found ? ok(found) : missing(name);
  };
  return {
    isInFolder,
    async list(tenant) {
      const listed = await stored.list(tenant);
      if (!listed.ok) return listed;
      const own = (folder?.summaries ?? []).map((skill) => ({ ...skill, trust: "trusted" as const }));
      const others = listed.value.filter(({ name }) => !isInFolder(name));
      return ok([...own, ...others.map(({ name, description, trust }) => ({ name, description, trust }))]);
    },
    async read(tenant, name) {
      if (folder && isInFolder(name)) {
        const skill = await folder.read(name);
        return skill.ok ? ok({ ...skill.value, trust: "trusted", from: "folder" }) : skill;
      }
      const found = await findStored(tenant, name);
      if (!found.ok) return found;
      const { description, body, trust, files } = found.value;
      return ok({ name, description, body, trust, entry: null, from: "store", files: Object.keys(files).sort() });
    },
    async readFile(tenant, name, path) {
      if (folder && isInFolder(name)) {
        const text = await folder.readFile(name, path);
        return text.ok ? ok({ text: text.value, trust: "trusted" }) : text;
      }
      const found = await findStored(tenant, name);
      if (!found.ok) return found;
      const { files, trust } = found.value;
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      if (text === undefined) return fail("file_not_found", `The skill ${name} has no file ${path}.`);
      return ok({ text, trust });
    },
  };
}
