// Defines the HTTP routes with which people list skills, and read a skill and the names of its files.
import * as z from "zod";
import { ok } from "../../schema/problem.ts";
import { type ToolkitRoute, toolkitRoute } from "../../tools/route.ts";
import type { SkillSource } from "./skill-source.ts";

type Handler = ToolkitRoute["handler"];

const trust = z.enum(["trusted", "untrusted"]);
const SkillList = z.object({ skills: z.array(z.object({ name: z.string(), description: z.string(), trust })) });
const SkillView = z.object({
  name: z.string(),
  description: z.string(),
  body: z.string(),
  trust,
  from: z.enum(["folder", "store"]).describe("The operator's folder, or stored by an agent."),
  files: z.array(z.string()),
});

export const skillRoutes = (source: SkillSource): readonly ToolkitRoute[] => {
  const listSkills: Handler = async ({ caller: { tenant } }) => {
    const skills = await source.list(tenant);
    return skills.ok ? ok({ body: { skills: skills.value } }) : skills;
  };

  const getSkill: Handler = async ({ caller: { tenant }, params }) => {
    const skill = await source.read(tenant, params.name ?? "");
    if (!skill.ok) return skill;
    const { name, description, body, trust: trusted, from, files } = skill.value;
    return ok({ body: { name, description, body, trust: trusted, from, files } });
  };

  return [
    toolkitRoute(["get", "/v1/skills", "read"], listSkills, {
      id: "listSkills",
      summary: "List the skills that agents can use",
      responses: { 200: { description: "All skills.", schema: SkillList } },
      problems: ["state_corrupt"],
    }),
    toolkitRoute(["get", "/v1/skills/:name", "read"], getSkill, {
      id: "getSkill",
      summary: "Show a skill",
      responses: { 200: { description: "The skill.", schema: SkillView } },
      problems: ["skill_not_found", "state_corrupt"],
    }),
  ];
};
