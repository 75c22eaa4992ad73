// A folder of skills that the operator wrote. Agents read it and run declared entries; nothing they do changes it.
import type { FileOperations } from "../operations.ts";

export type SkillSummary = { readonly name: string; readonly description: string };

export type SkillFolder = {
  /** One folder per skill, with a file SKILL.md; confined to the folder of skills. */
  readonly files: Pick<FileOperations, "read" | "list">;
  /** The folder as an absolute path, as commands see it. */
  readonly root: string;
  /** The skills that there were when the server started, for prompts. */
  readonly summaries: readonly SkillSummary[];
};
