// Did a command that we started open this connection? Linux tells which process holds the other end of a local socket.
// A process that left group, session, parent and environment behind is not recognised: only the sandbox holds that one.
import { readdir, readFile, readlink } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { MARKER_VARIABLE, type ProcessRow, readProcesses } from "./process-tree.ts";

export type Connection = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
};

/**
 * `leaders`: the process groups of commands that may still have processes. Also true for a local caller who is gone before
 * anybody could look: a command may send its request and end.
 */
export async function comesFromCommand(connection: Connection, leaders: ReadonlySet<number>): Promise<boolean> {
  const { remoteAddress, localPort } = connection;
  if (process.platform !== "linux" || !isLocal(remoteAddress)) return false;
  if (localPort === undefined) return true;
  const before = await readTable();
  // Some containers show an incomplete table. There nobody can be recognised.
  if (!before.some(({ local, state }) => local === localPort && state === LISTENING)) return false;
  const inodes = otherEnd(before, connection);
  if (await isHeldByCommand(inodes, leaders)) return true;
  // Still open after all processes were looked at: whoever holds it was there to be seen.
  const after = otherEnd(await readTable(), connection);
  return ![...inodes].some((inode) => after.has(inode));
}

/** A connection whose address is unknown was closed before anybody could look. */
function isLocal(address: string | undefined): boolean {
  if (address === undefined) return true;
  const plain = address.replace(/^::ffff:/, "");
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map((one) => one.address) ?? []);
  return plain.startsWith("127.") || plain === "::1" || own.includes(plain);
}

type Entry = { readonly local: number; readonly remote: number; readonly state: string; readonly inode: string };
const LISTENING = "0A";
/** Of sockets that no process holds any more. */
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

/** Its local port is our remote one. */
const otherEnd = (table: readonly Entry[], { remotePort, localPort }: Connection): ReadonlySet<string> =>
  new Set(
    table
      .filter(({ local, remote, inode }) => local === remotePort && remote === localPort && inode !== NO_INODE)
      .map(({ inode }) => inode),
  );

async function isHeldByCommand(inodes: ReadonlySet<string>, leaders: ReadonlySet<number>): Promise<boolean> {
  const rows = await readProcesses();
  const family = new Set([
    ...descendants(rows),
    ...rows.filter((row) => leaders.has(row.group) || leaders.has(row.session)),
  ]);
  const found = await Promise.all(
    rows.map(async (row) => (family.has(row) || (await isMarked(row.pid))) && holdsAny(row.pid, inodes)),
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

/** A server that was itself started by a command has a mark too; everybody beside it has the same. */
async function isMarked(pid: number): Promise<boolean> {
  const own = process.env[MARKER_VARIABLE];
  const variables = (await readText(`/proc/${pid}/environ`)).split("\0");
  return variables.some((text) => text.startsWith(`${MARKER_VARIABLE}=`) && text !== `${MARKER_VARIABLE}=${own}`);
}

async function holdsAny(pid: number, inodes: ReadonlySet<string>): Promise<boolean> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")));
  return targets.some((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ""));
}

/** A process that ended meanwhile, or belongs to somebody else, reads as nothing. */
const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
