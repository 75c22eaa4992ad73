// All skills that a thread can use: those of the operator's folder, and those that are stored for the tenant.
import type { SkillFolder, SkillSummary } from "../../ports/data/skill-folder.ts";
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { OutputTrust } from "../../schema/receipt.ts";
import { decodeText } from "../../tools/text-format.ts";
import { readSkillText, type Skill } from "./skill.ts";
import type { StoredSkills } from "./stored-skills.ts";

const TEXT_BYTES_MAX = 65_536;
const FILES_MAX = 100;

export type FoundSkill = Skill & {
  readonly trust: OutputTrust;
  readonly from: "folder" | "store";
  readonly files: readonly string[];
};
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
      if (folder && isInFolder(name)) return readFolderSkill(folder, name);
      const found = await findStored(tenant, name);
      if (!found.ok) return found;
      const { description, body, trust, files } = found.value;
      return ok({ name, description, body, trust, entry: null, from: "store", files: Object.keys(files).sort() });
    },
    async readFile(tenant, name, path) {
      if (folder && isInFolder(name)) {
        const text = await readText(folder, `${name}/${path}`);
        return text.ok ? ok({ text: text.value, trust: "trusted" }) : text;
      }
      const found = await findStored(tenant, name);
      if (!found.ok) return found;
      const { files, trust } = found.value;
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      return text === undefined
        ? fail("file_not_found", `The skill ${name} has no file ${path}.`)
        : ok({ text, trust });
    },
  };
}

async function readFolderSkill(folder: SkillFolder, name: string): Promise<Result<FoundSkill>> {
  const text = await readText(folder, `${name}/SKILL.md`);
  if (!text.ok) return text;
  const skill = readSkillText(text.value);
  if (!skill.ok) return skill;
  return ok({ ...skill.value, name, trust: "trusted", from: "folder", files: await listFiles(folder, name) });
}

/** Breadth first, at most `FILES_MAX`. */
async function listFiles({ files }: SkillFolder, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [name];
  for (let at = folders.shift(); at !== undefined && found.length < FILES_MAX; at = folders.shift()) {
    const listed = await files.list(at, { limit: FILES_MAX });
    if (!listed.ok) continue;
    for (const entry of listed.value.entries) {
      const path = `${at}/${entry.name}`;
      if (entry.kind === "folder") folders.push(path);
      else if (entry.kind === "file" && entry.name !== "SKILL.md") found.push(path.slice(name.length + 1));
    }
  }
  return found.slice(0, FILES_MAX);
}

export async function readText({ files }: Pick<SkillFolder, "files">, path: string): Promise<Result<string>> {
  const read = await files.read(path, { limit: TEXT_BYTES_MAX + 1 });
  if (!read.ok) return read;
  if (read.value.size > TEXT_BYTES_MAX)
    return fail("file_too_large", `${path} is larger than ${TEXT_BYTES_MAX} bytes.`);
  const text = read.value.bytes.includes(0) ? null : decodeText(read.value.bytes);
  return text === null ? fail("tool_refused", `${path} is not a text in UTF-8.`) : ok(text);
}
