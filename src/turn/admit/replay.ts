// Handles a repeated idempotency key: rebuilds the response from its records, or continues a request that was interrupted.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { findKey } from "../commit/idempotency-keys.ts";
import { loadThread, readRecords } from "../load.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";

export type Replay =
  | { readonly kind: "new" }
  /** The last record of the request is stored, so its response can be returned again. */
  | { readonly kind: "answered"; readonly records: readonly ThreadRecord[] }
  /** Some records of the request are stored, but not the last one. */
  | { readonly kind: "interrupted"; readonly records: readonly ThreadRecord[] };

/** Reserves the key of a request. A repeated request must wait instead of paying for a second model call. */
export async function whileRunning<T>(
  rt: Runtime,
  { at, key }: Pick<TurnRequest, "at" | "key">,
  suffix: string,
  run: () => Promise<Result<T>>,
): Promise<Result<T>> {
  if (!key) return run();
  const name = `${at.tenant}/${at.thread}/${key.hash}${suffix}`;
  if (rt.running.has(name))
    return fail("turn_running", "The same request is already in progress.", { retry_after_s: 1 });
  rt.running.add(name);
  try {
    return await run();
  } finally {
    rt.running.delete(name);
  }
}

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
    return fail("idempotency_mismatch", "This Idempotency-Key was used before with a different request.");
  }
  if (records.at(-1)?.entry.key?.last) return ok({ kind: "answered", records });
  const settled = await findSettlement(rt, request, thread, records);
  if (!settled.ok) return settled;
  if (settled.value) return ok({ kind: "answered", records: [...records, settled.value] });
  return ok({ kind: "interrupted", records });
}

/** A request that crashed after its intended receipt ends with the record that settled the call, even if another request stored it. */
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

/** A request that loses the race and finds its own key in the committed record was sent twice. */
export async function replayAfterRace(rt: Runtime, request: TurnRequest): Promise<readonly ThreadRecord[] | null> {
  if (!request.key) return null;
  const loaded = await loadThread(rt, request.at);
  if (!loaded.ok) return null;
  const replayed = await replay(rt, request, loaded.value);
  return replayed.ok && replayed.value.kind === "answered" ? replayed.value.records : null;
}
