// A call ended and its tool has not said whether the effect happened: how to recover, and the gate when nothing else helps.
import type { ActiveCall } from "../../schema/thread.ts";
import { buildObservation } from "../act/receipts.ts";
import { type HandlerResult, manifestOf } from "../act/run-handler.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { doubtGate, doubtText } from "../gates/open-gate.ts";
import type { ReconcileAnswer } from "./ask-tool.ts";

/** How often one effect is sent, crashes included, before a person is asked. */
export const TRIES_MAX = 5;
/** At most every second try follows at once; the others are left to a later turn, when whatever was down may be up. */
const AT_ONCE = 2;

/**
 * The tool's own answer to a first try is final. A refusal of a further try says nothing about the tries before it: only
 * a success does, or a tool that can be asked.
 */
export const isKnown = (result: HandlerResult, tries: number): boolean =>
  result.interruption === null && (result.success || tries === 1);

export type Recovery = "happened" | "did_not_happen" | "again" | "later" | "ask";

/** What to do about a call whose effect is not known. */
export function chooseRecovery(
  { rt, request }: TurnContext,
  acting: ActiveCall,
  result: HandlerResult,
  answer: ReconcileAnswer,
): Recovery {
  if (answer?.happened) return "happened";
  const { effect, name } = acting.call;
  // A tool that could not answer and refuses now will not say more next time.
  if (effect === "keyed" && result.interruption && acting.tries < TRIES_MAX) {
    const fits = request.deadline - rt.clock.now() >= (manifestOf(rt, name)?.timeout_ms ?? 0);
    return fits && acting.tries % AT_ONCE !== 0 ? "again" : "later";
  }
  // While a handler is still running, of this try or of an earlier one, "not yet" is not "no".
  if (answer && acting.tries === 1 && !result.interruption?.late_result) return "did_not_happen";
  return "ask";
}

/** Opens the gate for a person, with what the tool had reported until then. */
export function doubtingDraft(ctx: TurnContext, draft: Draft, acting: ActiveCall, result: HandlerResult | null): Draft {
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
