// The turn that ends a completed run: a summary by the model, or the mechanical one when no model can be had.

import { estimateTokens } from "../../prompt/estimate.ts";
import type { Result } from "../../schema/problem.ts";
import type { Entry, Thread, ThreadRecord, Usage } from "../../schema/record.ts";
import { completedText, evidenceOf } from "../commit/delivery.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { costOf, spend, worstCase } from "../judge/budget.ts";
import { budgetLacks } from "../judge/judge-safety.ts";
import { resolveFor } from "../resolve-for.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { askModel, listenForProse } from "./ask-model.ts";
import { factorFor, promptFor, systemHash } from "./think.ts";
import { finish } from "./think-turn.ts";
import { whileUnmoved } from "./thinking.ts";

const UNPROVEN = "Note: nothing was recorded that proves this.";

export async function deliverTurn(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
): Promise<Result<readonly ThreadRecord[]>> {
  call.emit({ type: "turn.started", thread: call.at.thread, turn: draft.state.turn });
  const started = rt.clock.now();
  const written = await whileUnmoved(rt.thinking, call.at, thread.version, (outrun) =>
    summarise(rt, { ...call, outrun }, thread),
  );
  const evidence = evidenceOf(draft.state);
  const text = written?.text ?? completedText(draft.state);
  const seconds = (rt.clock.now() - started) / 1000;
  const delivered = amend(draft, {
    state: { evidence, ...(written ? { budget: spend(draft.state.budget, written.usage, seconds) } : {}) },
    entry: { speak: evidence === "none" ? `${text}\n\n${UNPROVEN}` : text, ...(written?.entry ?? {}) },
    signals: [{ type: "run.delivered" }],
    blobs: written?.blobs ?? [],
  });
  return finish(rt, call, thread, delivered);
}

type Written = {
  readonly text: string;
  readonly usage: Usage;
  readonly entry: Partial<Entry>;
  readonly blobs: Draft["blobs"];
};

/** null: no money, no model, no words. The run is finished all the same, so delivery never fails for want of prose. */
async function summarise(rt: Runtime, call: TurnCall, thread: Thread): Promise<Written | null> {
  const tools = await resolveFor(rt, call.at.tenant, thread.state, { settings: call.settings });
  if (!tools.ok) return null;
  const model = rt.pickModel(thread.state.agent, "deliver");
  const factor = factorFor(thread.state, model);
  const prompt = promptFor(rt, thread, tools.value, model, "deliver", { corrections: [], factor });
  if (!prompt.ok || budgetLacks(thread.state.budget, worstCase(model, prompt.value.estimate))) return null;
  const heard = listenForProse(call, thread.state.turn + 1);
  const reply = await askModel(rt, call, model, "deliver", prompt.value.messages, heard);
  const text = reply.ok ? reply.value.text.trim() : "";
  if (!reply.ok || !text) return null;
  const input_tokens = reply.value.usage?.input_tokens ?? prompt.value.estimate;
  const output_tokens = reply.value.usage?.output_tokens ?? estimateTokens(text);
  const hash = systemHash(rt, prompt.value.system);
  const kept = thread.entries.some(({ entry }) => entry.prompt_hash === hash);
  const usage = { input_tokens, output_tokens, usd: costOf(model, input_tokens, output_tokens), model_calls: 1 };
  return {
    text,
    usage,
    entry: { prompt_hash: hash, model: model.name, estimate_factor: factor, usage },
    blobs: kept ? [] : [{ hash, text: prompt.value.system.text }],
  };
}
