// A call ended, and its tool has not said whether it happened. What is done about it, and the gate when nothing helps.
import type { Thread } from "../../schema/record.ts";
import type { Acting } from "../../schema/thread.ts";
import { type Found, manifestOf } from "../act/carry-out.ts";
import { observe } from "../act/receipts.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { doubtGate, doubtText } from "../gates/open-gate.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import type { Told } from "./ask-tool.ts";

/** How often one effect is sent, crashes included, before a person is asked. */
export const TRIES_MAX = 5;
/** At most every second try follows at once; the others are left to a later turn, when whatever was down may be up. */
const AT_ONCE = 2;

/**
 * A first try is known by the tool's own word. A refusal of a further one says nothing about the tries before it: only
 * a success does, or a tool that can be asked.
 */
export const isKnown = (found: Found, tries: number): boolean => found.cut === null && (found.success || tries === 1);

export type Way = "happened" | "did_not_happen" | "again" | "later" | "ask";

/** What to do about a call that is not known. */
export function wayOut(rt: Runtime, call: TurnCall, acting: Acting, found: Found, told: Told): Way {
  if (told?.happened) return "happened";
  const { effect, name } = acting.call;
  // A tool that was asked in vain and refuses now will not say more next time.
  if (effect === "keyed" && found.cut && acting.tries < TRIES_MAX) {
    const fits = call.deadline - rt.clock.now() >= (manifestOf(rt, name)?.timeout_ms ?? 0);
    return fits && acting.tries % AT_ONCE !== 0 ? "again" : "later";
  }
  // While a handler is still at work, of this try or of one before it, "not yet" is not "no".
  if (told && acting.tries === 1 && !found.cut?.late) return "did_not_happen";
  return "ask";
}

/** The gate for a person, with what the tool had told until then. */
export function doubtingDraft(rt: Runtime, thread: Thread, draft: Draft, acting: Acting, found: Found | null): Draft {
  const gate = doubtGate(rt, thread, acting, found?.cut?.why ?? found?.text ?? null);
  const asked = amend(draft, {
    state: { gate },
    entry: { call: acting.call, speak: doubtText(acting) },
    signals: [{ type: "call.doubted" }],
  });
  if (!found) return asked;
  const manifest = manifestOf(rt, acting.call.name);
  const { id } = acting.intended;
  const { observation, blobs } = observe(rt, id, found, manifest);
  const untrusted = (found.run.output_trust ?? manifest?.output_trust ?? "untrusted") === "untrusted";
  return amend(asked, {
    state: { taint: asked.state.taint ?? (untrusted ? id : null) },
    entry: { observation, operation: found.run.operation, thought: acting.call.thought },
    blobs,
  });
}
