// Gets an accepted decision for a thread: builds the four messages, calls the model, parses, judges, and corrects at most twice.
import { isoTime } from "../../ports/clock.ts";
import type { Model, ModelReply, Purpose } from "../../ports/model.ts";
import type { StoredBlob } from "../../ports/thread-store.ts";
import type { Prompt } from "../../prompt/build-prompt.ts";
import { correctionOf } from "../../prompt/correction.ts";
import { draftEntry } from "../../prompt/dialogue.ts";
import { correctFactor } from "../../prompt/estimate.ts";
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import { parseDecision, parsePlanDecision } from "../../schema/decision/parse-decision.ts";
import type { Judgement } from "../../schema/judgement.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import { CORRECTION_EXCERPT_CHARS, type Correction, type Entry, type Thread, type Usage } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { ResolvedTools } from "../../tools/resolve.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import { withToolCheck } from "../act/check-call.ts";
import { judgeFirstCall } from "../act/first-call.ts";
import { prepareCall } from "../act/prepare-call.ts";
import { storedDecision } from "../act/stored-call.ts";
import type { TurnContext } from "../context.ts";
import { usageOf, worstCase } from "../judge/budget.ts";
import { judge, judgePlan, type PlanRuling } from "../judge/judge.ts";
import { budgetShortfall, CORRECTIONS_MAX } from "../judge/judge-safety.ts";
import type { PreparedCall, Ruling } from "../judge/ruling.ts";
import { resolveForTurn } from "../resolve-thread-tools.ts";
import type { Runtime } from "../runtime.ts";
import { addUsage } from "../view.ts";
import { loadRolePrompt } from "../workflow/nodes-of-thread.ts";
import { askModel, listenForSpeech } from "./ask-model.ts";
import { systemPromptHash } from "./prompt-hash.ts";
import { withReplyTrouble } from "./reply-trouble.ts";
import { buildTurnPrompt, estimateFactor, sentPrompt } from "./turn-prompt.ts";

type Accepted =
  | {
      readonly kind: "plan";
      readonly decision: PlanDecision;
      readonly ruling: Extract<PlanRuling, { kind: "accepted" }>;
      /** The first call of the plan, if it may run. */
      readonly first_call: PreparedCall | null;
    }
  | {
      readonly kind: "execute";
      readonly decision: ExecuteDecision;
      /** Without large arguments, which are in the call's blob. */
      readonly stored: ExecuteDecision;
      readonly ruling: Extract<Ruling, { kind: "accepted" | "gated" | "plan_gated" }>;
      readonly request: PreparedCall | null;
    };

export type ThinkResult = {
  readonly facts: {
    readonly entry: Pick<Entry, "prompt_hash" | "prompt" | "model" | "estimate_factor" | "corrections">;
    /** Null if the model was not called. */
    readonly usage: Usage | null;
    readonly estimate: ThreadState["estimate"];
    readonly blobs: readonly StoredBlob[];
  };
  readonly result:
    | Accepted
    | { readonly kind: "exhausted"; readonly reason: string }
    | { readonly kind: "gave_up"; readonly problem: Problem; readonly judgement: Judgement | null };
};

/** `ctx.thread` is the thread as the model sees it. A problem means that no model answered and nothing is stored. */
export async function think(ctx: TurnContext): Promise<Result<ThinkResult>> {
  const { rt, request, thread: promptThread } = ctx;
  const purpose: Purpose = promptThread.state.machine.state === "plan" ? "plan" : "execute";
  const tools = await resolveForTurn(ctx);
  if (!tools.ok) return tools;
  const model = rt.pickModel(promptThread.state.agent, purpose);
  const factor = estimateFactor(promptThread.state, model);
  const role_prompt = await loadRolePrompt(rt, request.at, promptThread.state);
  if (!role_prompt.ok) return role_prompt;
  const at = draftEntry(promptThread)?.at ?? isoTime(rt.clock.now());
  let exchange: Exchange = {
    model,
    corrections: [],
    usage: null,
    prompt: null,
    sent: undefined,
    factor,
    last_factor: factor,
  };
  const done = (result: ThinkResult["result"]): Result<ThinkResult> =>
    ok(toThinkResult(rt, promptThread, exchange, result));
  for (;;) {
    const facts = { ...exchange, purpose, at, role_prompt: role_prompt.value };
    const prompt = buildTurnPrompt(rt, promptThread, tools.value, facts);
    if (!prompt.ok) return prompt;
    exchange = { ...exchange, prompt: prompt.value };
    const shortfall = budgetShortfall(
      budgetSoFar(promptThread.state, exchange),
      worstCase(model, prompt.value.estimate),
    );
    if (shortfall) return done({ kind: "exhausted", reason: shortfall });
    const listener = listenForSpeech(request, promptThread.state.turn);
    const reply = await askModel(ctx, { model, purpose }, prompt.value.messages, listener);
    if (!reply.ok) return reply;
    exchange = {
      ...withUsage(exchange, prompt.value, reply.value),
      sent: sentPrompt(rt, prompt.value, reply.value),
    };
    const verdict = await readReply(ctx, tools.value, { purpose, corrections: exchange.corrections }, reply.value.text);
    if (verdict.kind !== "corrected") return done(verdict);
    const { judgement } = verdict;
    const problem = withReplyTrouble(verdict.problem, model, reply.value);
    listener.discard(problem.message);
    if (exchange.corrections.length >= CORRECTIONS_MAX)
      return done({ kind: "gave_up", problem: finalProblem(problem), judgement });
    const correction = correctionFrom(problem, reply.value.text);
    exchange = { ...exchange, corrections: [...exchange.corrections, correction] };
  }
}

/** The exchange with the model in this turn so far. */
type Exchange = {
  readonly model: Model;
  readonly corrections: readonly Correction[];
  readonly usage: Usage | null;
  readonly prompt: Prompt | null;
  /** The newest prompt that received a reply. */
  readonly sent: Entry["prompt"];
  readonly factor: number;
  /** The factor used for the last answered prompt. Each reply corrects it for the next one. */
  readonly last_factor: number;
};

const budgetSoFar = (state: ThreadState, { usage }: Exchange) => {
  const { limit, used } = state.budget;
  const tokens = used.tokens + (usage ? usage.input_tokens + usage.output_tokens : 0);
  return { limit, used: { ...used, tokens, usd: used.usd + (usage?.usd ?? 0) } };
};

function withUsage(exchange: Exchange, prompt: Prompt, reply: ModelReply): Exchange {
  const added = usageOf(exchange.model, prompt.estimate, reply.usage, reply.text);
  const usage = addUsage(exchange.usage, added);
  const previousFactor = exchange.factor;
  const factor = reply.usage
    ? correctFactor(previousFactor, prompt.raw_estimate, reply.usage.input_tokens)
    : previousFactor;
  return { ...exchange, usage, factor, last_factor: previousFactor };
}

type ReplyVerdict =
  | Accepted
  | { kind: "exhausted"; reason: string }
  | { kind: "corrected"; problem: Problem; judgement: Judgement | null };

async function readReply(
  ctx: TurnContext,
  tools: ResolvedTools,
  { purpose, corrections }: { readonly purpose: Purpose; readonly corrections: readonly Correction[] },
  text: string,
): Promise<ReplyVerdict> {
  const { state } = ctx.thread;
  if (purpose === "plan") {
    const decision = parsePlanDecision(text);
    if (!decision.ok) return { kind: "corrected", problem: decision.problem, judgement: null };
    const ruling = judgePlan(decision.value, state, corrections);
    if (ruling.kind === "corrected") return ruling;
    const first = await judgeFirstCall(ctx, tools, decision.value, ruling.plan ?? []);
    if (first.kind === "corrected") return first;
    const first_call = first.kind === "call" ? first.call : null;
    return { kind: "plan", decision: storedDecision(decision.value), ruling, first_call };
  }
  const decision = parseDecision(text);
  if (!decision.ok) return { kind: "corrected", problem: decision.problem, judgement: null };
  const toolCall = "tool_call" in decision.value ? decision.value.tool_call : undefined;
  const called = toolCall
    ? await withToolCheck(ctx, await prepareCall(ctx, tools, toolCall.name, toolCall.arguments))
    : null;
  const prepared = called && { ...called, finishes_step: finishesStep(decision.value) };
  const ruling = judge(decision.value, state, prepared, corrections.length);
  if (ruling.kind === "corrected") return ruling;
  if (ruling.kind === "exhausted") return { kind: "exhausted", reason: ruling.reason };
  return {
    kind: "execute",
    decision: ruling.decision,
    stored: storedDecision(decision.value),
    ruling,
    request: prepared,
  };
}

const finishesStep = (decision: ExecuteDecision): boolean =>
  "finishes_step" in decision && decision.finishes_step === true;

/** The third failure of a turn has one of two codes, both of which say that the model failed, not the caller. */
const finalProblem = (problem: Problem): Problem => {
  const code = problem.code === "decision_invalid" ? "decision_invalid" : "decision_refused";
  const named = fail(code, problem.message).problem;
  return { ...named, ...(problem.details ? { details: problem.details } : {}) };
};

function correctionFrom(problem: Problem, reply: string): Correction {
  const { code, message, legal, excerpt } = correctionOf(problem, truncateChars(reply, CORRECTION_EXCERPT_CHARS));
  return { code, message, legal: [...legal], excerpt: truncateChars(excerpt, CORRECTION_EXCERPT_CHARS).toWellFormed() };
}

function toThinkResult(rt: Runtime, seen: Thread, exchange: Exchange, result: ThinkResult["result"]): ThinkResult {
  const { model, usage } = exchange;
  const system = usage && exchange.prompt ? exchange.prompt.system : null;
  const hash = system && systemPromptHash(rt.hash, system);
  const alreadyStored = seen.entries.some(({ entry }) => entry.prompt_hash === hash);
  return {
    facts: {
      entry: {
        prompt_hash: hash,
        ...(exchange.sent && { prompt: exchange.sent }),
        model: usage ? model.name : null,
        estimate_factor: usage ? exchange.last_factor : null,
        corrections: [...exchange.corrections],
      },
      usage,
      estimate: usage ? { model: model.name, factor: exchange.factor } : seen.state.estimate,
      // Message [0] is stored once per thread, so that the prompt of any turn can be shown again.
      blobs: system && hash && !alreadyStored ? [{ hash, text: system.text }] : [],
    },
    result,
  };
}

const DEFAULT_SPEAK: Record<string, string> = {
  continue: "Going on.",
  ask_user: "One more thing is needed to go on.",
  confirm: "This is prepared and waits for your confirmation.",
};

/** What the user reads: the spoken text or, for an action that must not be silent, the reason or a default. */
export function spokenText(decision: ExecuteDecision | PlanDecision): string {
  const fallback = DEFAULT_SPEAK[decision.action];
  if (decision.speak) return decision.speak;
  return fallback === undefined ? "" : (decision.reason ?? fallback);
}
