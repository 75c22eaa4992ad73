// From a thread to an accepted decision: the four messages, the model, the parser, the judgement; at most two corrections.

import type { Model, ModelReply, Purpose } from "../../ports/model.ts";
import { correctionOf } from "../../prompt/correction.ts";
import { correctFactor, estimateTokens } from "../../prompt/estimate.ts";
import { buildPrompt, type Prompt } from "../../prompt/skeleton.ts";
import { buildSystem, type System } from "../../prompt/system.ts";
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import { parseDecision, parsePlanDecision } from "../../schema/decision/parse-decision.ts";
import type { Judgement } from "../../schema/judgement.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import { CORRECTION_EXCERPT_CHARS, type Correction, type Entry, type Thread, type Usage } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { cutStart } from "../../tools/cut-text.ts";
import type { Resolved } from "../../tools/resolve.ts";
import { prepareCall } from "../act/prepare-call.ts";
import { storedDecision } from "../act/stored-call.ts";
import type { Blob } from "../commit/draft.ts";
import { costOf, worstCase } from "../judge/budget.ts";
import { judge, judgePlan, type PlanRuling } from "../judge/judge.ts";
import { budgetLacks } from "../judge/judge-safety.ts";
import type { PreparedCall, Ruling } from "../judge/ruling.ts";
import { resolveFor } from "../resolve-for.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { askModel, listenForSpeech } from "./ask-model.ts";

export const CORRECTIONS_MAX = 2;

type Accepted =
  | {
      readonly kind: "plan";
      readonly decision: PlanDecision;
      readonly ruling: Extract<PlanRuling, { kind: "accepted" }>;
    }
  | {
      readonly kind: "execute";
      readonly decision: ExecuteDecision;
      /** As the record keeps it: large arguments are in the call's blob. */
      readonly stored: ExecuteDecision;
      readonly ruling: Extract<Ruling, { kind: "accepted" | "gated" }>;
      readonly call: PreparedCall | null;
    };

export type Thought = {
  readonly facts: {
    readonly entry: Pick<Entry, "prompt_hash" | "model" | "estimate_factor" | "corrections">;
    /** null: the model was not called. */
    readonly usage: Usage | null;
    readonly estimate: ThreadState["estimate"];
    readonly blobs: readonly Blob[];
  };
  readonly result:
    | Accepted
    | { readonly kind: "exhausted"; readonly reason: string }
    | { readonly kind: "gave_up"; readonly problem: Problem; readonly judgement: Judgement | null };
};

/** A problem means that no model answered: nothing was decided and nothing is to be stored. */
export async function think(rt: Runtime, call: TurnCall, seen: Thread): Promise<Result<Thought>> {
  const purpose: Purpose = seen.state.machine.state === "plan" ? "plan" : "execute";
  const tools = await resolveFor(rt, call.at.tenant, seen.state, {
    channel: call.channel ?? "http",
    settings: call.settings,
  });
  if (!tools.ok) return tools;
  const model = rt.pickModel(seen.state.agent, purpose);
  const factor = factorFor(seen.state, model);
  let talk: Talk = { corrections: [], usage: null, prompt: null, factor, asked_with: factor };
  for (;;) {
    const prompt = promptFor(rt, seen, tools.value, model, purpose, talk);
    if (!prompt.ok) return prompt;
    talk = { ...talk, prompt: prompt.value };
    const lacks = budgetLacks(spentSoFar(seen.state, talk), worstCase(model, prompt.value.estimate));
    if (lacks) return ok(conclude(rt, seen, model, talk, { kind: "exhausted", reason: lacks }));
    const heard = listenForSpeech(call, seen.state.turn);
    const reply = await askModel(rt, call, model, purpose, prompt.value.messages, heard);
    if (!reply.ok) return reply;
    talk = withUsage(talk, model, prompt.value, reply.value);
    const verdict = await read(rt, call, seen.state, tools.value, purpose, reply.value.text);
    if (verdict.kind !== "corrected") return ok(conclude(rt, seen, model, talk, verdict));
    heard.discard(verdict.problem.message);
    const { problem, judgement } = verdict;
    if (talk.corrections.length >= CORRECTIONS_MAX) {
      return ok(conclude(rt, seen, model, talk, { kind: "gave_up", problem: finalProblem(problem), judgement }));
    }
    talk = { ...talk, corrections: [...talk.corrections, correctionFrom(problem, reply.value.text)] };
  }
}

/** What one turn has said to the model so far. */
type Talk = {
  readonly corrections: readonly Correction[];
  readonly usage: Usage | null;
  readonly prompt: Prompt | null;
  readonly factor: number;
  /** The factor that the last answered prompt was made with: each answer corrects it for the next. */
  readonly asked_with: number;
};

export const factorFor = (state: ThreadState, model: Model): number =>
  state.estimate?.model === model.name ? state.estimate.factor : 1;

export function promptFor(
  rt: Runtime,
  seen: Thread,
  tools: Resolved,
  model: Model,
  purpose: Purpose,
  talk: Pick<Talk, "corrections" | "factor">,
): Result<Prompt> {
  const { window, max_output_tokens } = model;
  const instructions = rt.config.agents[seen.state.agent]?.instructions ?? null;
  const { mode } = seen.state.machine;
  const system =
    rt.remembered?.systems.build(rt.hash, tools.tools, mode, instructions) ??
    buildSystem(tools.tools, mode, instructions);
  return buildPrompt(
    seen,
    tools.tools,
    { window, max_output_tokens, factor: talk.factor },
    { purpose, system, corrections: talk.corrections },
  );
}

const spentSoFar = (state: ThreadState, talk: Talk) => {
  const { limit, used } = state.budget;
  const tokens = used.tokens + (talk.usage ? talk.usage.input_tokens + talk.usage.output_tokens : 0);
  return { limit, used: { ...used, tokens, usd: used.usd + (talk.usage?.usd ?? 0) } };
};

function withUsage(talk: Talk, model: Model, prompt: Prompt, reply: ModelReply): Talk {
  const input_tokens = reply.usage?.input_tokens ?? prompt.estimate;
  const output_tokens = reply.usage?.output_tokens ?? estimateTokens(reply.text);
  const usage: Usage = {
    input_tokens: (talk.usage?.input_tokens ?? 0) + input_tokens,
    output_tokens: (talk.usage?.output_tokens ?? 0) + output_tokens,
    usd: (talk.usage?.usd ?? 0) + costOf(model, input_tokens, output_tokens),
    model_calls: (talk.usage?.model_calls ?? 0) + 1,
  };
  const factor = reply.usage ? correctFactor(talk.factor, prompt.raw_estimate, reply.usage.input_tokens) : talk.factor;
  return { ...talk, usage, factor, asked_with: talk.factor };
}

type Verdict =
  | Accepted
  | { kind: "exhausted"; reason: string }
  | { kind: "corrected"; problem: Problem; judgement: Judgement | null };

async function read(
  rt: Runtime,
  call: TurnCall,
  state: ThreadState,
  tools: Resolved,
  purpose: Purpose,
  text: string,
): Promise<Verdict> {
  if (purpose === "plan") {
    const decision = parsePlanDecision(text);
    if (!decision.ok) return { kind: "corrected", problem: decision.problem, judgement: null };
    const ruling = judgePlan(decision.value, state);
    if (ruling.kind === "corrected") return ruling;
    return { kind: "plan", decision: decision.value, ruling };
  }
  const decision = parseDecision(text);
  if (!decision.ok) return { kind: "corrected", problem: decision.problem, judgement: null };
  const wanted = "tool_call" in decision.value ? decision.value.tool_call : undefined;
  const prepared = wanted ? await prepareCall(rt, call, tools, wanted.name, wanted.arguments) : null;
  const ruling = judge(decision.value, state, prepared);
  if (ruling.kind === "corrected") return ruling;
  if (ruling.kind === "exhausted") return { kind: "exhausted", reason: ruling.reason };
  return { kind: "execute", decision: ruling.decision, stored: storedDecision(decision.value), ruling, call: prepared };
}

/** The third failure of a turn: which kind it was, and that the model, not the caller, is to blame. */
const finalProblem = (problem: Problem): Problem => {
  const code = problem.code === "decision_invalid" ? "decision_invalid" : "decision_refused";
  const named = fail(code, problem.message).problem;
  return { ...named, ...(problem.details ? { details: problem.details } : {}) };
};

function correctionFrom(problem: Problem, reply: string): Correction {
  const { code, message, legal, excerpt } = correctionOf(problem, cutStart(reply, CORRECTION_EXCERPT_CHARS));
  return { code, message, legal: [...legal], excerpt: cutStart(excerpt, CORRECTION_EXCERPT_CHARS).toWellFormed() };
}

export const systemHash = (rt: Pick<Runtime, "hash">, system: System): string =>
  system.hash ?? rt.hash.sha256(system.text);

function conclude(rt: Runtime, seen: Thread, model: Model, talk: Talk, result: Thought["result"]): Thought {
  const system = talk.usage && talk.prompt ? talk.prompt.system : null;
  const hash = system && systemHash(rt, system);
  const kept = seen.entries.some(({ entry }) => entry.prompt_hash === hash);
  return {
    facts: {
      entry: {
        prompt_hash: hash,
        model: talk.usage ? model.name : null,
        estimate_factor: talk.usage ? talk.asked_with : null,
        corrections: [...talk.corrections],
      },
      usage: talk.usage,
      estimate: talk.usage ? { model: model.name, factor: talk.factor } : seen.state.estimate,
      // Message [0] is kept once per thread, so that the prompt of any turn can be shown again.
      blobs: system && hash && !kept ? [{ hash, text: system.text }] : [],
    },
    result,
  };
}

const DEFAULT_SPEAK: Record<string, string> = {
  continue: "Going on.",
  ask_user: "One more thing is needed to go on.",
  confirm: "This is prepared and waits for your confirmation.",
};

/** What the user reads: the words, else the reason, else a sentence for the actions that must not be silent. */
export function spoken(decision: ExecuteDecision | PlanDecision): string {
  const fallback = DEFAULT_SPEAK[decision.action];
  if (decision.speak) return decision.speak;
  return fallback === undefined ? "" : (decision.reason ?? fallback);
}
