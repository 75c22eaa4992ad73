// Runs the real app in a separate process, as `npm start` does: starts it, sends it requests and kills it by pid.
import { type ChildProcess, spawn } from "node:child_process";
import { type Client, createClient } from "../../src/client/client.ts";
import { minimalEnvironment } from "./minimal-environment.ts";
import { bundledProgram, HOST_PROGRAM } from "./programs.ts";

export type AppProcess = {
  readonly url: string;
  readonly pid: number;
  readonly client: Client;
  /** Resolves with the signal or the exit code. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<string>;
  /** Kills the process immediately, whatever it is doing. */
  readonly kill: () => void;
  /** Returns all output so far. */
  readonly output: () => string;
};

const running = new Set<ChildProcess>();

/** Kills what a failed test left running. Call it at the end of a test file. */
export async function killApps(): Promise<void> {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(
    [...running].map((child) => child.exitCode ?? new Promise((resolve) => child.once("exit", resolve))),
  );
}

/** Starts the app. `folder` contains its configuration and data; `program` is a test program that prints its URL. */
export async function startApp(
  folder: string,
  env: Record<string, string> = {},
  program?: string,
): Promise<AppProcess> {
  const file = program === undefined ? HOST_PROGRAM : await bundledProgram(program);
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: minimalEnvironment({ PORT: "0", ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      running.delete(child);
      resolve(signal ?? String(code));
    });
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (text: Buffer) => {
      output += text.toString();
    });
  }
  const url = await waitForUrl(child, ended);
  const stop = async (): Promise<string> => {
    child.kill("SIGTERM");
    return ended;
  };
  const kill = (): void => void child.kill("SIGKILL");
  return { url, pid: child.pid ?? 0, client: createClient(url), ended, stop, kill, output: () => output };
}

async function waitForUrl(child: ChildProcess, ended: Promise<string>): Promise<string> {
  let output = "";
  const found = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text: Buffer) => {
        output += text.toString();
        const url = /Pawl listens on (\S+)/.exec(output)?.[1];
        if (url) resolve(url);
      });
    }
  });
  const endedEarly = ended.then((how) =>
    Promise.reject(new Error(`The app ended (${how}) before it listened:\n${output}`)),
  );
  // Handles the rejection, so that a later exit is not an unhandled rejection.
  endedEarly.catch(() => undefined);
  return Promise.race([found, endedEarly]);
}
