// Saves and removes skills of the tenant. A person approves the text, because later threads follow it.
import * as z from "zod";
import { TenantId } from "../../schema/ids.ts";
import { type Failed, fail } from "../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import { holdsSecret } from "../../tools/redaction/holds-secret.ts";
import { SKILL_MANIFEST } from "./read.ts";
import type { SkillSource } from "./skill-source.ts";
import { Description, type SkillChange, SkillFiles, SkillName, type StoredSkills } from "./stored-skills.ts";

const FILES_MAX = 100;

const Input = z.object({
  action: z.enum(["save", "remove"]).describe("write a skill, or remove one"),
  name: SkillName,
  description: Description.optional().describe("to save: when the skill is useful, in one sentence"),
  body: z.string().trim().min(1).max(32_768).optional().describe("to save: the instructions in Markdown"),
  files: SkillFiles.optional().describe("to save: further text files by path"),
});
type Input = z.infer<typeof Input>;

export const skillManage = (skills: SkillSource, stored: StoredSkills): Tool =>
  defineTool(
    {
      ...SKILL_MANIFEST,
      name: "skill_manage",
      description: "Write down how a task is done, for later threads, or remove a skill that was written down.",
      permission: "WRITE",
      scope: "DB_WRITE",
      effect: "keyed",
      requires_confirmation: true,
      // Other threads follow the text. In a tainted thread, a person therefore decides despite any earlier approval.
      runs_later: true,
      subagent_allowed: false,
      prompt_hint: "only after the way of working has worked; never secrets.",
      input: Input,
      output: z.object({ name: z.string(), version: z.int() }),
      render: ({ name, version }) => (version === 0 ? `${name} is removed.` : `${name} is saved, version ${version}.`),
      check: (input) => refusal(skills, input),
      reconcile: async ({ name }, key, { tenant }) => {
        const version = await stored.happened(TenantId.parse(tenant), key);
        if (!version.ok || version.value === null) return null;
        return { happened: true, output: { name, version: version.value } };
      },
      examples: [
        {
          arguments: { action: "save", name: "monthly-report", description: "Writes the report.", body: "1. Read …" },
          result: "monthly-report is saved, version 1.",
        },
      ],
    },
    async (input, context) => {
      const refused = refusal(skills, input);
      if (refused) return refused;
      const changed = await stored.change(TenantId.parse(context.tenant), changeOf(input, context));
      return changed.ok ? { name: input.name, version: changed.value } : changed;
    },
  );

function refusal(skills: SkillSource, { action, name, description, body, files = {} }: Input): Failed | null {
  if (skills.isInFolder(name)) return fail("tool_refused", `${name} is a skill of the operator and cannot be changed.`);
  if (action === "remove") return null;
  if (!description || !body) return fail("tool_refused", "A skill needs a description and a body.");
  const paths = Object.keys(files);
  if (paths.length > FILES_MAX) return fail("tool_refused", `A skill has at most ${FILES_MAX} files.`);
  if (paths.some((path) => /^skill\.md$/i.test(path)))
    return fail("tool_refused", "SKILL.md is made of the description and the body.");
  const text = [description, body, ...Object.values(files)].join("\n");
  return holdsSecret(text) ? fail("tool_refused", "The skill contains what looks like a password or a key.") : null;
}

function changeOf({ action, name, description = "", body = "", files = {} }: Input, context: ToolContext): SkillChange {
  const effect = context.idempotency_key ?? context.operation_id;
  if (action === "remove") return { action, name, effect };
  const saved_at = new Date(context.now()).toISOString();
  const trust = context.tainted ? "untrusted" : "trusted";
  return { action, skill: { name, description, body, files, effect, saved_at, trust } };
}
