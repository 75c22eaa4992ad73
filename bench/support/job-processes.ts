// Starts, measures and stops the worker processes of the jobs benchmark.
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const WORKER_SCRIPT = join(import.meta.dirname, "job-runtime.ts");

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a worker process, which begins working when it receives a message. */
export async function spawnWorkerProcess(folder: string, model_ms = 0): Promise<ChildProcess> {
  const child = fork(WORKER_SCRIPT, [folder, String(model_ms)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  await new Promise((resolve) => child.once("message", resolve));
  return child;
}

export const startWork = (child: ChildProcess): boolean => child.send("go");

export async function startProcess(folder: string): Promise<ChildProcess> {
  const child = await spawnWorkerProcess(folder);
  startWork(child);
  return child;
}

export const stopProcess = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });

export const residentMemory = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once("message", (rss) => resolve(Number(rss)));
    child.send("memory");
  });

/** Returns the CPU time in hundredths of a second as Linux reports it, or null on other systems. */
function cpuTicks({ pid }: ChildProcess): number | null {
  if (process.platform !== "linux") return null;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns the CPU use while idle, in percent of one core. */
export async function idleCpuPercent(child: ChildProcess, seconds: number): Promise<number | null> {
  const began = cpuTicks(child);
  await sleep(seconds * 1000);
  const ended = cpuTicks(child);
  return began === null || ended === null ? null : (ended - began) / seconds;
}
