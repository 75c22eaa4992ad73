// Kill, restart, go on, examine: at a named point of the way, or at any instant under load.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAULT_POINTS, type FaultPoint } from "../../src/ports/faults.ts";
import { createPerson, type Person, sendNext } from "./people.ts";
import { startTarget, type TargetServer } from "./target-process.ts";
import { addDamage, type Damage, verifyDatabase, verifyResponses } from "./verify.ts";

export type KillRow = Damage & { readonly where: string; readonly kills: number; readonly answers: number };

const PEOPLE_COUNT = 3;
/** More passes than this without reaching the point means that nothing passes it. */
const STEPS_MAX = 120;
const WAIT_MS = 40;

/** As many kills at one point as asked for, all on one file. */
export const killAtPoint = (bundle: string, point: FaultPoint, kills: number, onKill?: OnKill): Promise<KillRow> =>
  killRepeatedly(bundle, point, kills, (n) => ({ fault: `${point}:${1 + (n % 4)}`, after_ms: null }), onKill);

/** At an instant nobody chose. */
export const killAtRandom = (bundle: string, kills: number, onKill?: OnKill): Promise<KillRow> =>
  killRepeatedly(bundle, "blind", kills, () => ({ fault: null, after_ms: Math.random() * 120 }), onKill);

/** Told after every kill how many there were. */
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
  const people = Array.from({ length: PEOPLE_COUNT }, (_, n) => createPerson(`p${n}`));
  let damage: Damage = { lost: 0, half: 0, double: 0, notes: [] };
  let answers = 0;
  let next: TargetServer | null = null;
  try {
    for (let n = 0; n < kills; n++) {
      const { fault, after_ms } = trigger(n);
      // The first is started to die; each of the others has gone on after the last kill and is told only now.
      const victim: TargetServer = next ?? (await startTarget(bundle, folder, fault));
      if (next && fault) await next.arm(fault);
      await workUntilKilled(victim, folder, people, { fault, after_ms });
      next = await startTarget(bundle, folder, null);
      await resumeClients(next, people, folder);
      answers += people.reduce((sum, person) => sum + person.acknowledged.length, 0);
      damage = addDamage(damage, await verifyResponses(next.url, people));
      onKill(n + 1);
    }
    if (next) await stopTarget(next);
    return { where, kills, answers, ...addDamage(damage, verifyDatabase(folder)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stopTarget(victim: TargetServer): Promise<void> {
  victim.kill();
  await victim.ended;
}

async function workUntilKilled(
  victim: TargetServer,
  folder: string,
  people: readonly Person[],
  trigger: KillTrigger,
): Promise<void> {
  const timer = trigger.after_ms === null ? null : setTimeout(victim.kill, trigger.after_ms);
  await Promise.all(people.map((person) => sendUntilKilled(victim, person, folder)));
  if (timer) clearTimeout(timer);
  if (!victim.isAlive()) return;
  await stopTarget(victim);
  throw new Error(`Nobody passed ${trigger.fault} in ${STEPS_MAX} requests.`);
}

async function sendUntilKilled(victim: TargetServer, person: Person, folder: string): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX && victim.isAlive(); steps++) {
    const status = await sendNext(victim.url, person, folder);
    if (status === "gone") return void (await victim.ended);
    if (status === "wait") await pause();
  }
}

/** Everybody gets the answer that is still owed, and then one more. */
async function resumeClients(victim: TargetServer, people: readonly Person[], folder: string): Promise<void> {
  for (const person of people) {
    for (let owed = person.pending || person.doubt ? 2 : 1; owed > 0; ) {
      const status = await sendNext(victim.url, person, folder);
      if (status === "gone") throw new Error("The victim died without being killed.");
      if (status === "wait") await pause();
      else owed = person.doubt ? 1 : owed - 1;
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
      "in all",
      total((r) => r.kills),
      total((r) => r.answers),
      total((r) => r.lost),
      total((r) => r.half),
      total((r) => r.double),
    ]),
  ].join("\n");
}
