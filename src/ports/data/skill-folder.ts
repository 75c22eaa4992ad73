// Defines a folder of skills that the operator wrote. Agents read it and run declared programs; none of their actions changes it.
import type { Result } from "../../schema/problem.ts";

export const SKILL_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Matches the path of a file of a skill. No segment begins with a dot, so the path cannot leave the folder. */
export const SKILL_PATH = /^[\w-][\w.-]{0,63}(?:\/[\w-][\w.-]{0,63}){0,7}$/;
export const SKILL_DESCRIPTION_CHARS_MAX = 1_024;

export type SkillSummary = { readonly name: string; readonly description: string };
export type Skill = SkillSummary & {
  /** The program that may be run, or null if there is none. */
  readonly entry: string | null;
  readonly body: string;
  /** Paths of the skill's other files. */
  readonly files: readonly string[];
};

export interface SkillFolder {
  /** The absolute path of the folder, as commands see it. */
  readonly root: string;
  /** The skills that existed when the server started, for prompts. */
  readonly summaries: readonly SkillSummary[];
  read(name: string): Promise<Result<Skill>>;
  /** Reads text files of up to 64 KB. */
  readFile(name: string, path: string): Promise<Result<string>>;
}
