// Tells whether a command that we started opened a connection. On Linux, /proc shows which process owns the other end of a
// local socket. A process that killed its keeper and gave up its group, session, parent, environment and descriptors is not
// recognized: only the sandbox contains it.
import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { type ProcessRow, readDescriptors, readProcesses } from "./process-table.ts";
import { MARKER_VARIABLE } from "./process-tree.ts";

export type Connection = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
};

/** By process group: the descriptor that all processes of a command inherit, as /proc shows it; null if it is not known. */
export type RunningCommands = ReadonlyMap<number, string | null>;

/**
 * `running`: the commands that may still have processes. Also true for a local peer that was gone
 * before it could be identified: a command may send its request and exit.
 */
export async function comesFromCommand(connection: Connection, running: RunningCommands): Promise<boolean> {
  const { remoteAddress, localPort } = connection;
  if (process.platform !== "linux" || !isLocal(remoteAddress)) return false;
  if (localPort === undefined) return true;
  const before = await readTable();
  // Some containers show an incomplete table, in which no process can be identified.
  if (!before.some(({ local, state }) => local === localPort && state === LISTENING)) return false;
  const inodes = otherEnd(before, connection);
  if (await isHeldByCommand(inodes, running)) return true;
  // Still open after all processes were checked, so its owner was among them.
  const after = otherEnd(await readTable(), connection);
  return ![...inodes].some((inode) => after.has(inode));
}

/** A connection without an address was closed before it could be checked. */
function isLocal(address: string | undefined): boolean {
  if (address === undefined) return true;
  const plain = address.replace(/^::ffff:/, "");
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map((one) => one.address) ?? []);
  return plain.startsWith("127.") || plain === "::1" || own.includes(plain);
}

type Entry = { readonly local: number; readonly remote: number; readonly state: string; readonly inode: string };
const LISTENING = "0A";
/** The inode of sockets that no process owns any more. */
const NO_INODE = "0";

async function readTable(): Promise<readonly Entry[]> {
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => readText(`/proc/self/net/${name}`)));
  return tables
    .flatMap((table) => table.split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .map(([, local, remote, state = "", , , , , , inode = NO_INODE]) => ({
      local: portOf(local),
      remote: portOf(remote),
      state,
      inode,
    }));
}

const portOf = (address: string | undefined): number => Number.parseInt(address?.split(":")[1] ?? "", 16);

/** The other end's local port is our remote port. */
const otherEnd = (table: readonly Entry[], { remotePort, localPort }: Connection): ReadonlySet<string> =>
  new Set(
    table
      .filter(({ local, remote, inode }) => local === remotePort && remote === localPort && inode !== NO_INODE)
      .map(({ inode }) => inode),
  );

async function isHeldByCommand(inodes: ReadonlySet<string>, running: RunningCommands): Promise<boolean> {
  const rows = await readProcesses();
  const family = new Set([
    ...descendants(rows),
    ...rows.filter((row) => running.has(row.group) || running.has(row.session)),
  ]);
  const lifelines = new Set([...running.values()].filter((target) => target !== null));
  const found = await Promise.all(
    rows.map(async (row) => {
      const open = await readDescriptors(row.pid);
      if (!open.some((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ""))) return false;
      return family.has(row) || open.some((target) => lifelines.has(target)) || (await isMarked(row.pid));
    }),
  );
  return found.includes(true);
}

function descendants(rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const family = new Set([process.pid]);
  const found: ProcessRow[] = [];
  for (let before = -1; before !== found.length; ) {
    before = found.length;
    for (const row of rows) {
      if (family.has(row.pid) || !family.has(row.parent)) continue;
      family.add(row.pid);
      found.push(row);
    }
  }
  return found;
}

/** A server that was started by a command has a marker itself, and so do its other children. */
async function isMarked(pid: number): Promise<boolean> {
  const own = process.env[MARKER_VARIABLE];
  const variables = (await readText(`/proc/${pid}/environ`)).split("\0");
  return variables.some((text) => text.startsWith(`${MARKER_VARIABLE}=`) && text !== `${MARKER_VARIABLE}=${own}`);
}

/** A process that has exited, or belongs to another user, reads as empty. */
const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
