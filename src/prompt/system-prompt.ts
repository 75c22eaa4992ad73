// Message [0]: rules, format, tools, the agent's instructions. The same bytes every turn while tools and agent stay the same, for prompt caching.
import type { Manifest } from "../schema/manifest.ts";
import type { Mode } from "../schema/thread.ts";
import { estimateTokens } from "./estimate.ts";
import { renderFormat, renderRules } from "./rules.ts";
import { renderToolRules } from "./tool-rules.ts";
import { renderToolTable } from "./tool-table.ts";

export type SystemPrompt = {
  readonly text: string;
  readonly tokens: number;
  /** SHA-256 of the text, if it was computed already. */
  readonly hash?: string;
};

/** The same text for planning, executing and delivering: the last message says what is requested now. */
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

/** For a text that was built before, for example one stored in a blob. */
export const toSystemPrompt = (text: string): SystemPrompt => ({ text, tokens: estimateTokens(text) });
