// The four messages of a model call, within the budget: rules, dialogue, record, state now. Pure; asks nobody anything.
import type { ModelMessage, Purpose } from "../ports/model.ts";
import type { Manifest } from "../schema/manifest.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Correction, Thread } from "../schema/record.ts";
import { fitWindow, WINDOW_OMITTED } from "./compress.ts";
import { renderCorrections } from "./correction.ts";
import { renderBudget, renderPosition, renderStep, renderTodo, renderTrust, renderWarnings } from "./current-state.ts";
import { DIALOGUE_OMITTED, fitDialogue, incomingText } from "./dialogue.ts";
import { estimateTokens, MESSAGE_TOKENS } from "./estimate.ts";
import { renderReplyRequest } from "./reply-request.ts";
import { buildSystemPrompt, type SystemPrompt } from "./system-prompt.ts";
import { buildWindow, windowTokens } from "./window.ts";

/** The tools this thread sees now, in any order. */
export type PromptTools = readonly Manifest[];

export type PromptBudget = {
  /** Tokens the model takes in one request, prompt and reply together. */
  readonly window: number;
  readonly max_output_tokens: number;
  /** Measured tokens per estimated token, from `correctFactor`; 1 when nothing was measured yet. */
  readonly factor: number;
};

export type PromptFacts = {
  readonly purpose: Purpose;
  /** What the agent's configuration adds to message [0]. */
  readonly instructions?: string | null;
  /** What the user wrote for this very turn, unless the newest entry is the draft of it. */
  readonly incoming?: string | null;
  /** Of this turn, oldest first. */
  readonly corrections?: readonly Correction[];
  /** Shown as it is. A prompt that has to be shown again later must be given the same words. */
  readonly now?: string | null;
  /** Message [0] when it is there already: kept from the call before, or `systemOf` its blob. */
  readonly system?: SystemPrompt;
};

export type FoldReport = {
  /** Observations that a newer one replaced. */
  readonly superseded: number;
  /** Older observations shown as a line. */
  readonly digested: number;
  /** Lines that became a number per tool, beyond those of the state. */
  readonly counted: number;
  /** Observations cut to head and tail. */
  readonly cut: number;
  /** How far the dialogue was shortened; 0 not at all. */
  readonly dialogue: number;
};

export type Prompt = {
  readonly messages: readonly [ModelMessage, ModelMessage, ModelMessage, ModelMessage];
  readonly folded: FoldReport;
  /** Tokens as the model is expected to count them. */
  readonly estimate: number;
  /** The same before correction: what `correctFactor` compares with the reported usage. */
  readonly raw_estimate: number;
  /** Message [0]: its text is hashed and kept once; handed in again it need not be built again. */
  readonly system: SystemPrompt;
};

/** The dialogue gets at least this share of what rules and state leave. */
const DIALOGUE_SHARE = 0.4;
const OMITTED_TOKENS = estimateTokens(DIALOGUE_OMITTED) + estimateTokens(WINDOW_OMITTED);

export function buildPrompt(
  thread: Thread,
  tools: PromptTools,
  budget: PromptBudget,
  facts: PromptFacts,
): Result<Prompt> {
  const incoming = facts.incoming ?? incomingText(thread);
  const system = facts.system ?? buildSystemPrompt(tools, thread.state.machine.mode, facts.instructions ?? null);
  const state = renderState(thread, tools, facts, incoming !== null);
  const fixed = system.tokens + estimateTokens(state) + 4 * MESSAGE_TOKENS;
  const limit = Math.floor((budget.window - budget.max_output_tokens) / budget.factor);
  const available = limit - fixed;
  if (available < OMITTED_TOKENS) return promptTooLarge(fixed + OMITTED_TOKENS, budget);

  const fullWindow = buildWindow(thread, tools);
  const dialogueShare = Math.max(Math.floor(available * DIALOGUE_SHARE), available - windowTokens(fullWindow));
  // The window can always shrink to its shortest form, so that much must be left for it and no more.
  const dialogueTokens = Math.min(dialogueShare, available - estimateTokens(WINDOW_OMITTED));
  const dialogue = fitDialogue(thread, incoming, dialogueTokens);
  const { text, tokens, ...folded } = fitWindow(fullWindow, available - dialogue.tokens);
  const raw_estimate = fixed + dialogue.tokens + tokens;
  return ok({
    messages: [
      { role: "system", content: system.text },
      { role: "assistant", content: dialogue.text },
      { role: "assistant", content: text },
      { role: "user", content: state },
    ],
    folded: { ...folded, dialogue: dialogue.level },
    estimate: applyFactor(raw_estimate, budget.factor),
    raw_estimate,
    system,
  });
}

function renderState(thread: Thread, tools: PromptTools, facts: PromptFacts, hasIncoming: boolean): string {
  const { state } = thread;
  const executing = facts.purpose === "execute";
  return [
    renderPosition(thread, facts.now ?? null),
    executing ? renderStep(state) : null,
    renderTodo(state),
    facts.purpose === "deliver" ? null : renderBudget(state.budget),
    ...(executing ? renderWarnings(thread, tools) : []),
    renderTrust(state),
    paragraph(renderCorrections(facts.corrections ?? [])),
    paragraph(renderReplyRequest(thread, facts.purpose, hasIncoming)),
  ]
    .filter((part) => part !== null)
    .join("\n");
}

const paragraph = (text: string | null): string | null => (text === null ? null : `\n${text}`);

/** A hair off, so that a product of exact numbers is not rounded up by the last bit. */
const applyFactor = (raw: number, factor: number): number => Math.ceil(raw * factor - 1e-6);

function promptTooLarge(raw: number, budget: PromptBudget) {
  const needed = applyFactor(raw, budget.factor);
  const available = Math.max(0, budget.window - budget.max_output_tokens);
  return fail(
    "prompt_too_large",
    `Rules, tools and state need about ${needed} tokens, and the model has ${available} for the prompt.`,
    { needed, available },
  );
}
