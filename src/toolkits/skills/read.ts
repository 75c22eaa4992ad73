// Reads skills. Only names and descriptions are in the prompt until a skill is read.
import * as z from "zod";
import type { SkillSummary } from "../../ports/data/skill-folder.ts";
import { TenantId } from "../../schema/ids.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { outcome } from "../../tools/outcome.ts";
import { plainLine } from "../../tools/text-format.ts";
import type { SkillSource } from "./skill-source.ts";
import { SkillName, SkillPath } from "./stored-skills.ts";

export const SKILL_MANIFEST = { toolset: "skill", category: "skill", tags: ["skill"] };
const SHOWN_MAX = 24;
const DESCRIPTION_CHARS = 120;

/** Returns the part of a tool's description that lists the skills. */
export function describeSkills(summaries: readonly SkillSummary[]): string {
  if (summaries.length === 0) return "";
  const shown = summaries
    .slice(0, SHOWN_MAX)
    .map(({ name, description }) => `${name} (${plainLine(description, DESCRIPTION_CHARS)})`);
  const more = summaries.length > SHOWN_MAX ? `, and ${summaries.length - SHOWN_MAX} more` : "";
  return ` There are: ${shown.join("; ")}${more}.`;
}

export const readSkill = (skills: SkillSource, summaries: readonly SkillSummary[]): Tool =>
  defineTool(
    {
      ...SKILL_MANIFEST,
      name: "read_skill",
      description: `Read how a task is done here, or list the skills.${describeSkills(summaries)}`,
      permission: "READ",
      prompt_hint: "read the skill before a task that it describes; without a name, all skills are listed.",
      input: z.object({ name: SkillName.optional().describe("a skill; without it the skills are listed") }),
      output: z.string(),
      examples: [{ arguments: { name: "monthly-report" }, result: "# Monthly report\n1. Read the figures …" }],
    },
    async ({ name }, { tenant }) => {
      if (name === undefined) return listSkills(skills, TenantId.parse(tenant));
      const found = await skills.read(TenantId.parse(tenant), name);
      if (!found.ok) return found;
      const { description, body, files, entry, trust } = found.value;
      const more = [
        ...(files.length > 0 ? [`Files: ${files.join(", ")}`] : []),
        ...(entry ? ["Its program can be run with execute_skill."] : []),
      ];
      return outcome([`${name}: ${plainLine(description)}`, body, ...more].join("\n\n"), { output_trust: trust });
    },
  );

async function listSkills(skills: SkillSource, tenant: TenantId) {
  const listed = await skills.list(tenant);
  if (!listed.ok) return listed;
  const lines = listed.value.map(({ name, description }) => `${name}: ${plainLine(description)}`);
  const untrusted = listed.value.some(({ trust }) => trust === "untrusted");
  return outcome(lines.join("\n") || "There are no skills.", { output_trust: untrusted ? "untrusted" : "trusted" });
}

export const readSkillFile = (skills: SkillSource): Tool =>
  defineTool(
    {
      ...SKILL_MANIFEST,
      name: "read_skill_file",
      description: "Read a file of a skill that its instructions name.",
      permission: "READ",
      prompt_hint: "only files that the skill lists.",
      input: z.object({ name: SkillName, path: SkillPath.describe("as the skill lists it") }),
      output: z.string(),
      examples: [{ arguments: { name: "monthly-report", path: "template.md" }, result: null }],
    },
    async ({ name, path }, { tenant }) => {
      const found = await skills.readFile(TenantId.parse(tenant), name, path);
      return found.ok ? outcome(found.value.text, { output_trust: found.value.trust }) : found;
    },
  );
