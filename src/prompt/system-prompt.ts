// Builds message [0]: rules, format, tools and the agent's instructions. Its bytes stay the same while tools and agent do, for prompt caching.
import type { Manifest } from "../schema/manifest.ts";
import type { Mode } from "../schema/thread.ts";
import { estimateTokens } from "./estimate.ts";
import { renderFormat, renderRules } from "./rules.ts";
import { renderFacts, renderToolTable } from "./tool-table.ts";

export type SystemPrompt = {
  readonly text: string;
  readonly tokens: number;
  /** SHA-256 of the text, if it was computed already. */
  readonly hash?: string;
};

/** The text is the same for planning, executing and delivering. The last message says what is requested now. */
export function buildSystemPrompt(tools: readonly Manifest[], mode: Mode, instructions: string | null): SystemPrompt {
  return toSystemPrompt(
    systemParts(tools, mode, instructions)
      .map(({ text }) => text)
      .join("\n\n"),
  );
}

export type SystemPart = { readonly name: "rules" | "format" | "tools" | "instructions"; readonly text: string };

export function systemParts(
  tools: readonly Manifest[],
  mode: Mode,
  instructions: string | null,
): readonly SystemPart[] {
  const hasPlan = mode === "plan";
  const described = describedTools(tools, hasPlan);
  const guidance = [renderToolTable(described), renderFacts(described)];
  return [
    { name: "rules", text: renderRules(hasPlan) },
    { name: "format", text: renderFormat(hasPlan, described) },
    { name: "tools", text: guidance.filter((text) => text !== null).join("\n\n") },
    ...(instructions?.trim()
      ? [{ name: "instructions" as const, text: `# Instructions of this agent\n${instructions.trim()}` }]
      : []),
  ];
}

/** Tools that the prompt does not describe can still be called. */
const describedTools = (tools: readonly Manifest[], hasPlan: boolean): readonly Manifest[] =>
  tools.filter(({ in_prompt }) => in_prompt === undefined || (in_prompt === "without_plan" && !hasPlan));

/** For text that was built before, for example text stored in a blob. */
export const toSystemPrompt = (text: string): SystemPrompt => ({ text, tokens: estimateTokens(text) });
