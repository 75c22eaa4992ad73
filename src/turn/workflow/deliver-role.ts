// Runs the turn that ends the visit of a role: the role writes its deliverable, and the moderator chooses the next role. Both are one record.
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import { CORRECTION_EXCERPT_CHARS, type Correction, type Entry, type Usage } from "../../schema/record.ts";
import type { WorkflowState } from "../../schema/workflow/state.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import type { Workflow } from "../../workflow/definition.ts";
import { type Delivered, readDelivery } from "../../workflow/frontmatter.ts";
import { route } from "../../workflow/route.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { withExhaustedRun } from "../commit/delivery-text.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { spend, usageOf, worstCase } from "../judge/budget.ts";
import { budgetShortfall, CORRECTIONS_MAX } from "../judge/judge-safety.ts";
import { runEvidence } from "../judge/run-evidence.ts";
import { resolveThreadTools } from "../resolve-thread-tools.ts";
import { askModel, listenForProse, withSupersededSignal } from "../think/ask-model.ts";
import { systemPromptHash } from "../think/prompt-hash.ts";
import { buildTurnPrompt, estimateFactor, sentPrompt } from "../think/turn-prompt.ts";
import { addUsage } from "../view.ts";
import { loadRolePrompt, loadThreadWorkflow, stateNodeReader } from "./nodes-of-thread.ts";
import { buildAttempt, buildStep, type DeliveredStep, type StepFacts } from "./step-nodes.ts";
import { withSuspension, withVisit } from "./visit-draft.ts";

export async function deliverRole(ctx: TurnContext, draft: Draft, state: WorkflowState): Promise<TurnRecords> {
  const { rt, request } = ctx;
  request.emit({ type: "turn.started", thread: request.at.thread, turn: draft.state.turn });
  const started = rt.clock.now();
  const workflow = await loadThreadWorkflow(stateNodeReader(rt, request.at), state.workflow_blob);
  if (!workflow.ok) return workflow;
  const reply = await withSupersededSignal(ctx, (superseded) =>
    askForDelivery({ ...ctx, superseded }, workflow.value, state, draft.entry.at),
  );
  if (!reply.ok) return reply;
  const { usage, entry, blobs, result } = reply.value;
  const seconds = (rt.clock.now() - started) / 1000;
  const charged = amend(draft, {
    state: usage ? { budget: spend(draft.state.budget, usage, seconds) } : {},
    entry: { ...entry, usage },
    blobs,
  });
  if (result.kind === "exhausted") return finish(ctx, withExhaustedRun(charged, result.reason));
  const facts: StepFacts = {
    turn: draft.state.turn,
    first_turn: state.since.turn + 1,
    at: draft.entry.at,
    model: entry.model ?? null,
    usage,
  };
  const settled =
    result.kind === "invalid"
      ? ok(withFailedAttempt(ctx, charged, state, { ...result, facts }))
      : await withStep(ctx, charged, workflow.value, { delivered: result.delivered, facts });
  return settled.ok ? finish(ctx, settled.value) : settled;
}

type Failure = { readonly problem: Problem; readonly raw: string; readonly facts: StepFacts };

function withFailedAttempt(
  ctx: TurnContext,
  draft: Draft,
  state: WorkflowState,
  { problem, raw, facts }: Failure,
): Draft {
  const phase = String(problem.details?.phase ?? "route");
  const attempt = buildAttempt(ctx.rt, state, { phase, message: problem.message, raw }, facts);
  const text = `${state.role} did not deliver a valid output: ${problem.message}`;
  const failed = amend(draft, { state: { workflow: attempt.state }, blobs: attempt.nodes });
  return withSuspension(ctx, failed, { text, failed: true });
}

/** Adds the step and the choice of the next role to one record, so that a crash leaves both or none. */
async function withStep(
  ctx: TurnContext,
  draft: Draft,
  workflow: Workflow,
  step: DeliveredStep,
): Promise<Result<Draft>> {
  const { rt, request } = ctx;
  const state = draft.state.workflow;
  if (!state?.role) throw new Error("only a role delivers a step");
  const { delivered, facts } = step;
  const written = buildStep(rt, state, workflow, step);
  const stepped = amend(draft, {
    state: { workflow: written.state, ...runEvidence(draft.state) },
    entry: { speak: delivered.body === "" ? null : delivered.body },
    blobs: written.nodes,
  });
  if (delivered.kind === "suspended")
    return ok(withSuspension(ctx, stepped, { text: delivered.reason, failed: false }));
  const next = route(workflow, { role: state.role, output: delivered.output, body: delivered.body });
  if (!next.ok) return ok(withFailedAttempt(ctx, draft, state, { problem: next.problem, raw: delivered.body, facts }));
  if (next.value.kind === "end")
    return ok(
      amend(stepped, {
        state: { workflow: { ...written.state, role: null, prompt_blob: null } },
        entry: { speak: delivered.body || next.value.prompt || null },
        signals: [{ type: "run.delivered" }],
      }),
    );
  const { role, prompt: instruction, location } = next.value;
  const read = stateNodeReader(rt, request.at, written.nodes);
  const visit = { at: request.at, workflow, role, instruction, location, read };
  return withVisit(ctx, stepped, visit, { type: "role.routed" });
}

type Reply = {
  readonly usage: Usage | null;
  readonly entry: Partial<Entry>;
  readonly blobs: Draft["blobs"];
  readonly result:
    | { readonly kind: "delivered"; readonly delivered: Delivered }
    | { readonly kind: "invalid"; readonly problem: Problem; readonly raw: string }
    | { readonly kind: "exhausted"; readonly reason: string };
};

/** Sends at most two corrections, because the work is done and only the format is wrong. */
async function askForDelivery(
  ctx: TurnContext,
  workflow: Workflow,
  state: WorkflowState,
  at: string,
): Promise<Result<Reply>> {
  const { rt, request, thread } = ctx;
  const role = workflow.roles[state.role ?? ""];
  if (!role) return fail("route_unknown_role", `The workflow has no role ${JSON.stringify(state.role)}.`);
  const tools = await resolveThreadTools(rt, request.at.tenant, thread.state, {
    thread: request.at.thread,
    settings: ctx.settings,
  });
  if (!tools.ok) return tools;
  const role_prompt = await loadRolePrompt(rt, request.at, thread.state);
  if (!role_prompt.ok) return role_prompt;
  const model = rt.pickModel(thread.state.agent, "deliver");
  const factor = estimateFactor(thread.state, model);
  const asking = { model, purpose: "deliver" as const };
  const corrections: Correction[] = [];
  let usage: Usage | null = null;
  let sent: Entry["prompt"];
  for (;;) {
    const facts = { ...asking, corrections, factor, at, role_prompt: role_prompt.value };
    const prompt = buildTurnPrompt(rt, thread, tools.value, facts);
    if (!prompt.ok) return prompt;
    const hash = systemPromptHash(rt.hash, prompt.value.system);
    const done = (result: Reply["result"]): Result<Reply> => {
      const stored = thread.entries.some(({ entry }) => entry.prompt_hash === hash);
      const entry = {
        prompt_hash: hash,
        ...(sent && { prompt: sent }),
        model: model.name,
        estimate_factor: factor,
        corrections,
      };
      const blobs = stored ? [] : [{ hash, text: prompt.value.system.text }];
      return ok({ usage, entry: usage ? entry : {}, blobs: usage ? blobs : [], result });
    };
    const budget = usage ? spend(thread.state.budget, usage, 0, 0) : thread.state.budget;
    const shortfall = budgetShortfall(budget, worstCase(model, prompt.value.estimate));
    if (shortfall) return done({ kind: "exhausted", reason: shortfall });
    const listener = listenForProse(request, thread.state.turn + 1);
    const reply = await askModel(ctx, asking, prompt.value.messages, listener);
    if (!reply.ok) return reply;
    const { text } = reply.value;
    sent = sentPrompt(rt, prompt.value, reply.value);
    usage = addUsage(usage, usageOf(model, prompt.value.estimate, reply.value.usage, text));
    const delivered = readDelivery(role.frontmatter, text);
    if (delivered.ok) return done({ kind: "delivered", delivered: delivered.value });
    listener.discard(delivered.problem.message);
    if (corrections.length >= CORRECTIONS_MAX) return done({ kind: "invalid", problem: delivered.problem, raw: text });
    corrections.push(formatCorrection(delivered.problem, text));
  }
}

const formatCorrection = ({ code, message, details }: Problem, text: string): Correction => ({
  code,
  message: `The work is done, only the format is wrong: ${message} Deliver it again in the deliverable format.`,
  legal: Array.isArray(details?.legal) ? details.legal.map(String) : [],
  excerpt: truncateChars(text, CORRECTION_EXCERPT_CHARS).toWellFormed(),
});
