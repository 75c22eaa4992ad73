// Decides how to recover when a call ended without its tool reporting whether the effect happened. The gate is the last resort.
import type { ActiveCall } from "../../schema/thread.ts";
import type { ReconcileAnswer } from "../../tools/define-tool.ts";
import { buildObservation } from "../act/receipts.ts";
import { type HandlerResult, manifestOf } from "../act/run-handler.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { doubtGate, doubtText } from "../gates/open-gate.ts";

/** How often one effect is sent, including attempts that crashed, before a person is asked. */
export const TRIES_MAX = 5;
/** At most every second attempt follows immediately. The others wait for a later turn, when an outage may be over. */
const IMMEDIATE_ATTEMPTS = 2;

/** A refused resend does not settle the effect, because it does not show whether an earlier attempt took effect. */
export const isKnown = (result: HandlerResult, tries: number): boolean =>
  result.interruption === null && (result.success || tries === 1);

export type Recovery = "happened" | "did_not_happen" | "again" | "later" | "ask";

export function chooseRecovery(
  { rt, request }: TurnContext,
  acting: ActiveCall,
  result: HandlerResult,
  answer: ReconcileAnswer<unknown> | null,
): Recovery {
  if (answer?.happened) return "happened";
  const { effect, name } = acting.call;
  // Resends only after an interruption: a tool that has now refused will not know more on the next attempt.
  if (effect === "keyed" && result.interruption && acting.tries < TRIES_MAX) {
    const fits = request.deadline - rt.clock.now() >= (manifestOf(rt, name)?.timeout_ms ?? 0);
    return fits && acting.tries % IMMEDIATE_ATTEMPTS !== 0 ? "again" : "later";
  }
  // A "no" from the tool is final only if no earlier attempt exists and the handler of this one has ended.
  if (answer && acting.tries === 1 && !result.interruption?.late_result) return "did_not_happen";
  return "ask";
}

export function doubtDraft(ctx: TurnContext, draft: Draft, acting: ActiveCall, result: HandlerResult | null): Draft {
  const { rt, thread } = ctx;
  const gate = doubtGate(rt, thread, acting, result?.interruption?.reason ?? result?.text ?? null);
  const asked = amend(draft, {
    state: { gate },
    entry: { call: acting.call, speak: doubtText(acting) },
    signals: [{ type: "call.doubted" }],
  });
  if (!result) return asked;
  const manifest = manifestOf(rt, acting.call.name);
  const { id } = acting.intended;
  const { observation, blobs } = buildObservation(rt, id, result, manifest);
  const untrusted = (result.run.output_trust ?? manifest?.output_trust ?? "untrusted") === "untrusted";
  return amend(asked, {
    state: { taint: asked.state.taint ?? (untrusted ? id : null) },
    entry: { observation, operation: result.run.operation, thought: acting.call.thought },
    blobs,
  });
}
