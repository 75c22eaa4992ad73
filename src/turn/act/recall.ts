// Finds an earlier observation of the same thread by its receipt, searching from the newest record backwards.
import { upgradeEntry } from "../../migrate/upgrade.ts";
import { retryUnavailable } from "../../ports/retry.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Entry } from "../../schema/record.ts";
import type { RecalledObservation } from "../../tools/own-thread.ts";
import type { Runtime } from "../runtime.ts";

const PAGE_SIZE = 100;

export async function recallObservation(
  rt: Pick<Runtime, "store">,
  at: ThreadRef,
  receipt_id: string,
): Promise<Result<RecalledObservation>> {
  const head = await retryUnavailable(() => rt.store.load(at, 1));
  if (!head.ok) return head;
  for (let last = head.value.head.version; last >= 0; last -= PAGE_SIZE) {
    const after = Math.max(-1, last - PAGE_SIZE);
    const rows = await retryUnavailable(() => rt.store.records(at, { after, limit: last - after }));
    if (!rows.ok) return rows;
    // Searches the raw text first, because parsing a record costs far more than skipping it.
    for (const row of rows.value.toReversed().filter(({ entry }) => entry.includes(receipt_id))) {
      const entry = upgradeEntry(row.entry);
      if (!entry.ok) return entry;
      if (entry.value.observation?.receipt_id === receipt_id) return toRecalled(rt, at, entry.value);
    }
  }
  return fail("tool_refused", `This thread has no observation with the receipt ${receipt_id.slice(0, 60)}.`);
}

async function toRecalled(
  rt: Pick<Runtime, "store">,
  at: ThreadRef,
  entry: Entry,
): Promise<Result<RecalledObservation>> {
  const { observation, receipts, turn, call } = entry;
  const receipt = receipts.find((one) => one.id === observation?.receipt_id);
  const blob = observation?.blob ?? null;
  const text = blob === null ? ok(observation?.text ?? "") : await retryUnavailable(() => rt.store.getBlob(at, blob));
  if (!text.ok) return text;
  const name = call?.name ?? receipt?.name ?? "runtime";
  // Output that was untrusted when it was recorded stays untrusted.
  return ok({ name, turn, text: text.value, output_trust: receipt?.output_trust ?? "untrusted" });
}
