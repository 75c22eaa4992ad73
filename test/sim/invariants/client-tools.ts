// I26: the result of a call that a client ran is stored once, comes from a client that sent it, and proves only a reply.
import type { ExternalGate } from "../../../src/schema/gate.ts";
import type { SettledReceipt } from "../../../src/schema/receipt.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import type { Evidence, StoredThread } from "../evidence.ts";

export const clientResultsAreReplies = (evidence: Evidence): readonly string[] =>
  evidence.threads.flatMap((thread) => {
    const spent = new Set<string>();
    return thread.records.flatMap((record) =>
      record.entry.receipts.flatMap((receipt) => {
        if (receipt.source !== "client_reply" || receipt.kind !== "settled") return [];
        const wrong = [...violations(evidence, thread, record, receipt)];
        if (receipt.gate_id && spent.has(receipt.gate_id)) wrong.push(`gate ${receipt.gate_id} has two results`);
        if (receipt.gate_id) spent.add(receipt.gate_id);
        return wrong.map((why) => `I26 ${thread.at.thread}: record ${record.version}: ${why}`);
      }),
    );
  });

function* violations(
  { clientRequests }: Evidence,
  { records }: StoredThread,
  { version, entry, state }: ThreadRecord,
  receipt: SettledReceipt,
): Generator<string> {
  const gate = records[version - 1]?.state.gate;
  if (gate?.kind !== "external" || gate.id !== receipt.gate_id) return yield "its gate was not open";
  if (receipt.arguments_digest !== gate.call.arguments_digest) yield "its gate is for another call";
  if (state.proofs.some(({ receipt_id, kind }) => receipt_id === receipt.id && kind !== "reply"))
    yield "its receipt proves more than a reply";
  const { input } = entry;
  if (input === null) {
    if (receipt.success !== null || entry.closed_gate?.how !== "expired") yield "nobody sent this result";
    return;
  }
  if (input.type !== "tool_result" || input.digest !== gate.digest) return yield "another input gave the result";
  if (receipt.success !== (input.error === undefined)) yield "success is not what the client reported";
  if (isLeasedByOther(gate, input.lease_id, entry.at)) yield "another client had leased the call";
  const text = JSON.stringify(input);
  const isSent = clientRequests.some(
    ({ request }) => request.kind === "turn" && JSON.stringify(request.input) === text,
  );
  if (!isSent) yield "no client sent this result";
}

/** The longest lease that a client may request. A longer one was given by a wrong clock. */
const LEASE_MAX_MS = 3_600_000;

function isLeasedByOther({ lease }: ExternalGate, lease_id: string | undefined, at: string): boolean {
  const left_ms = lease === null || lease.id === lease_id ? 0 : Date.parse(lease.until) - Date.parse(at);
  return left_ms > 0 && left_ms <= LEASE_MAX_MS;
}
