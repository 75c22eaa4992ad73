// Finds and ends everything a command started: by group, by session, by descent, and by a marker variable for processes
// that detached themselves. Systems without /proc know only the group.
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "./system-problem.ts";

/** The environment variable that all descendants inherit, even those that leave the group. */
export const MARKER_VARIABLE = "PAWL_COMMAND_ID";

export type ProcessTree = { readonly leader: number; readonly marker: string };

/** Members found so far, by pid and start time: one whose parent has exited is still a member. */
type KnownMembers = Map<number, string>;

const POLL_FIRST_MS = 10;
const POLL_MAX_MS = 160;
const KILL_WAIT_MS = 3_000;
const BATCH_SIZE = 64;
/** Field 22 of /proc/N/stat, counted from the end of the process name. */
const START_TIME_FIELD = 19;
const isLinux = process.platform === "linux";

/** Sends SIGTERM, then SIGKILL to what is left after `graceMs`. Returns how many processes survived. */
export async function endProcessTree(tree: ProcessTree, graceMs: number): Promise<number> {
  const known: KnownMembers = new Map();
  if ((await signalProcessTree(tree, known, "SIGTERM")) === 0) return 0;
  if ((await waitUntilGone(() => signalProcessTree(tree, known, 0), graceMs)) === 0) return 0;
  // Repeated, because a process may have started between the scan and the signal.
  return waitUntilGone(() => signalProcessTree(tree, known, "SIGKILL"), KILL_WAIT_MS);
}

async function waitUntilGone(count: () => Promise<number>, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let left = await count();
  for (let pause = POLL_FIRST_MS; left > 0 && performance.now() < end; pause = Math.min(pause * 2, POLL_MAX_MS)) {
    await sleep(Math.min(pause, Math.max(1, end - performance.now())));
    left = await count();
  }
  return left;
}

/** Scans first: once its parent is dead, a process that left the group cannot be found by descent. */
async function signalProcessTree(
  tree: ProcessTree,
  known: KnownMembers,
  signal: "SIGTERM" | "SIGKILL" | 0,
): Promise<number> {
  const members = isLinux ? await findMembers(tree, known) : [];
  // Signals the whole group at once, so that no member can fork in between; then the others one by one.
  const groupSignaled = send(-tree.leader, signal);
  for (const { pid, group } of members) if (group !== tree.leader) send(pid, signal);
  return isLinux ? members.length : Number(groupSignaled);
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

export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTime: string;
};

async function findMembers(tree: ProcessTree, known: KnownMembers): Promise<ProcessRow[]> {
  const marked = `${MARKER_VARIABLE}=${tree.marker}`;
  const members = new Map<number, ProcessRow>();
  const others: ProcessRow[] = [];
  for (const row of await readProcesses()) {
    const isMember = row.group === tree.leader || row.session === tree.leader || known.get(row.pid) === row.startTime;
    if (isMember) members.set(row.pid, row);
    else others.push(row);
  }
  await inBatches(others, async (row) => {
    if ((await readText(`/proc/${row.pid}/environ`)).split("\0").includes(marked)) members.set(row.pid, row);
  });
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const row of others) if (members.has(row.parent)) members.set(row.pid, row);
  }
  for (const { pid, startTime: born } of members.values()) known.set(pid, born);
  return [...members.values()];
}

export async function readProcesses(): Promise<ProcessRow[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const rows: ProcessRow[] = [];
  await inBatches(pids, async (pid) => {
    const stat = await readText(`/proc/${pid}/stat`);
    // The name in parentheses may contain any character, so fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent, group, session] = fields;
    if (state === "" || state === "Z" || state === "X" || pid === process.pid) return;
    const startTime = fields[START_TIME_FIELD] ?? "";
    rows.push({ pid, parent: Number(parent), group: Number(group), session: Number(session), startTime });
  });
  return rows;
}

async function inBatches<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < all.length; i += BATCH_SIZE) await Promise.all(all.slice(i, i + BATCH_SIZE).map(work));
}

/** A process that has exited, or belongs to another user, reads as empty. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}
