// Kills, restarts, resumes and verifies a server: at a fault point, or at a random instant under load.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAULT_POINTS, type FaultPoint } from "../../src/ports/faults.ts";
import { createKillClient, type KillClient, sendNext } from "./clients.ts";
import { startTarget, type TargetServer } from "./target-process.ts";
import { addDamage, type Damage, verifyDatabase, verifyResponses } from "./verify.ts";

export type KillRow = Damage & { readonly where: string; readonly kills: number; readonly answers: number };

const CLIENT_COUNT = 3;
/** The number of requests after which the test assumes that none of them reaches the point. */
const STEPS_MAX = 120;
const WAIT_MS = 40;

/** Kills the server `kills` times at one point, all on one file. */
export const killAtPoint = (bundle: string, point: FaultPoint, kills: number, onKill?: OnKill): Promise<KillRow> =>
  killRepeatedly(bundle, point, kills, (n) => ({ fault: `${point}:${1 + (n % 4)}`, after_ms: null }), onKill);

/** Kills the server at random instants. */
export const killAtRandom = (bundle: string, kills: number, onKill?: OnKill): Promise<KillRow> =>
  killRepeatedly(bundle, "blind", kills, () => ({ fault: null, after_ms: Math.random() * 120 }), onKill);

/** Called after every kill with the number of kills so far. */
export type OnKill = (kills: number) => void;

export const POINTS = FAULT_POINTS;

type KillTrigger = { readonly fault: string | null; readonly after_ms: number | null };

async function killRepeatedly(
  bundle: string,
  where: string,
  kills: number,
  trigger: (n: number) => KillTrigger,
  onKill: OnKill = () => undefined,
): Promise<KillRow> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-kill-"));
  const clients = Array.from({ length: CLIENT_COUNT }, (_, n) => createKillClient(`p${n}`));
  let damage: Damage = { lost: 0, half: 0, double: 0, notes: [] };
  let answers = 0;
  let next: TargetServer | null = null;
  try {
    for (let n = 0; n < kills; n++) {
      const { fault, after_ms } = trigger(n);
      // The first server is started with its fault. Later ones have resumed after the last kill and get theirs only
      // now.
      const target: TargetServer = next ?? (await startTarget(bundle, folder, fault));
      if (next && fault) await next.arm(fault);
      await workUntilKilled(target, folder, clients, { fault, after_ms });
      next = await startTarget(bundle, folder, null);
      await resumeClients(next, clients, folder);
      answers += clients.reduce((sum, client) => sum + client.acknowledged.length, 0);
      damage = addDamage(damage, await verifyResponses(next.url, clients));
      onKill(n + 1);
    }
    if (next) await stopTarget(next);
    return { where, kills, answers, ...addDamage(damage, verifyDatabase(folder)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stopTarget(target: TargetServer): Promise<void> {
  target.kill();
  await target.ended;
}

async function workUntilKilled(
  target: TargetServer,
  folder: string,
  clients: readonly KillClient[],
  trigger: KillTrigger,
): Promise<void> {
  const timer = trigger.after_ms === null ? null : setTimeout(target.kill, trigger.after_ms);
  await Promise.all(clients.map((client) => sendUntilKilled(target, client, folder)));
  if (timer) clearTimeout(timer);
  if (!target.isAlive()) return;
  await stopTarget(target);
  throw new Error(`${trigger.fault} was not reached in ${STEPS_MAX} requests.`);
}

async function sendUntilKilled(target: TargetServer, client: KillClient, folder: string): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX && target.isAlive(); steps++) {
    const status = await sendNext(target.url, client, folder);
    if (status === "gone") return void (await target.ended);
    if (status === "wait") await pause();
  }
}

/** Gives every client the response that it is waiting for, and then one more. */
async function resumeClients(target: TargetServer, clients: readonly KillClient[], folder: string): Promise<void> {
  for (const client of clients) {
    for (let owed = client.pending || client.doubt ? 2 : 1; owed > 0; ) {
      const status = await sendNext(target.url, client, folder);
      if (status === "gone") throw new Error("The target server died without being killed.");
      if (status === "wait") await pause();
      else owed = client.doubt ? 1 : owed - 1;
    }
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, WAIT_MS));

export function killTable(rows: readonly KillRow[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(16) : String(cell).padStart(8))).join("");
  const total = (pick: (row: KillRow) => number): number => rows.reduce((sum, row) => sum + pick(row), 0);
  return [
    line(["killed at", "kills", "answers", "lost", "half", "double"]),
    ...rows.map((row) => line([row.where, row.kills, row.answers, row.lost, row.half, row.double])),
    line([
      "total",
      total((r) => r.kills),
      total((r) => r.answers),
      total((r) => r.lost),
      total((r) => r.half),
      total((r) => r.double),
    ]),
  ].join("\n");
}
