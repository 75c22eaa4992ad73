// Defines the skills toolkit. Skills are written instructions for recurring tasks, with files and programs, and are
// read only when they are needed.
import { defineToolkit } from "../../tools/toolkit.ts";
import { executeSkill } from "./execute.ts";
import { skillManage } from "./manage.ts";
import { readSkill, readSkillFile } from "./read.ts";
import { skillRoutes } from "./routes.ts";
import { createSkillSource } from "./skill-source.ts";
import { createStoredSkills } from "./stored-skills.ts";

export const skills = defineToolkit({
  name: "skills",
  parts: ["documents"],
  offered: "on request",
  tools: ({ documents, skills: folder, process }) => {
    const stored = createStoredSkills(documents);
    const source = createSkillSource(stored, folder);
    const summaries = Array.isArray(folder?.summaries) ? folder.summaries : [];
    return [
      readSkill(source, summaries),
      readSkillFile(source),
      skillManage(source, stored),
      ...(folder && process ? [executeSkill(source, { folder, process })] : []),
    ];
  },
  routes: ({ documents, skills: folder }) => skillRoutes(createSkillSource(createStoredSkills(documents), folder)),
});
