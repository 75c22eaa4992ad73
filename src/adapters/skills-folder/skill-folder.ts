// Reads a folder with one folder per skill. The file operations confine every path to it and follow no links out of it.
import type { Skill, SkillFolder, SkillSummary } from "../../ports/data/skill-folder.ts";
import type { FileOperations } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { readSkillText } from "./read-skill-text.ts";

const TEXT_BYTES_MAX = 65_536;
const FILES_MAX = 100;

type Files = Pick<FileOperations, "read" | "list">;
export type OpenedSkills = { readonly folder: SkillFolder; readonly warnings: readonly string[] };

/** Skills that cannot be read are omitted, and `warnings` contains the reasons. */
export async function openSkillFolder(root: string, files: Files): Promise<Result<OpenedSkills>> {
  const listed = await files.list("");
  if (!listed.ok) return listed;
  const summaries: SkillSummary[] = [];
  const warnings: string[] = [];
  for (const { name } of listed.value.entries.filter(({ kind }) => kind === "folder")) {
    const skill = await readSkill(files, name);
    if (skill.ok) summaries.push({ name, description: skill.value.description });
    else warnings.push(`The skill ${name} is left out: ${skill.problem.message}`);
  }
  const folder: SkillFolder = {
    root,
    summaries,
    async read(name) {
      const skill = await readSkill(files, name);
      if (!skill.ok) return skill;
      const entry = await ownEntry(files, name, skill.value.entry);
      return ok({ ...skill.value, entry, files: await listFiles(files, name) });
    },
    readFile: (name, path) => readText(files, `${name}/${path}`),
  };
  return ok({ folder, warnings });
}

async function readSkill(files: Files, name: string): Promise<Result<Omit<Skill, "files">>> {
  const text = await readText(files, `${name}/SKILL.md`);
  const skill = text.ok ? readSkillText(text.value) : text;
  if (!skill.ok || skill.value.name === name) return skill;
  return fail("skill_invalid", `SKILL.md: name is ${skill.value.name}, but the folder is ${name}.`);
}

/** Null unless it is a regular file of the folder. A link could make any program run. */
async function ownEntry(files: Files, name: string, entry: string | null): Promise<string | null> {
  if (entry === null) return null;
  const read = await files.read(`${name}/${entry}`, { limit: 1 });
  return read.ok ? entry : null;
}

/** Lists the files of outer folders first. */
async function listFiles(files: Files, name: string): Promise<readonly string[]> {
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

async function readText(files: Files, path: string): Promise<Result<string>> {
  const read = await files.read(path, { limit: TEXT_BYTES_MAX + 1 });
  if (!read.ok) return read;
  if (read.value.size > TEXT_BYTES_MAX)
    return fail("file_too_large", `${path} is larger than ${TEXT_BYTES_MAX} bytes.`);
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(read.value.bytes));
  } catch {
    return fail("tool_refused", `${path} is not UTF-8 text.`);
  }
}
