// Checks whether a connection was opened by a command that this server started. On Linux, /proc shows which process
// owns the other end of a local socket. A process can hide a socket in the descriptor table of one thread, in a message
// that nobody has received, or behind missing permissions. Therefore, while commands may run, a socket without a known
// owner counts as theirs if it belongs to one of their users. A process that killed its keeper and left its group,
// session, parent, environment and descriptors is not recognized. Only the sandbox contains such a process.
import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { type ProcessRow, readDescriptors, readProcesses, readVariables, userOf } from "./process-table.ts";
import { MARKER_VARIABLE } from "./process-tree.ts";

export type Connection = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
};

/**
 * By process group: the target in /proc of the descriptor that all processes of the command inherit, if it is known.
 */
export type RunningCommands = ReadonlyMap<number, string | null>;

/** Also true if a local peer was gone before it could be identified: a command may send its request and exit. */
export async function comesFromCommand(connection: Connection, running: RunningCommands): Promise<boolean> {
  const { remoteAddress, localPort } = connection;
  if (process.platform !== "linux" || !isLocal(remoteAddress)) return false;
  if (localPort === undefined) return true;
  const before = await readTable();
  // Some containers show an incomplete table, in which no process can be identified.
  if (!before.some(({ local, state }) => local === localPort && state === LISTENING)) return false;
  const sockets = peerSockets(before, connection);
  if (await isOwnedByCommand(sockets, running)) return true;
  // If the socket is still open, it was open while all processes were checked, so no command owns it.
  const after = new Set(peerSockets(await readTable(), connection).map(({ inode }) => inode));
  return !sockets.some(({ inode }) => after.has(inode));
}

/** A missing address counts as local, because its connection was closed before the check. */
function isLocal(address: string | undefined): boolean {
  if (address === undefined) return true;
  // Link-local addresses end with the name of their interface.
  const plain = address.replace(/^::ffff:/, "").replace(/%.*$/, "");
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map((one) => one.address) ?? []);
  return plain.startsWith("127.") || plain === "::1" || own.includes(plain);
}

type Entry = {
  readonly local: number;
  readonly remote: number;
  readonly state: string;
  readonly user: number;
  readonly inode: string;
};
const LISTENING = "0A";
/** /proc shows this inode for sockets that no process owns any more. */
const NO_INODE = "0";

async function readTable(): Promise<readonly Entry[]> {
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => readText(`/proc/self/net/${name}`)));
  return tables
    .flatMap((table) => table.split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .map(([, local, remote, state = "", , , , user, , inode = NO_INODE]) => ({
      local: portOf(local),
      remote: portOf(remote),
      state,
      user: Number(user),
      inode,
    }));
}

const portOf = (address: string | undefined): number => Number.parseInt(address?.split(":")[1] ?? "", 16);

/** The other end's local port is the remote port of this connection. */
const peerSockets = (table: readonly Entry[], { remotePort, localPort }: Connection): readonly Entry[] =>
  table.filter(({ local, remote, inode }) => local === remotePort && remote === localPort && inode !== NO_INODE);

async function isOwnedByCommand(sockets: readonly Entry[], running: RunningCommands): Promise<boolean> {
  const rows = await readProcesses();
  const family = new Set([
    ...descendants(rows),
    ...rows.filter((row) => running.has(row.group) || running.has(row.session)),
  ]);
  const lifelines = new Set([...running.values()].filter((target) => target !== null));
  const names = new Set(sockets.map(({ inode }) => `socket:[${inode}]`));
  // Sockets that this server opened are not hidden.
  const held = new Set(await readDescriptors({ pid: process.pid, firstThreadEnded: false }));
  const found = await Promise.all(
    rows.map(async (row) => {
      const open = await readDescriptors(row);
      const own = open.filter((target) => names.has(target));
      for (const name of own) held.add(name);
      if (own.length === 0) return false;
      return family.has(row) || open.some((target) => lifelines.has(target)) || (await isMarked(row));
    }),
  );
  if (found.includes(true)) return true;
  const hidden = sockets.filter(({ inode }) => !held.has(`socket:[${inode}]`));
  if (hidden.length === 0 || (family.size === 0 && running.size === 0)) return false;
  const users = new Set([process.getuid?.(), ...(await Promise.all([...family].map(({ pid }) => userOf(pid))))]);
  return hidden.some(({ user }) => users.has(user));
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

/** The marker of this server does not count: a command that started this server passed it on to all its children. */
async function isMarked(row: ProcessRow): Promise<boolean> {
  const own = `${MARKER_VARIABLE}=${process.env[MARKER_VARIABLE]}`;
  return (await readVariables(row)).some((text) => text.startsWith(`${MARKER_VARIABLE}=`) && text !== own);
}

/** Empty for a missing table, because a system without IPv6 has no tcp6. */
const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
