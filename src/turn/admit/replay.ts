// The same idempotency key again: the answer rebuilt from its records, or the rest of a request that broke off.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { findKey } from "../commit/idempotency-keys.ts";
import { loadThread, readRecords } from "../load.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";

export type Replay =
  | { readonly kind: "new" }
  /** The request's last record is stored: its answer can be given again. */
  | { readonly kind: "answered"; readonly records: readonly ThreadRecord[] }
  /** Something of it is stored, but not its end. */
  | { readonly kind: "broken_off"; readonly records: readonly ThreadRecord[] };

export async function replay(
  rt: Pick<Runtime, "store">,
  request: Pick<TurnRequest, "at" | "key">,
  thread: Thread,
): Promise<Result<Replay>> {
  if (!request.key) return ok({ kind: "new" });
  const known = findKey(thread.state.key_ring, request.key.hash);
  if (!known) return ok({ kind: "new" });
  const range = await readRecords(rt, request.at, known.first, known.newest);
  if (!range.ok) return range;
  const { hash, body } = request.key;
  const records = range.value.filter(({ entry }) => entry.key?.hash === hash);
  if (records.some(({ entry }) => entry.key?.body !== body)) {
    return fail("idempotency_mismatch", "This Idempotency-Key came with another request before.");
  }
  if (records.at(-1)?.entry.key?.last) return ok({ kind: "answered", records });
  const settled = await findSettlement(rt, request, thread, records);
  if (!settled.ok) return settled;
  if (settled.value) return ok({ kind: "answered", records: [...records, settled.value] });
  return ok({ kind: "broken_off", records });
}

/**
 * A request whose owner died after storing its intention may have been settled by another request meanwhile. Then that
 * record ends this one too.
 */
async function findSettlement(
  rt: Pick<Runtime, "store">,
  request: Pick<TurnRequest, "at">,
  thread: Thread,
  records: readonly ThreadRecord[],
): Promise<Result<ThreadRecord | null>> {
  const newest = records.at(-1);
  const intended = newest?.entry.receipts.find((receipt) => receipt.kind === "intended");
  if (!newest || !intended || thread.state.acting?.intended.effect_id === intended.effect_id) return ok(null);
  const later = await readRecords(rt, request.at, newest.version + 1, newest.version + 64);
  if (!later.ok) return later;
  const end = later.value.find(({ entry }) =>
    entry.receipts.some((receipt) => receipt.kind === "settled" && receipt.effect_id === intended.effect_id),
  );
  return ok(end ?? null);
}

/** The loser of a race that finds its own key in the winner was the same request, sent twice. */
export async function replayAfterRace(rt: Runtime, request: TurnRequest): Promise<readonly ThreadRecord[] | null> {
  if (!request.key) return null;
  const loaded = await loadThread(rt, request.at);
  if (!loaded.ok) return null;
  const replayed = await replay(rt, request, loaded.value);
  return replayed.ok && replayed.value.kind === "answered" ? replayed.value.records : null;
}
