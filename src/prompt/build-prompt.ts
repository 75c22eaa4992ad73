// Builds the four messages of a model call within the token budget: rules, dialogue, record and current state. Pure.
import type { ModelMessage, Purpose } from "../ports/model.ts";
import type { Manifest } from "../schema/manifest.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Correction, Thread } from "../schema/record.ts";
import { fitWindow, WINDOW_OMITTED } from "./compress.ts";
import { renderCorrections } from "./correction.ts";
import { renderBudget, renderPosition, renderTodo, renderTrust, renderWarnings, stepLines } from "./current-state.ts";
import { type Topic, topicOf } from "./cut-lines.ts";
import { DIALOGUE_OMITTED, fitDialogue, incomingText } from "./dialogue.ts";
import { type CountedText, estimateTokens, joinLines, MESSAGE_TOKENS, quartersToTokens } from "./estimate.ts";
import { renderReplyRequest } from "./reply-request.ts";
import { fullReceipts, renderChanges, shownResults, withoutResults } from "./run-receipts.ts";
import { buildSystemPrompt, type SystemPrompt } from "./system-prompt.ts";
import { buildWindow, offersRecall, type Window, type WindowParts, windowTokens } from "./window.ts";

/** The tools offered to the model, in any order. */
export type PromptTools = readonly Manifest[];

export type PromptBudget = {
  /** The size of the model's context window: tokens of prompt and reply together. */
  readonly window: number;
  readonly max_output_tokens: number;
  /** Ratio of measured to estimated tokens, from `correctFactor`. 1 if nothing was measured yet. */
  readonly factor: number;
};

export type PromptFacts = {
  readonly purpose: Purpose;
  /** Includes tools that are not offered now, because whether an earlier call changed something does not depend on that. Default: those offered. */
  readonly known?: readonly Manifest[];
  /** Instructions from the agent's configuration, added to message [0]. */
  readonly instructions?: string | null;
  /** The user's message of this turn, unless the newest entry already contains it. */
  readonly incoming?: string | null;
  readonly corrections?: readonly Correction[];
  /** The current time and zone, shown verbatim. Rebuilding the prompt later requires the same text. */
  readonly now?: string | null;
  /** Message [0] if it already exists: cached from the previous call, or read from its blob. */
  readonly system?: SystemPrompt;
};

export type FoldReport = {
  /** Number of observations replaced by newer ones. */
  readonly superseded: number;
  /** Number of older observations shown as one line. */
  readonly digested: number;
  /** Number of lines reduced to a count per tool, in addition to those of the state. */
  readonly counted: number;
  /** Number of shortened observations. */
  readonly cut: number;
  /** The level to which the dialogue was shortened. 0 means not at all. */
  readonly dialogue: number;
};

export type Prompt = {
  readonly messages: readonly [ModelMessage, ModelMessage, ModelMessage, ModelMessage];
  /** The parts of message [2]. */
  readonly record: WindowParts;
  readonly folded: FoldReport;
  /** Expected number of tokens as counted by the model. */
  readonly estimate: number;
  /** The estimate before correction, which `correctFactor` compares with the reported usage. */
  readonly raw_estimate: number;
  /** Message [0]. Its text is hashed and stored once. It can be passed in again instead of being rebuilt. */
  readonly system: SystemPrompt;
  readonly now: string | null;
};

/** Minimum share of the dialogue in the tokens left by the rules and the state. */
const DIALOGUE_SHARE = 0.4;
const OMITTED_TOKENS = estimateTokens(DIALOGUE_OMITTED) + estimateTokens(WINDOW_OMITTED);

export function buildPrompt(
  whole: Thread,
  tools: PromptTools,
  budget: PromptBudget,
  facts: PromptFacts,
): Result<Prompt> {
  const thread = withinVisit(whole);
  const incoming = facts.incoming ?? incomingText(thread);
  const system = facts.system ?? buildSystemPrompt(tools, thread.state.machine.mode, facts.instructions ?? null);
  const fullWindow = buildWindow(thread, facts.known ?? tools, offersRecall(tools) && facts.purpose !== "deliver");
  const parts = { tools, budget, facts, system, incoming, fullWindow };
  const shown = shownResults(thread, fullWindow.rows);
  if (shown.length === 0) return assemble(thread, parts);
  const referring = assemble(withoutResults(thread, shown), parts);
  if (!referring.ok) return referring;
  // The plan refers to an output that the record shows. If there was no room for that output, the plan quotes it instead.
  const stillShown = fullReceipts(referring.value.record.rows);
  if (shown.every((receipt) => stillShown.has(receipt))) return referring;
  const quoting = assemble(thread, parts);
  return quoting.ok ? quoting : referring;
}

type PromptParts = {
  readonly tools: PromptTools;
  readonly budget: PromptBudget;
  readonly facts: PromptFacts;
  readonly system: SystemPrompt;
  readonly incoming: string | null;
  readonly fullWindow: Window;
};

function assemble(thread: Thread, { tools, budget, facts, system, incoming, fullWindow }: PromptParts): Result<Prompt> {
  const state = renderState(thread, facts.known ?? tools, facts, incoming !== null);
  const fixed = system.tokens + quartersToTokens(state.quarters) + 4 * MESSAGE_TOKENS;
  const limit = Math.floor((budget.window - budget.max_output_tokens) / budget.factor);
  const available = limit - fixed;
  if (available < OMITTED_TOKENS) return promptTooLarge(fixed + OMITTED_TOKENS, budget);

  const dialogueShare = Math.max(Math.floor(available * DIALOGUE_SHARE), available - windowTokens(fullWindow));
  // The window can always shrink to its shortest form, so only that much has to be reserved for it.
  const dialogueTokens = Math.min(dialogueShare, available - estimateTokens(WINDOW_OMITTED));
  const dialogue = fitDialogue(thread, incoming, dialogueTokens);
  const { text, parts, tokens, ...folded } = fitWindow(fullWindow, available - dialogue.tokens, () =>
    topicFor(thread, incoming),
  );
  const raw_estimate = fixed + dialogue.tokens + tokens;
  return ok({
    messages: [
      { role: "system", content: system.text },
      // Neither user text nor tool output may look like the model's own words.
      { role: "user", content: dialogue.text },
      { role: "user", content: text },
      { role: "user", content: state.text },
    ],
    record: parts,
    folded: { ...folded, dialogue: dialogue.level },
    estimate: applyFactor(raw_estimate, budget.factor),
    raw_estimate,
    system,
    now: facts.now ?? null,
  });
}

/** The newest words of the user come first, because the number of terms is limited. */
function topicFor({ state, entries }: Thread, incoming: string | null): Topic {
  const said = incoming ?? newestUserText(entries);
  return topicOf([said, state.plan?.[state.machine.step]?.content ?? "", state.goal]);
}

function newestUserText(entries: Thread["entries"]): string {
  const input = entries.findLast(({ entry }) => entry.input && "text" in entry.input)?.entry.input;
  return input && "text" in input && typeof input.text === "string" ? input.text : "";
}

/** A workflow role sees only what happened since its visit began. It has the rest in its instructions. */
function withinVisit(thread: Thread): Thread {
  const since = thread.state.workflow?.since.version;
  if (since === undefined) return thread;
  return { ...thread, entries: thread.entries.filter(({ version }) => version > since) };
}

function renderState(
  thread: Thread,
  tools: readonly Manifest[],
  facts: PromptFacts,
  hasIncoming: boolean,
): CountedText {
  const { state } = thread;
  const executing = facts.purpose === "execute";
  const parts = [
    renderPosition(thread, facts.now ?? null),
    ...(executing ? stepLines(thread, tools) : []),
    ...renderChanges(thread),
    renderTodo(state),
    facts.purpose === "deliver" ? null : renderBudget(state.budget),
    ...(executing ? renderWarnings(thread, tools) : []),
    renderTrust(state),
    paragraph(renderCorrections(facts.corrections ?? [])),
    paragraph(renderReplyRequest(thread, tools, facts.purpose, hasIncoming)),
  ];
  return joinLines(parts.filter((part) => part !== null));
}

const paragraph = (text: string | null): string | null => (text === null ? null : `\n${text}`);

/** The small tolerance keeps a floating-point error from rounding an exact product up. */
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
