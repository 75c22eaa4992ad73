// The turn that ends a completed run: a summary by the model, or a generated one when no model is available.

import { estimateTokens } from "../../prompt/estimate.ts";
import type { Entry, Usage } from "../../schema/record.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { completedText, withDelivery } from "../commit/delivery-text.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { costOf, spend, worstCase } from "../judge/budget.ts";
import { budgetShortfall } from "../judge/judge-safety.ts";
import { resolveThreadTools } from "../resolve-thread-tools.ts";
import { askModel, listenForProse } from "./ask-model.ts";
import { withSupersededSignal } from "./superseded.ts";
import { buildTurnPrompt, estimateFactor, sentPrompt, systemPromptHash } from "./turn-prompt.ts";

export async function deliverTurn(ctx: TurnContext, draft: Draft): Promise<TurnRecords> {
  const { rt, request } = ctx;
  request.emit({ type: "turn.started", thread: request.at.thread, turn: draft.state.turn });
  const started = rt.clock.now();
  const summary = await withSupersededSignal(ctx, (superseded) => writeSummary({ ...ctx, superseded }, draft.entry.at));
  const seconds = (rt.clock.now() - started) / 1000;
  const written = amend(draft, {
    state: summary ? { budget: spend(draft.state.budget, summary.usage, seconds) } : {},
    entry: summary?.entry ?? {},
    blobs: summary?.blobs ?? [],
  });
  return finish(ctx, withDelivery(written, summary?.text ?? completedText(draft.state)));
}

type Summary = {
  readonly text: string;
  readonly usage: Usage;
  readonly entry: Partial<Entry>;
  readonly blobs: Draft["blobs"];
};

/** null: no budget, no model or no text. The run is finished anyway, so delivery does not depend on the summary. */
async function writeSummary(ctx: TurnContext, at: string): Promise<Summary | null> {
  const { rt, request, thread } = ctx;
  const tools = await resolveThreadTools(rt, request.at.tenant, thread.state, {
    thread: request.at.thread,
    settings: ctx.settings,
  });
  if (!tools.ok) return null;
  const model = rt.pickModel(thread.state.agent, "deliver");
  const factor = estimateFactor(thread.state, model);
  const asking = { model, purpose: "deliver" as const };
  const prompt = buildTurnPrompt(rt, thread, tools.value, { ...asking, corrections: [], factor, at });
  if (!prompt.ok || budgetShortfall(thread.state.budget, worstCase(model, prompt.value.estimate))) return null;
  const listener = listenForProse(request, thread.state.turn + 1);
  const reply = await askModel(ctx, asking, prompt.value.messages, listener);
  const text = reply.ok ? reply.value.text.trim() : "";
  if (!reply.ok || !text) return null;
  const input_tokens = reply.value.usage?.input_tokens ?? prompt.value.estimate;
  const output_tokens = reply.value.usage?.output_tokens ?? estimateTokens(text);
  const hash = systemPromptHash(rt, prompt.value.system);
  const alreadyStored = thread.entries.some(({ entry }) => entry.prompt_hash === hash);
  const usage = { input_tokens, output_tokens, usd: costOf(model, input_tokens, output_tokens), model_calls: 1 };
  return {
    text,
    usage,
    entry: {
      prompt_hash: hash,
      prompt: sentPrompt(rt, prompt.value, reply.value),
      model: model.name,
      estimate_factor: factor,
      usage,
    },
    blobs: alreadyStored ? [] : [{ hash, text: prompt.value.system.text }],
  };
}
