// The same key again: the answer it got, rebuilt from its records; or the rest of a call that broke off.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { findKey } from "../commit/key-ring.ts";
import { loadThread, readRecords } from "../load.ts";
import type { Runtime, TurnCall } from "../runtime.ts";

export type Replay =
  | { readonly kind: "new" }
  /** The call's last record is stored: its answer can be given again. */
  | { readonly kind: "answered"; readonly records: readonly ThreadRecord[] }
  /** Something of it is stored, but not its end. */
  | { readonly kind: "broken_off"; readonly records: readonly ThreadRecord[] };

export async function replay(
  rt: Pick<Runtime, "store">,
  call: Pick<TurnCall, "at" | "key">,
  thread: Thread,
): Promise<Result<Replay>> {
  if (!call.key) return ok({ kind: "new" });
  const held = findKey(thread.state.key_ring, call.key.hash);
  if (!held) return ok({ kind: "new" });
  const range = await readRecords(rt, call.at, held.first, held.newest);
  if (!range.ok) return range;
  const { hash, body } = call.key;
  const records = range.value.filter(({ entry }) => entry.key?.hash === hash);
  if (records.some(({ entry }) => entry.key?.body !== body)) {
    return fail("idempotency_mismatch", "This Idempotency-Key came with another request before.");
  }
  if (records.at(-1)?.entry.key?.last) return ok({ kind: "answered", records });
  const settled = await settledElsewhere(rt, call, thread, records);
  if (!settled.ok) return settled;
  if (settled.value) return ok({ kind: "answered", records: [...records, settled.value] });
  return ok({ kind: "broken_off", records });
}

/**
 * A call whose owner died after writing its intention may have been settled by another call meanwhile. Then that
 * record ends this one too.
 */
async function settledElsewhere(
  rt: Pick<Runtime, "store">,
  call: Pick<TurnCall, "at">,
  thread: Thread,
  records: readonly ThreadRecord[],
): Promise<Result<ThreadRecord | null>> {
  const newest = records.at(-1);
  const intended = newest?.entry.receipts.find((receipt) => receipt.kind === "intended");
  if (!newest || !intended || thread.state.acting?.intended.effect_id === intended.effect_id) return ok(null);
  const later = await readRecords(rt, call.at, newest.version + 1, newest.version + 64);
  if (!later.ok) return later;
  const end = later.value.find(({ entry }) =>
    entry.receipts.some((receipt) => receipt.kind === "settled" && receipt.effect_id === intended.effect_id),
  );
  return ok(end ?? null);
}

/** The loser of a race that finds its own key in the winner was the same call, sent twice. */
export async function replayAfterRace(rt: Runtime, call: TurnCall): Promise<readonly ThreadRecord[] | null> {
  if (!call.key) return null;
  const loaded = await loadThread(rt, call.at);
  if (!loaded.ok) return null;
  const again = await replay(rt, call, loaded.value);
  return again.ok && again.value.kind === "answered" ? again.value.records : null;
}
