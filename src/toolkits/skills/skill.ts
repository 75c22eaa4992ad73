// Defines the schemas for the name, file paths and description of a skill in tool arguments.
import * as z from "zod";
import { SKILL_DESCRIPTION_CHARS_MAX, SKILL_NAME, SKILL_PATH } from "../../ports/data/skill-folder.ts";

export const SkillName = z.string().regex(SKILL_NAME, "must be 1 to 64 lower-case letters, digits and inner hyphens");
export const SkillPath = z.string().regex(SKILL_PATH, "must be a relative path of letters, digits, _, - and .");
export const Description = z.string().trim().min(1).max(SKILL_DESCRIPTION_CHARS_MAX);
