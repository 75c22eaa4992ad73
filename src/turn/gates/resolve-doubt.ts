// What a person says about a call of which nobody knows whether it happened: it did, it did not, try again, give up.
import { fail, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import type { Acting } from "../../schema/thread.ts";
import { finding, settleIntended } from "../act/receipts.ts";
import type { Admission } from "../admit/admit.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { carryOutEffect } from "../effects/effects.ts";
import { resend, settleAs } from "../effects/reconcile.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { finish } from "../think/think-turn.ts";
import { checkStored, closing } from "./answer-gate.ts";

type Made = Result<readonly ThreadRecord[]>;
type Wish = Extract<Admission, { do: "resolve" }>;

export async function resolveDoubt(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  wish: Wish,
): Promise<Made> {
  const acting = thread.state.acting;
  if (!acting) return fail("state_corrupt", "A doubt gate is open but no call is in doubt.");
  const note = wish.note ? ` (${wish.note})` : "";
  if (wish.outcome === "happened")
    return settleAs(rt, call, thread, draft, acting, finding(rt, true, `${call.actor} says that it happened${note}.`));
  if (wish.outcome === "not_happened") {
    return settleAs(
      rt,
      call,
      thread,
      draft,
      acting,
      finding(rt, false, `${call.actor} says that it did not happen${note}. Nothing was repeated.`),
    );
  }
  if (wish.outcome === "try_again") return tryAgain(rt, call, thread, draft, wish, acting, note);
  return abortDoubt(rt, call, thread, draft, wish, note);
}

async function abortDoubt(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  wish: Wish,
  note: string,
): Promise<Made> {
  const found = finding(rt, null, `Nobody knows whether ${wish.gate.call.name} happened${note}.`);
  const { intended } = wish.gate;
  const receipt = settleIntended(rt, intended, found);
  return finish(
    rt,
    call,
    thread,
    amend(draft, {
      state: { gate: null, acting: null, evidence: "none" },
      entry: {
        call: wish.gate.call,
        receipts: [receipt],
        speak: `The run was given up: ${found.text}`,
        ...closing(wish.gate, "aborted"),
      },
      signals: [{ type: "run.aborted" }],
    }),
  );
}

/**
 * The same call, by a person's word. A keyed effect goes out under its key. An unkeyed one is another effect, for it may
 * now happen twice: the first stays unknown, and each has a receipt of its own.
 */
async function tryAgain(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  wish: Wish,
  acting: Acting,
  note: string,
): Promise<Made> {
  if (acting.cancel_requested)
    return fail("signal_refused", "The run is to be cancelled: say whether it happened, or give up.");
  const stored = acting.call;
  const checked = await checkStored(rt, call, thread, stored, null);
  if (!checked.ok) return checked;
  const args = checked.value.arguments;
  const closed = amend(draft, { entry: { call: stored, ...closing(wish.gate, "tried again") } });
  if (stored.effect === "keyed") return resend(rt, call, thread, closed, acting, args);
  const found = finding(rt, null, `Nobody knows whether it happened; ${call.actor} let it be tried again${note}.`);
  const receipt = settleIntended(rt, acting.intended, found);
  const freed = amend(closed, { state: { acting: null }, entry: { receipts: [receipt] } });
  const leave = { gate_id: wish.gate.id, actor: call.actor };
  return carryOutEffect(rt, call, thread, freed, { stored, args, leave, effect_id: null });
}
