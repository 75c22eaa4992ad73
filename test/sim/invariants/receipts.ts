// I3: receipts match the committed calls and their digests; every intent has one result; there is no success without an
// effect.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { StoredCall } from "../../../src/schema/gate.ts";
import type { Receipt } from "../../../src/schema/receipt.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import { argumentsDigest } from "../../../src/turn/gates/digest.ts";
import type { Evidence, StoredThread } from "../evidence.ts";

/** Checks that a cancellation requested during a call takes effect when the call ends. */
function cancellationsAreHonored({ records }: StoredThread): readonly string[] {
  return records.flatMap(({ version, entry, state }, i) => {
    const next = records[i + 1];
    if (entry.input?.type === "cancel" && state.acting && !state.acting.cancel_requested)
      return [`record ${version} loses a cancellation`];
    if (!state.acting?.cancel_requested || !next) return [];
    if (next.state.acting)
      return next.state.acting.cancel_requested ? [] : [`record ${version + 1} loses a cancellation`];
    const ended = next.entry.signals.includes("run.cancelled") || next.entry.signals.includes("run.aborted");
    return ended ? [] : [`record ${version + 1} continues after a cancellation`];
  });
}

export const receiptsMatch = (evidence: Evidence): readonly string[] =>
  evidence.threads.flatMap((thread) =>
    [
      ...digestsMatch(thread),
      ...intentionsSettleOnce(thread),
      ...cancellationsAreHonored(thread),
      ...successesHappened(thread, evidence),
      ...failuresDidNotHappen(thread, evidence),
    ].map((flaw) => `I3 ${thread.at.thread}: ${flaw}`),
  );

export function argumentsOf(thread: StoredThread, call: StoredCall): Record<string, unknown> | null {
  if (call.arguments) return call.arguments;
  const text = call.arguments_blob ? thread.blobs.get(call.arguments_blob) : undefined;
  return text === undefined ? null : (JSON.parse(text) as Record<string, unknown>);
}

function digestsMatch(thread: StoredThread): readonly string[] {
  const ids = new Set<string>();
  return thread.records.flatMap(({ version, entry }) =>
    entry.receipts.flatMap((receipt) => {
      const wrong: string[] = [];
      if (ids.has(receipt.id)) wrong.push(`receipt ${receipt.id} is stored twice`);
      ids.add(receipt.id);
      if (receipt.source === "user_reply") return wrong;
      const { call } = entry;
      if (!call || call.name !== receipt.name)
        return [...wrong, `record ${version} has a receipt of ${receipt.name} but no such call`];
      const args = argumentsOf(thread, call);
      if (!args) return [...wrong, `record ${version} lost the arguments of ${call.name}`];
      const digest = argumentsDigest(nodeHash, { tool: call.name, arguments: args });
      if (digest !== receipt.arguments_digest || digest !== call.arguments_digest)
        wrong.push(`the digest of ${receipt.id} does not match its call`);
      return wrong;
    }),
  );
}

function intentionsSettleOnce(thread: StoredThread): readonly string[] {
  const intended = new Map<string, Receipt>();
  const settled = new Map<string, number>();
  const ends = new Map<string, Receipt>();
  const wrong: string[] = [];
  for (const { version, entry } of thread.records) {
    for (const receipt of entry.receipts) {
      if (receipt.effect_id === null) {
        if (receipt.kind === "intended") wrong.push(`record ${version} has an intended receipt without an effect`);
        if (receipt.kind === "settled" && receipt.success && receipt.source === "write_receipt")
          wrong.push(`record ${version} settles a write that was never intended`);
        continue;
      }
      if (receipt.kind === "intended") {
        const before = intended.get(receipt.effect_id);
        if (settled.has(receipt.effect_id)) wrong.push(`${receipt.effect_id} is intended again after it was settled`);
        if (before && before.arguments_digest !== receipt.arguments_digest)
          wrong.push(`${receipt.effect_id} changes its arguments`);
        intended.set(receipt.effect_id, receipt);
        continue;
      }
      const begun = intended.get(receipt.effect_id);
      if (!begun || begun.arguments_digest !== receipt.arguments_digest || begun.gate_id !== receipt.gate_id)
        wrong.push(`record ${version} settles ${receipt.effect_id}, which was not intended this way`);
      if (receipt.contradicts !== undefined) {
        const contradicted = ends.get(receipt.contradicts);
        if (contradicted?.effect_id !== receipt.effect_id || contradicted.success === receipt.success)
          wrong.push(`record ${version} contradicts ${receipt.contradicts}, which does not differ`);
      } else settled.set(receipt.effect_id, (settled.get(receipt.effect_id) ?? 0) + 1);
      ends.set(receipt.id, receipt);
    }
  }
  const open = thread.records.at(-1)?.state.acting?.intended.effect_id ?? null;
  for (const effect of intended.keys()) {
    const times = settled.get(effect) ?? 0;
    if (times !== (effect === open ? 0 : 1)) wrong.push(`${effect} has ${times} results`);
  }
  return wrong;
}

/** Checks that every success has an effect, except a person's resolution and a stored refusal. */
const successesHappened = (thread: StoredThread, { effects }: Evidence): readonly string[] =>
  thread.records.flatMap(({ entry }: ThreadRecord) =>
    entry.receipts.flatMap((receipt) => {
      if (receipt.kind !== "settled" || receipt.success !== true || receipt.effect_id === null) return [];
      if (entry.input?.type === "resolve") return [];
      return effects.some((effect) => effect.effect_id === receipt.effect_id)
        ? []
        : [`${receipt.id} claims a success that did not happen`];
    }),
  );

/** Checks that a call that ran and is recorded as failed had no effect. Interrupted calls are in doubt instead. */
const failuresDidNotHappen = (thread: StoredThread, { effects }: Evidence): readonly string[] =>
  thread.records.flatMap(({ entry }: ThreadRecord) =>
    entry.receipts.flatMap((receipt) => {
      const ran = receipt.kind === "settled" && receipt.effect_id !== null && entry.operation !== null;
      if (!ran || receipt.success !== false) return [];
      return effects.some((effect) => effect.effect_id === receipt.effect_id)
        ? [`${receipt.id} claims a failure, but it happened`]
        : [];
    }),
  );
