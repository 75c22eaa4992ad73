// One call that may run now: a question, a refusal, a look, or an effect. At most one of these per turn.
import { z } from "zod";
import type { StoredCall } from "../../schema/gate.ts";
import type { Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { withHandlerHealth } from "../commit/health.ts";
import { carryOutEffect } from "../effects/effects.ts";
import { questionGate } from "../gates/open-gate.ts";
import { spendTime } from "../judge/budget.ts";
import type { PreparedCall } from "../judge/ruling.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { finish } from "../think/think-turn.ts";
import { carryOut, manifestOf } from "./carry-out.ts";
import { type Finding, finding, type Leave, mintSettled, NO_LEAVE, observe, withReceipt } from "./receipts.ts";
import { storeCall } from "./stored-call.ts";

type Made = Result<readonly ThreadRecord[]>;

export async function actOnCall(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  prepared: PreparedCall,
  lifted: boolean,
): Promise<Made> {
  const { stored, blobs } = storeCall(rt, prepared, draft.entry.thought ?? "");
  const ready = amend(draft, { entry: { call: stored }, blobs });
  if (prepared.refusal) return finish(rt, call, thread, refusedCall(rt, ready, stored, prepared.refusal.text));
  if (prepared.manifest?.asks) return finish(rt, call, thread, askByCall(rt, call, thread, ready, prepared));
  const leave: Leave = lifted ? { gate_id: null, actor: "policy" } : NO_LEAVE;
  if (stored.effect !== "pure") {
    return carryOutEffect(rt, call, thread, ready, { stored, args: prepared.arguments, leave, effect_id: null });
  }
  const taken = amend(ready, { signals: [{ type: "turn.taken" }] });
  return finish(rt, call, thread, await lookedAt(rt, call, taken, stored, prepared.arguments, leave));
}

/** A pure call runs inside the turn: its record holds the receipt, and a crash before it costs nothing but a rerun. */
export async function lookedAt(
  rt: Runtime,
  call: TurnCall,
  draft: Draft,
  stored: StoredCall,
  args: Record<string, unknown>,
  leave: Leave,
): Promise<Draft> {
  const started = rt.clock.now();
  const found = await carryOut(rt, call, draft.state, stored, args, null);
  return withHandlerHealth(withFinding(rt, draft, stored, leave, found, started), found.broken);
}

/** The arguments do not fit, a hook or a person said no: the model is told, and nothing ran. */
export const refusedCall = (rt: Runtime, draft: Draft, stored: StoredCall, text: string): Draft => {
  const told = withFinding(rt, draft, stored, NO_LEAVE, finding(rt, false, text), rt.clock.now());
  return amend(told, { signals: [{ type: "turn.taken" }] });
};

export function withFinding(
  rt: Runtime,
  draft: Draft,
  stored: StoredCall,
  leave: Leave,
  found: Finding,
  started: number,
): Draft {
  const manifest = manifestOf(rt, stored.name);
  const receipt = mintSettled(rt, draft.state, stored, manifest, leave, found, started);
  const { observation, blobs } = observe(rt, receipt.id, found, manifest);
  const { operation, state, blobs: more } = found.run;
  return amend(draft, {
    state: {
      ...withReceipt(draft.state, receipt, manifest),
      budget: spendTime(draft.state.budget, operation),
      ...state,
    },
    entry: { receipts: [...draft.entry.receipts, receipt], observation, operation, thought: stored.thought },
    blobs: [...blobs, ...more],
  });
}

const AskArguments = z.object({
  question: z.string(),
  choices: z.array(z.string()).max(4).optional(),
  default: z.string().optional(),
  expires_in_s: z.number().positive().optional(),
});

/** A tool that asks opens the question gate with its arguments. Nothing runs, so nothing is intended. */
function askByCall(rt: Runtime, call: TurnCall, thread: Thread, draft: Draft, prepared: PreparedCall): Draft {
  const worded = rt.toolbox.tool(prepared.name, call.at)?.question?.(prepared.arguments) ?? prepared.arguments;
  const asked = AskArguments.parse(worded);
  const gate = questionGate(rt, thread, {
    text: asked.question,
    choices: asked.choices ?? [],
    default: asked.default ?? null,
    expires_in_s: asked.expires_in_s ?? null,
  });
  return amend(draft, {
    state: { gate, idle: 0 },
    entry: { speak: inWords(asked) },
    signals: [{ type: "question.asked" }],
  });
}

/** For callers that show no more than text: the choices stand below the question. */
const inWords = ({ question, choices = [] }: z.infer<typeof AskArguments>): string =>
  [question, ...choices.map((choice, i) => `${i + 1}. ${choice}`)].join("\n");
