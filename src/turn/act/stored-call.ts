// Converts a call to its stored form: small arguments inline, large ones in a blob of the thread.
import type { StoredBlob } from "../../ports/thread-store.ts";
import { byteLength } from "../../schema/byte-length.ts";
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import type { StoredCall } from "../../schema/gate.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { ARGUMENTS_INLINE_BYTES } from "../../schema/record.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import { isLarge } from "../commit/stored-input.ts";
import type { PreparedCall } from "../judge/ruling.ts";
import type { Runtime } from "../runtime.ts";

export const THOUGHT_CHARS = 140;

/** Leaves large arguments out of the decision, because the blob of the call contains them. */
export function storedDecision<D extends ExecuteDecision | PlanDecision>(decision: D): D {
  if (!("tool_call" in decision) || !decision.tool_call || !isLarge(decision.tool_call.arguments)) return decision;
  return { ...decision, tool_call: { name: decision.tool_call.name, arguments: {} } };
}

export function storeCall(
  rt: Pick<Runtime, "hash">,
  call: PreparedCall,
  thought: string,
): { stored: StoredCall; blobs: readonly StoredBlob[] } {
  const { manifest } = call;
  const text = JSON.stringify(call.arguments);
  const large = byteLength(text) > ARGUMENTS_INLINE_BYTES;
  const hash = large ? rt.hash.sha256(text) : null;
  return {
    stored: {
      name: call.name,
      manifest_version: manifest?.version ?? "",
      effect: manifest?.effect ?? "pure",
      arguments: large ? null : call.arguments,
      arguments_blob: hash,
      arguments_digest: call.arguments_digest,
      proposed_digest: call.proposed_digest,
      thought: truncateChars(thought.split("\n", 1)[0] ?? "", THOUGHT_CHARS),
      // `finishes_step` applies to the call as the model wrote it, not to one that a hook or a person changed.
      ...(call.finishes_step && call.proposed_digest === null ? { finishes_step: true } : {}),
      ...(call.access ? { access: call.access } : {}),
      ...(call.changes ? { changes: [...call.changes] } : {}),
    },
    blobs: hash ? [{ hash, text }] : [],
  };
}

export async function loadArguments(
  rt: Pick<Runtime, "store">,
  at: ThreadRef,
  call: StoredCall,
): Promise<Result<Record<string, unknown>>> {
  if (call.arguments) return ok(call.arguments);
  if (!call.arguments_blob) return fail("state_corrupt", `The call of ${call.name} has no stored arguments.`);
  const text = await rt.store.getBlob(at, call.arguments_blob);
  return text.ok ? ok(JSON.parse(text.value) as Record<string, unknown>) : text;
}
