// Finds and ends everything that a command started. Processes are found by group, session, descent, a marker variable
// and an inherited descriptor. A keeper adopts orphans, which makes descent complete. Without a keeper, a process that
// removes all these traces between two checks cannot be distinguished from an unrelated one. Such processes are counted
// but not ended. On systems without /proc, only the group is known, and whether any process still has the descriptor
// open.
import { uptime } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import {
  inBatches,
  type ProcessRow,
  readDescriptors,
  readProcess,
  readProcesses,
  readVariables,
  userOf,
} from "./process-table.ts";
import { systemCode } from "./system-problem.ts";

/** The environment variable that all descendants inherit, even those that leave the group. */
export const MARKER_VARIABLE = "PAWL_COMMAND_ID";

/** A descriptor that all descendants inherit, even those that clear their environment. */
export type Lifeline = {
  /** The target of the descriptor in /proc, or null if it could not be read. */
  readonly target: string | null;
  /** True once no process has the descriptor open. */
  readonly isReleased: () => boolean;
  readonly released: Promise<void>;
};

export type ProcessTree = {
  readonly leader: number;
  readonly marker: string;
  readonly lifeline: Lifeline | null;
  /** Omitted if the leader is the command itself. */
  readonly keeper?: TreeKeeper;
};

/** A leader that only starts the command and exits on its own after the command. */
export type TreeKeeper = {
  /** True if all orphans of the command became children of the leader until it ended. */
  readonly adopted: () => Promise<boolean>;
};

export type TreeEnd = {
  /** Processes of the command that are still running. */
  readonly survivors: number;
  /** Processes that started in the meantime, lost their parent, and may or may not belong to the command. */
  readonly unaccounted: number;
};

export type TreeWatch = {
  /** Sends SIGTERM, and sends SIGKILL to the remaining processes after `graceMs`. */
  readonly end: (graceMs: number) => Promise<TreeEnd>;
};

/** The start times of the members found so far, by pid. A process whose parent has exited is still a member. */
type KnownMembers = Map<number, string>;

const POLL_FIRST_MS = 10;
const POLL_MAX_MS = 160;
const KILL_WAIT_MS = 3_000;
/** Short, because detaching usually happens at the start of a command. */
const WATCH_FIRST_MS = 20;
const WATCH_MAX_MS = 500;
const isLinux = process.platform === "linux";
/** /proc gives start times in this unit. */
const TICKS_PER_SECOND = 100;
/** An upper bound for the time to launch a command and start to watch it. */
const LAUNCH_SECONDS = 0.1;

/** Records the descendants of a command while it runs, so that they are still found after they detach. */
export function watchProcessTree(tree: ProcessTree): TreeWatch {
  const known: KnownMembers = new Map();
  const stopped = new AbortController();
  // Used as the start time of a command that ends before its own start time is read.
  const latestStart = Math.floor((uptime() - LAUNCH_SECONDS) * TICKS_PER_SECOND);
  const leader = isLinux ? readProcess(tree.leader) : Promise.resolve(null);
  const watching = isLinux ? watch(tree, known, stopped.signal) : Promise.resolve();
  const end = async (graceMs: number): Promise<TreeEnd> => {
    stopped.abort();
    await watching;
    const survivors = await endTree(tree, known, graceMs);
    const since = Number((await leader)?.startTime ?? latestStart);
    const complete = !isLinux || (survivors === 0 && Boolean(await tree.keeper?.adopted()));
    return { survivors, unaccounted: complete ? 0 : await countUnaccounted(known, since) };
  };
  return { end };
}

async function watch(tree: ProcessTree, known: KnownMembers, signal: AbortSignal): Promise<void> {
  for (let pause = WATCH_FIRST_MS; !signal.aborted; pause = Math.min(pause * 2, WATCH_MAX_MS)) {
    await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) addRelatives(tree, known, await readProcesses());
  }
}

/** A process that still has the descriptor open belongs to the command, even if it cannot be found. */
async function endTree(tree: ProcessTree, known: KnownMembers, graceMs: number): Promise<number> {
  const deadline = performance.now() + KILL_WAIT_MS;
  let left = await endMembers(tree, known, graceMs);
  while (left === 0 && tree.lifeline && !(await isReleasedSoon(tree.lifeline))) {
    if (performance.now() > deadline) {
      // A command can suspend its keeper, which then never exits on its own.
      if (tree.keeper) send(tree.leader, "SIGKILL");
      return Number(!(await isReleasedSoon(tree.lifeline)));
    }
    // A process that forks constantly can escape a single scan of the table, so the table is scanned several times.
    left = await waitUntilGone(() => signalProcessTree(tree, known, "SIGKILL"), KILL_WAIT_MS);
  }
  return left;
}

async function endMembers(tree: ProcessTree, known: KnownMembers, graceMs: number): Promise<number> {
  if ((await signalProcessTree(tree, known, "SIGTERM")) === 0) return 0;
  if ((await waitUntilGone(() => signalProcessTree(tree, known, 0), graceMs)) === 0) return 0;
  // Repeats the scan, because a process may have started between the scan and the signal.
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

/** The event loop reports the release of the descriptor a moment after the last process has ended. */
async function isReleasedSoon({ isReleased, released }: Lifeline): Promise<boolean> {
  const enough = new AbortController();
  await Promise.race([released, sleep(POLL_MAX_MS, undefined, { signal: enough.signal }).catch(() => undefined)]);
  enough.abort();
  return isReleased();
}

/** Scans first: a process that left the group cannot be found by descent once its parent is dead. */
async function signalProcessTree(
  tree: ProcessTree,
  known: KnownMembers,
  signal: "SIGTERM" | "SIGKILL" | 0,
): Promise<number> {
  if (!isLinux) return Number(send(-tree.leader, signal));
  const members = await findMembers(tree, known);
  // Signals whole groups first, so that no member can fork in between, and then the others one by one.
  const groups = ownGroups(tree, members);
  for (const group of groups) send(-group, signal);
  for (const { pid, group } of members) if (!groups.has(group)) send(pid, signal);
  return members.length;
}

/** A group that contains other processes is not signalled as a whole. */
function ownGroups({ leader, keeper }: ProcessTree, members: readonly ProcessRow[]): ReadonlySet<number> {
  const pids = new Set(members.map(({ pid }) => pid));
  const own = members.filter(({ group, session }) => session === leader || pids.has(group)).map(({ group }) => group);
  const groups = new Set(own);
  // The keeper must outlive the command.
  if (keeper) groups.delete(leader);
  return groups;
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

async function findMembers(tree: ProcessTree, known: KnownMembers): Promise<readonly ProcessRow[]> {
  const rows = await readProcesses();
  addRelatives(tree, known, rows);
  const marked = `${MARKER_VARIABLE}=${tree.marker}`;
  const { lifeline } = tree;
  const target = lifeline && !lifeline.isReleased() ? lifeline.target : null;
  const others = rows.filter((row) => !isKnown(known, row));
  await inBatches(others, async (row) => {
    const isMember =
      (await readVariables(row)).includes(marked) || (target !== null && (await readDescriptors(row)).includes(target));
    if (isMember) known.set(row.pid, row.startTime);
  });
  addRelatives(tree, known, rows);
  return rows.filter((row) => isKnown(known, row) && !(tree.keeper && row.pid === tree.leader));
}

const isKnown = (known: KnownMembers, { pid, startTime }: ProcessRow): boolean => known.get(pid) === startTime;

function addRelatives({ leader }: ProcessTree, known: KnownMembers, rows: readonly ProcessRow[]): void {
  const add = ({ pid, startTime }: ProcessRow): void => void known.set(pid, startTime);
  for (const row of rows) if (row.group === leader || row.session === leader) add(row);
  const members = new Set(rows.filter((row) => isKnown(known, row)).map(({ pid }) => pid));
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const row of rows) {
      if (members.has(row.pid) || !members.has(row.parent)) continue;
      members.add(row.pid);
      add(row);
    }
  }
}

/**
 * Processes of this user that started after the command, lost their parent and have their own session. The adopter of
 * an orphan is an ancestor of its former parent, so only the children of this server's ancestors are checked.
 */
async function countUnaccounted(known: KnownMembers, since: number): Promise<number> {
  const rows = await readProcesses();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const ancestors = new Map<number, ProcessRow | null>([[1, byPid.get(1) ?? null]]);
  for (let pid = process.ppid; pid > 1 && !ancestors.has(pid); pid = byPid.get(pid)?.parent ?? 0)
    ancestors.set(pid, byPid.get(pid) ?? null);
  const own = await readProcess(process.pid);
  const sessions = new Set([own?.session, ...[...ancestors.values()].map((row) => row?.session)]);
  const orphans = rows.filter(
    (row) =>
      Number(row.startTime) >= since && ancestors.has(row.parent) && !sessions.has(row.session) && !isKnown(known, row),
  );
  const users = await Promise.all(orphans.map(({ pid }) => userOf(pid)));
  return users.filter((user) => user === process.getuid?.()).length;
}
