// A skill in the open Agent Skills format: SKILL.md begins with YAML between two lines of ---, and instructions follow.
import { parse } from "yaml";
import { z } from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";

export const SkillName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, "must be 1 to 64 lower-case letters, digits and inner hyphens");

/** A file of the skill. No segment begins with a dot, so it cannot leave the folder. */
export const SkillPath = z
  .string()
  .max(256)
  .regex(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/, "must be a relative path of letters, digits, _, - and .");

export const Description = z.string().trim().min(1).max(1_024);

const Frontmatter = z.object({
  name: SkillName,
  description: Description,
  /** `entry`: the program of the skill that execute_skill runs. */
  metadata: z.object({ entry: SkillPath.optional() }).optional(),
});

export type Skill = {
  readonly name: string;
  readonly description: string;
  readonly entry: string | null;
  readonly body: string;
};

const FORMAT = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/;

export function readSkillText(text: string): Result<Skill> {
  const [, yaml, body = ""] = FORMAT.exec(text) ?? [];
  if (yaml === undefined) return fail("skill_invalid", "SKILL.md must begin with YAML between two lines of ---.");
  let fields: unknown;
  try {
    fields = parse(yaml, { maxAliasCount: 0, logLevel: "silent" });
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
