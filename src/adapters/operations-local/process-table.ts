// Reads the processes of this machine from /proc. On systems other than Linux the table is empty.
import { readdir, readFile, readlink, stat } from "node:fs/promises";

export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The start time in clock ticks since boot. Pid and start time together identify a process. */
  readonly startTime: string;
  /** Only other threads of the process still run, and only they show its variables and descriptors. */
  readonly firstThreadEnded: boolean;
};

const BATCH_SIZE = 64;
/** Indexes of fields in /proc/N/stat, counted from the end of the process name. */
const START_TIME_FIELD = 19;
const THREADS_FIELD = 17;

/** Omits this process. */
export async function readProcesses(): Promise<ProcessRow[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const rows: ProcessRow[] = [];
  await inBatches(pids, async (pid) => {
    if (pid === process.pid) return;
    const row = await readProcess(pid);
    if (row) rows.push(row);
  });
  return rows;
}

/** Null if the process has exited. */
export async function readProcess(pid: number): Promise<ProcessRow | null> {
  const text = await readText(`/proc/${pid}/stat`);
  // The name in parentheses may contain any character, so fields are counted from its end.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent, group, session] = fields;
  // A process is shown as a zombie when its first thread has ended, but its other threads may still run.
  const firstThreadEnded = state === "Z" && Number(fields[THREADS_FIELD]) > 1;
  if (state === "" || (state === "Z" && !firstThreadEnded) || state === "X") return null;
  const startTime = fields[START_TIME_FIELD] ?? "";
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startTime, firstThreadEnded };
}

type Shown = Pick<ProcessRow, "pid" | "firstThreadEnded">;

export async function readVariables(row: Shown): Promise<readonly string[]> {
  const texts = await Promise.all((await foldersOf(row)).map((folder) => readText(`${folder}/environ`)));
  return texts.join("\0").split("\0");
}

/** Returns targets such as `socket:[4711]`. */
export async function readDescriptors(row: Shown): Promise<readonly string[]> {
  const targets = await Promise.all((await foldersOf(row)).map((folder) => readLinks(`${folder}/fd`)));
  return targets.flat();
}

async function foldersOf({ pid, firstThreadEnded }: Shown): Promise<readonly string[]> {
  if (!firstThreadEnded) return [`/proc/${pid}`];
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  return threads.map((thread) => `/proc/${pid}/task/${thread}`);
}

async function readLinks(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
}

/** Null if the process has exited. */
export const userOf = (pid: number): Promise<number | null> =>
  stat(`/proc/${pid}`).then(
    ({ uid }) => uid,
    () => null,
  );

export async function inBatches<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < all.length; i += BATCH_SIZE) await Promise.all(all.slice(i, i + BATCH_SIZE).map(work));
}

/** Empty for a process that has exited or belongs to another user. */
const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
