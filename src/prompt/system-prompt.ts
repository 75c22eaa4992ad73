// Message [0]: rules, format, tools, the agent's instructions. The same bytes every turn while tools and agent stay, so that caches hit.
import type { Manifest } from "../schema/manifest.ts";
import type { Mode } from "../schema/thread.ts";
import { estimateTokens } from "./estimate.ts";
import { renderFormat, renderRules } from "./rules.ts";
import { renderToolRules } from "./tool-rules.ts";
import { renderToolTable } from "./tool-table.ts";

export type SystemPrompt = {
  readonly text: string;
  readonly tokens: number;
  /** SHA-256 of the text, where it was worked out already. */
  readonly hash?: string;
};

/** One text for planning, executing and delivering: what is asked for now is said in the last message. */
export function buildSystemPrompt(tools: readonly Manifest[], mode: Mode, instructions: string | null): SystemPrompt {
  const hasPlan = mode === "plan";
  return toSystemPrompt(
    [
      renderRules(hasPlan),
      renderFormat(hasPlan, tools),
      renderToolTable(tools),
      renderToolRules(tools),
      ...(instructions?.trim() ? [`# Instructions of this agent\n${instructions.trim()}`] : []),
    ].join("\n\n"),
  );
}

/** A text that was built before, kept in a blob perhaps. */
export const toSystemPrompt = (text: string): SystemPrompt => ({ text, tokens: estimateTokens(text) });
