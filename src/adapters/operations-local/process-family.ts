// Everything a command started, found again and ended: by group, by session, by descent, and by a mark in the environment
// for those that went into the background on their own. On systems without /proc only the group is known.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "./system-problem.ts";

/** The environment variable that all descendants inherit, also those that leave the group. */
export const MARK_NAME = "PAWL_COMMAND_ID";

export type Family = { readonly leader: number; readonly mark: string };

/** Members seen before, by id and birth: one whose parent has died is still a member. */
type Known = Map<number, string>;

const POLL_FIRST_MS = 10;
const POLL_MAX_MS = 160;
const KILL_WAIT_MS = 3_000;
const READERS = 64;
/** Field 22 of /proc/N/stat, counted behind the name. */
const BORN_FIELD = 19;
const linux = process.platform === "linux";

/** SIGTERM, then SIGKILL for whoever is left after `graceMs`. Returns how many are still there in the end. */
export async function endFamily(family: Family, graceMs: number): Promise<number> {
  const known: Known = new Map();
  if ((await signalFamily(family, known, "SIGTERM")) === 0) return 0;
  if ((await untilGone(() => signalFamily(family, known, 0), graceMs)) === 0) return 0;
  // Again each time: a process may have been born between our look and our signal.
  return untilGone(() => signalFamily(family, known, "SIGKILL"), KILL_WAIT_MS);
}

async function untilGone(count: () => Promise<number>, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let left = await count();
  for (let pause = POLL_FIRST_MS; left > 0 && performance.now() < end; pause = Math.min(pause * 2, POLL_MAX_MS)) {
    await sleep(Math.min(pause, Math.max(1, end - performance.now())));
    left = await count();
  }
  return left;
}

/** Looks first: with the parents dead, those that left the group could not be found by descent any more. */
async function signalFamily(family: Family, known: Known, signal: "SIGTERM" | "SIGKILL" | 0): Promise<number> {
  const members = linux ? await findMembers(family, known) : [];
  // The group at once, so that none of it can fork in between; then the others one by one.
  const grouped = send(-family.leader, signal);
  for (const { pid, group } of members) if (group !== family.leader) send(pid, signal);
  return linux ? members.length : Number(grouped);
}

function send(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) === "ESRCH") return false;
    if (systemCode(error) === "EPERM") return true;
    throw error;
  }
}

type Row = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly born: string;
};

async function findMembers(family: Family, known: Known): Promise<Row[]> {
  const marked = `${MARK_NAME}=${family.mark}`;
  const members = new Map<number, Row>();
  const strangers: Row[] = [];
  for (const row of await readProcesses()) {
    const ours = row.group === family.leader || row.session === family.leader || known.get(row.pid) === row.born;
    if (ours) members.set(row.pid, row);
    else strangers.push(row);
  }
  await inBatches(strangers, async (row) => {
    if ((await readText(`/proc/${row.pid}/environ`)).split("\0").includes(marked)) members.set(row.pid, row);
  });
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const row of strangers) if (members.has(row.parent)) members.set(row.pid, row);
  }
  for (const { pid, born } of members.values()) known.set(pid, born);
  return [...members.values()];
}

async function readProcesses(): Promise<Row[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const rows: Row[] = [];
  await inBatches(pids, async (pid) => {
    const stat = await readText(`/proc/${pid}/stat`);
    // The name in parentheses may contain anything, so the fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent, group, session] = fields;
    if (state === "" || state === "Z" || state === "X" || pid === process.pid) return;
    const born = fields[BORN_FIELD] ?? "";
    rows.push({ pid, parent: Number(parent), group: Number(group), session: Number(session), born });
  });
  return rows;
}

async function inBatches<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < all.length; i += READERS) await Promise.all(all.slice(i, i + READERS).map(work));
}

/** A process that ended meanwhile, or belongs to somebody else, reads as nothing. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}
