// Builds the records of a workflow that change who works: the next role begins, or the current one waits for a person.
import type { Signal } from "../../../machines/thread.signals.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { suspendGate } from "../gates/open-gate.ts";
import { freshVisit, roleAgent, type VisitRequest, visitPrompt } from "./begin-visit.ts";

/** Begins the visit with this record. The entries after it belong to the role. */
export async function withVisit(
  ctx: TurnContext,
  draft: Draft,
  visit: VisitRequest,
  signal: Signal,
): Promise<Result<Draft>> {
  const { workflow } = draft.state;
  if (!workflow) throw new Error("only a workflow thread has visits");
  const prompt = await visitPrompt(ctx.rt, workflow, visit);
  if (!prompt.ok) return prompt;
  const since = { version: ctx.thread.version + 1, turn: draft.state.turn };
  return ok(
    amend(draft, {
      state: {
        ...freshVisit(draft.state),
        gate: null,
        agent: roleAgent(ctx.rt, workflow, visit.role),
        workflow: { ...workflow, role: visit.role, prompt_blob: prompt.value.prompt_blob, since },
      },
      signals: [signal],
      blobs: prompt.value.blobs,
    }),
  );
}

export function withSuspension(
  ctx: TurnContext,
  draft: Draft,
  { text, failed }: { readonly text: string; readonly failed: boolean },
): Draft {
  const role = draft.state.workflow?.role ?? "";
  return amend(draft, {
    state: { gate: suspendGate(ctx, role, text, failed), idle: 0 },
    signals: [{ type: "role.suspended" }],
  });
}
