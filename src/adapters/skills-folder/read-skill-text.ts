// Reads SKILL.md in the open Agent Skills format: YAML between two lines of ---, followed by instructions.
import { isScalar, parseDocument, visit } from "yaml";
import * as z from "zod";
import { SKILL_DESCRIPTION_CHARS_MAX, SKILL_NAME, SKILL_PATH, type Skill } from "../../ports/data/skill-folder.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { isNestedDeeply } from "../../schema/yaml-nesting.ts";

/** Limits the time of the parser, which compares each key with every other key. */
const FRONTMATTER_CHARS_MAX = 16_384;

const Frontmatter = z.object({
  name: z.string().regex(SKILL_NAME, "must be 1 to 64 lower-case letters, digits and inner hyphens"),
  description: z.string().trim().min(1).max(SKILL_DESCRIPTION_CHARS_MAX),
  /** `entry` names the program of the skill that may be run. */
  metadata: z.object({ entry: z.string().regex(SKILL_PATH, "must be a path in the folder").optional() }).optional(),
});

const FORMAT = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/;

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
      if (!isScalar(key)) throw new Error("a key must be a text");
    },
  });
  return document.toJS({ maxAliasCount: 0 });
}
