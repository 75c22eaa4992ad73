// What a person's answer to a gate does. None of these asks the model, except a reply, after which the turn goes on.
import type { Gate, StoredCall } from "../../schema/gate.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Entry, Thread, ThreadRecord } from "../../schema/record.ts";
import type { Tool } from "../../tools/define-tool.ts";
import { lookedAt, withFinding } from "../act/act.ts";
import { argumentFlaw, prepareCall, tellSkipped } from "../act/prepare-call.ts";
import { finding, mintReply, withReceipt } from "../act/receipts.ts";
import { loadArguments, storeCall } from "../act/stored-call.ts";
import type { Admission } from "../admit/admit.ts";
import { withReplan } from "../admit/run-moves.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { carryOutEffect } from "../effects/effects.ts";
import { resolveFor } from "../resolve-for.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { finish } from "../think/think-turn.ts";
import { argumentsDigest } from "./digest.ts";

type Made = Result<readonly ThreadRecord[]>;
type Wish<K extends Admission["do"]> = Extract<Admission, { do: K }>;

export const closing = (gate: Gate, how: string, text: string | null = null): Pick<Entry, "closed_gate"> => ({
  closed_gate: { id: gate.id, kind: gate.kind, how, text },
});

export function withReply(rt: Runtime, call: TurnCall, draft: Draft, wish: Wish<"reply">): Draft {
  const receipt = mintReply(rt, draft.state, wish.gate.id, call.actor, wish.text);
  const replied = amend(draft, {
    state: { ...withReceipt(draft.state, receipt, null), gate: null },
    entry: { receipts: [receipt], ...closing(wish.gate, "answered") },
    signals: [{ type: "question.closed" }],
  });
  return wish.replan ? withReplan(replied) : replied;
}

const NO_ANSWER = "The user did not answer in time.";
const DECIDE = "Decide from what is known.";

/** The receipt says that nobody replied: it proves nothing, and is there to be seen. */
export function withExpiredQuestion(rt: Runtime, draft: Draft, wish: Wish<"expire_question">): Draft {
  const text =
    wish.gate.default === null ? `${NO_ANSWER} ${DECIDE}` : `${NO_ANSWER} Go on with the default: ${wish.gate.default}`;
  const receipt = { ...mintReply(rt, draft.state, wish.gate.id, "runtime", "timed out"), success: false };
  return amend(draft, {
    state: { ...withReceipt(draft.state, receipt, null), gate: null },
    entry: { receipts: [receipt], ...closing(wish.gate, "expired", `(${text})`) },
    signals: [{ type: "question.closed" }],
  });
}

export function withApprovedPlan(draft: Draft, wish: Wish<"approve_plan">): Draft {
  const { steps } = wish.gate;
  return amend(draft, {
    state: { gate: null, plan: steps, plan_approved: true, proofs: [], failed_writes: [], idle: 0 },
    entry: closing(wish.gate, "approved"),
    signals: [{ type: "plan.approved", steps: steps.length }],
  });
}

export const withRejectedPlan = (draft: Draft, wish: Wish<"reject_plan">): Draft =>
  amend(draft, { state: { gate: null }, entry: closing(wish.gate, "rejected"), signals: [{ type: "plan.rejected" }] });

/** The model is told, as an observation of the call it proposed; and a rejected write proves nothing. */
export async function withRejectedCall(
  rt: Runtime,
  call: TurnCall,
  draft: Draft,
  wish: Wish<"reject_call">,
): Promise<Draft> {
  const why = wish.reason ? `: ${wish.reason}` : ".";
  const text = wish.expired
    ? "Rejected: expired. Nobody confirmed the call in time; it did not run."
    : `Rejected by the user${why} The call did not run.`;
  const stored = wish.gate.call;
  await tellSkipped(rt, call, stored, text);
  const told = withFinding(
    rt,
    amend(draft, { state: { gate: null } }),
    stored,
    { gate_id: wish.gate.id, actor: wish.expired ? null : call.actor },
    finding(rt, false, text),
    rt.clock.now(),
  );
  return amend(told, {
    entry: { call: stored, ...closing(wish.gate, wish.expired ? "expired" : "rejected") },
    signals: [{ type: "call.rejected" }],
  });
}

/** Runs the stored call: resolver, manifest, hooks and block list are asked again, for the world may have changed. */
export async function approveCall(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  wish: Wish<"approve_call">,
): Promise<Made> {
  const { gate } = wish;
  const approved = await checkStored(rt, call, thread, gate.call, wish.edited);
  if (!approved.ok) return approved;
  const { stored, blobs } = storeCall(
    rt,
    { ...approved.value, proposed_digest: changedFrom(gate.call, approved.value.arguments_digest) },
    gate.call.thought,
  );
  const ready = amend(draft, { state: { gate: null }, entry: { call: stored, ...closing(gate, "approved") }, blobs });
  const leave = { gate_id: gate.id, actor: call.actor };
  if (stored.effect !== "pure")
    return carryOutEffect(rt, call, thread, ready, { stored, args: approved.value.arguments, leave, effect_id: null });
  const settled = amend(ready, { signals: [{ type: "call.settled" }] });
  return finish(rt, call, thread, await lookedAt(rt, call, settled, stored, approved.value.arguments, leave));
}

/** A stored call that a person lets run: it must still be what it was, and still be allowed. */
export async function checkStored(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  stored: StoredCall,
  edited: Record<string, unknown> | null,
) {
  const tool = rt.toolbox.tool(stored.name, call.at);
  const tools = await resolveFor(rt, call.at.tenant, thread.state, {
    channel: call.channel ?? "http",
    settings: call.settings,
  });
  if (!tools.ok) return tools;
  const offered = tools.value.tools.some((manifest) => manifest.name === stored.name);
  if (!tool || !offered) {
    return fail(
      "tool_disabled",
      `${stored.name} is no longer offered (${tools.value.disabled[stored.name] ?? "removed"}); reject the call.`,
    );
  }
  if (tool.manifest.version !== stored.manifest_version) {
    return fail(
      "tool_changed",
      `${stored.name} is now version ${tool.manifest.version}; the gate shows version ${stored.manifest_version}.`,
    );
  }
  const args = edited ? ok(edited) : await loadArguments(rt, call.at, stored);
  if (!args.ok) return args;
  return checkApproved(rt, call, tool, tools.value, stored.arguments_digest, args.value, edited !== null);
}

const changedFrom = (
  proposed: { arguments_digest: string; proposed_digest: string | null },
  digest: string,
): string | null =>
  digest === proposed.arguments_digest
    ? proposed.proposed_digest
    : (proposed.proposed_digest ?? proposed.arguments_digest);

/** What runs is what the person saw, or what the person wrote: never what a hook makes of it afterwards. */
async function checkApproved(
  rt: Runtime,
  call: TurnCall,
  tool: Tool,
  tools: Parameters<typeof prepareCall>[2],
  shown: string,
  args: Record<string, unknown>,
  edited: boolean,
) {
  const flaw = argumentFlaw(tool, args);
  if (flaw) return fail("arguments_invalid", flaw);
  const prepared = await prepareCall(rt, call, tools, tool.manifest.name, args);
  if (prepared.refusal) return fail(prepared.refusal.code, prepared.refusal.text);
  const written = argumentsDigest(rt.hash, { tool: tool.manifest.name, arguments: args });
  if (!edited && written !== shown) {
    return fail("digest_mismatch", "The stored arguments are not the ones the gate shows.");
  }
  if (edited && prepared.arguments_digest !== written) {
    return fail("arguments_invalid", "A hook would change these arguments; approve what it makes of them instead.", {
      arguments: prepared.arguments,
    });
  }
  // A hook that rewrites what was just approved would make the approval worthless.
  return ok({ ...prepared, arguments: args, arguments_digest: written });
}
