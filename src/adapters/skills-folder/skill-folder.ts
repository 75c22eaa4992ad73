// Reads a folder with one folder per skill. The file operations confine every path to it and follow no links out of it.

import { isScalar, parseDocument, visit } from "yaml";
import * as z from "zod";
import {
  SKILL_DESCRIPTION_CHARS_MAX,
  SKILL_NAME,
  SKILL_PATH,
  type Skill,
  type SkillFolder,
  type SkillSummary,
} from "../../ports/data/skill-folder.ts";
import type { FileOperations } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { isNestedDeeply } from "../../schema/yaml-nesting.ts";

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

/** Limits the time of the parser, which compares each key with every other key. */
const FRONTMATTER_CHARS_MAX = 16_384;

const Frontmatter = z.object({
  name: z.string().regex(SKILL_NAME, "must be 1 to 64 lower-case letters, digits and inner hyphens"),
  description: z.string().trim().min(1).max(SKILL_DESCRIPTION_CHARS_MAX),
  /** `entry` names the program of the skill that may be run. */
  metadata: z.object({ entry: z.string().regex(SKILL_PATH, "must be a path in the folder").optional() }).optional(),
});

const FORMAT = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/;

/** Reads SKILL.md in the open Agent Skills format: YAML between two lines of ---, followed by instructions. */
export function readSkillText(text: string): Result<Omit<Skill, "files">> {
  const [, yaml, body = ""] = FORMAT.exec(text) ?? [];
  if (yaml === undefined) return fail("skill_invalid", "SKILL.md must begin with YAML between two lines of ---.");
  if (yaml.length > FRONTMATTER_CHARS_MAX || isNestedDeeply(yaml))
    return fail("skill_invalid", "The frontmatter of SKILL.md is too long or nested too deeply.");
  let fields: unknown;
  try {
    fields = readFields(yaml);
  } catch {
    return fail("skill_invalid", "The frontmatter of SKILL.md is not YAML.");
  }
  const read = Frontmatter.safeParse(fields);
  if (!read.success) {
    const [issue] = read.error.issues;
    return fail("skill_invalid", `SKILL.md: ${issue?.path.join(".")} ${issue?.message}.`);
  }
  const { name, description, metadata } = read.data;
  return ok({ name, description, entry: metadata?.entry ?? null, body: body.trim() });
}

function readFields(yaml: string): unknown {
  const document = parseDocument(yaml, { logLevel: "silent" });
  const [error] = document.errors;
  if (error) throw error;
  visit(document, {
    Pair: (_, { key }) => {
      // A nested key is refused, because the time to print it doubles with each level.
      if (!isScalar(key)) throw new Error("a key must be a string");
    },
  });
  return document.toJS({ maxAliasCount: 0 });
}
