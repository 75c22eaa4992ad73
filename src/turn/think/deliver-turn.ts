// Delivers a completed run with a summary by the model, or with a generated one if no model is available.
import { ok, type Result } from "../../schema/problem.ts";
import type { Entry, Thread, Usage } from "../../schema/record.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { completedText, deliveredText, withDelivery } from "../commit/delivery-text.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { moveAll } from "../commit/signal.ts";
import type { TurnContext } from "../context.ts";
import { spend, usageOf, worstCase } from "../judge/budget.ts";
import { budgetShortfall } from "../judge/judge-safety.ts";
import { resolveThreadTools } from "../resolve-thread-tools.ts";
import type { TurnRequest } from "../runtime.ts";
import { addUsage } from "../view.ts";
import { askModel, listenForProse, withSupersededSignal } from "./ask-model.ts";
import { systemPromptHash } from "./prompt-hash.ts";
import { proseOf } from "./reply-trouble.ts";
import { buildTurnPrompt, estimateFactor, sentPrompt } from "./turn-prompt.ts";

export async function deliverTurn(ctx: TurnContext, draft: Draft): Promise<TurnRecords> {
  const { request } = ctx;
  request.emit({ type: "turn.started", thread: request.at.thread, turn: draft.state.turn });
  const { summary, budget } = await summarize(ctx, ctx.thread, draft);
  const written = amend(draft, {
    state: budget ? { budget } : {},
    entry: summary?.entry ?? {},
    blobs: summary?.blobs ?? [],
  });
  return finish(ctx, withDelivery(written, summary?.text ?? completedText(draft.state)));
}

/** Delivers a finished run in the same record if the request may continue, which saves a commit. A crash before it repeats the whole turn. */
export async function finishAndDeliver(ctx: TurnContext, draft: Draft): Promise<TurnRecords> {
  if (!deliversNow(ctx, draft)) return finish(ctx, draft);
  const finished = threadAfterDraft(ctx.thread, draft);
  if (!finished.ok) return finished;
  const { summary, budget } = await summarize(ctx, finished.value, draft);
  const { speak, usage } = draft.entry;
  const written = amend(draft, {
    state: budget ? { budget } : {},
    // The record keeps the prompt of its decision; only the usage of the summary is added.
    entry: { usage: addUsage(usage, summary?.usage ?? null) },
  });
  const text = summary?.text ?? completedText(finished.value.state);
  return finish(ctx, withDelivery(written, deliveredText(speak, text)));
}

/** A role of a workflow delivers in a separate turn, in the format of its workflow. */
function deliversNow({ rt, request }: TurnContext, { state, signals }: Draft): boolean {
  if (request.last_turn || state.workflow || signals.at(-1)?.type !== "run.finished") return false;
  // The summary takes time, too. If less than half of the turn's time is left, the next request writes the summary.
  return request.deadline - rt.clock.now() > rt.config.turn_deadline_ms / 2;
}

/** The thread as it would be loaded if the draft had been committed. */
function threadAfterDraft(thread: Thread, draft: Draft): Result<Thread> {
  const machine = moveAll(thread.state.machine, draft.signals);
  if (!machine.ok) return machine;
  const entry = { ...draft.entry, signals: draft.signals.map(({ type }) => type) };
  const version = thread.version + 1;
  const state = { ...draft.state, machine: machine.value };
  return ok({ version, state, entries: [...thread.entries, { version, entry }] });
}

/** The returned `budget` includes the cost of the summary, and is null without one. */
async function summarize(ctx: TurnContext, thread: Thread, draft: Draft) {
  const { rt } = ctx;
  const started = rt.clock.now();
  const summary = await withSupersededSignal(ctx, (superseded) =>
    writeSummary({ ...ctx, superseded, thread }, draft.entry, draft.state.turn),
  );
  const seconds = (rt.clock.now() - started) / 1000;
  // If the record has a decision, its turn was charged already.
  const turns = draft.entry.decision ? 0 : 1;
  return { summary, budget: summary && spend(draft.state.budget, summary.usage, seconds, turns) };
}

type Summary = {
  readonly text: string;
  readonly usage: Usage;
  readonly entry: Partial<Entry>;
  readonly blobs: Draft["blobs"];
};

/** Returns null if there is no budget, model or text. The run is finished anyway, so delivery does not depend on the summary. */
async function writeSummary(ctx: TurnContext, { at, speak }: Entry, turn: number): Promise<Summary | null> {
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
  const listener = listenForProse(speak ? withSeparatedSummary(request) : request, turn);
  const reply = await askModel(ctx, asking, prompt.value.messages, listener);
  if (!reply.ok) return null;
  const text = proseOf(reply.value);
  if (text === null) {
    listener.discard("The model did not write the delivery.");
    return null;
  }
  const hash = systemPromptHash(rt.hash, prompt.value.system);
  const alreadyStored = thread.entries.some(({ entry }) => entry.prompt_hash === hash);
  const usage = usageOf(model, prompt.value.estimate, reply.value.usage, text);
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

/** Separates the summary from text that was streamed with the decision, in the same way as the record does. */
function withSeparatedSummary(request: TurnRequest): Pick<TurnRequest, "at" | "emit"> {
  let first = true;
  return {
    at: request.at,
    emit(event) {
      const isFirst = first && event.type === "speak.delta";
      if (isFirst) first = false;
      return request.emit(isFirst ? { ...event, text: deliveredText("", event.text) } : event);
    },
  };
}
