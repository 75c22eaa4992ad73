// Verifies after the kills that nothing acknowledged is lost, no turn is partial, and no effect happened twice.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { upgradeEntry } from "../../src/migrate/upgrade.ts";
import type { Entry } from "../../src/schema/record.ts";
import { type Acknowledged, type KillClient, ledgerLines } from "./clients.ts";

export type Damage = { lost: number; half: number; double: number; notes: string[] };

/** Verifies that the same request with the same key returns the same bytes, marked as replayed. */
export async function verifyResponses(url: string, clients: readonly KillClient[]): Promise<Damage> {
  const damage: Damage = { lost: 0, half: 0, double: 0, notes: [] };
  for (const client of clients) {
    for (const acknowledged of client.acknowledged) {
      const again = await resend(url, acknowledged);
      if (again === null) continue;
      damage.lost += 1;
      damage.notes.push(`${client.name} ${acknowledged.key}: ${again}`);
    }
    client.acknowledged = [];
  }
  return damage;
}

async function resend(url: string, acknowledged: Acknowledged): Promise<string | null> {
  const response = await fetch(`${url}${acknowledged.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": acknowledged.key },
    body: acknowledged.body,
  });
  const text = await response.text();
  if (response.headers.get("idempotency-replayed") !== "true")
    return `was executed again: ${response.status} ${text.slice(0, 200)}`;
  return text === acknowledged.response
    ? null
    : `has another response: ${text.slice(0, 200)} instead of ${acknowledged.response.slice(0, 200)}`;
}

type Row = { thread: string; version: number; turn: number; entry: string };

export function verifyDatabase(folder: string): Damage {
  const damage: Damage = { lost: 0, half: 0, double: 0, notes: [] };
  const db = new DatabaseSync(join(folder, "kill.db"), { readOnly: true });
  const [check] = db.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
  if (check?.integrity_check !== "ok") damage.notes.push(`integrity: ${check?.integrity_check}`);
  const rows = db.prepare("SELECT thread, version, turn, entry FROM records ORDER BY thread, version").all() as Row[];
  db.close();
  const intended = new Set<string>();
  const settled = new Map<string, boolean | null>();
  let before: Row | null = null;
  for (const row of rows) {
    const first = row.thread !== before?.thread;
    if (row.version !== (first ? 0 : (before?.version ?? 0) + 1))
      recordDamage(damage, "half", `${row.thread}: version ${row.version} after ${before?.version}`);
    if (!first && row.turn < (before?.turn ?? 0))
      recordDamage(damage, "half", `${row.thread}: turn fell to ${row.turn}`);
    const entry = upgradeEntry(row.entry);
    if (!entry.ok) recordDamage(damage, "half", `${row.thread}: ${entry.problem.message}`);
    else readReceipts(entry.value, intended, settled);
    before = row;
  }
  for (const id of intended)
    if (!settled.has(id)) recordDamage(damage, "half", `effect ${id} was intended but never settled`);
  verifyEffects(folder, damage, intended, settled);
  return damage;
}

function readReceipts(entry: Entry, intended: Set<string>, settled: Map<string, boolean | null>): void {
  for (const receipt of entry.receipts) {
    if (!receipt.effect_id) continue;
    if (receipt.kind === "intended") intended.add(receipt.effect_id);
    else settled.set(receipt.effect_id, receipt.success);
  }
}

function verifyEffects(
  folder: string,
  damage: Damage,
  intended: ReadonlySet<string>,
  settled: ReadonlyMap<string, boolean | null>,
): void {
  const seen = new Map<string, string[]>();
  for (const { effect, effect_id, n } of ledgerLines(folder)) {
    const runs = [...(seen.get(effect_id) ?? []), n];
    seen.set(effect_id, runs);
    if (!intended.has(effect_id)) recordDamage(damage, "double", `effect ${effect_id} happened without being intended`);
    // A keyed effect may be resent with its key, but an unkeyed one never.
    if (effect === "unkeyed" && runs.length > 1)
      recordDamage(damage, "double", `unkeyed effect ${effect_id} ran ${runs.length} times`);
    if (new Set(runs).size > 1) recordDamage(damage, "double", `effect ${effect_id} ran with other arguments`);
  }
  for (const [id, success] of settled) {
    if (success === true && !seen.has(id))
      recordDamage(damage, "lost", `effect ${id} is recorded as happened but did not happen`);
    if (success === false && seen.has(id))
      recordDamage(damage, "lost", `effect ${id} is recorded as not happened but did happen`);
  }
}

function recordDamage(damage: Damage, kind: "lost" | "half" | "double", text: string): void {
  damage[kind] += 1;
  damage.notes.push(text);
}

export const addDamage = (a: Damage, b: Damage): Damage => ({
  lost: a.lost + b.lost,
  half: a.half + b.half,
  double: a.double + b.double,
  notes: [...a.notes, ...b.notes],
});
