// Runs the CLI as users and scripts do: as a process, or behind a pseudo-terminal that receives input.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { minimalEnvironment } from "../support/minimal-environment.ts";
import { CLI_PROGRAM } from "../support/programs.ts";

const SCRIPT = "/usr/bin/script";
/**
 * The time limit for output. It is generous because a busy machine is slow to start two processes, but it still detects
 * a hang.
 */
const TIMEOUT_MS = 60_000;

export type CliResult = { readonly code: number | null; readonly out: string; readonly err: string };
type CliOptions = { readonly cwd: string; readonly env?: Record<string, string>; readonly input?: string };

const running = new Set<ChildProcess>();
export function killTerminals(): void {
  for (const child of running) child.kill("SIGKILL");
}

function track(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Runs the CLI to its end with pipes, like a script. */
export function runCli(args: readonly string[], { cwd, env, input = "" }: CliOptions): Promise<CliResult> {
  const child = track(spawn(process.execPath, [CLI_PROGRAM, ...args], { cwd, env: minimalEnvironment(env) }));
  let [out, err] = ["", ""];
  child.stdout?.on("data", (data: Buffer) => {
    out += data.toString();
  });
  child.stderr?.on("data", (data: Buffer) => {
    err += data.toString();
  });
  child.stdin?.end(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out, err })));
}

export function hasPseudoTerminal(): boolean {
  if (process.platform === "linux" && existsSync(SCRIPT)) return true;
  console.log("The pseudo-terminal tests are skipped: script(1) of util-linux is not installed.");
  return false;
}

export type InteractiveSession = {
  /** Waits until text that matches appears on the screen after the previous match. */
  readonly waitFor: (what: RegExp) => Promise<string>;
  readonly write: (text: string) => void;
  readonly ended: Promise<number | null>;
  readonly screen: () => string;
};

/** Runs the CLI behind a pseudo-terminal, like an interactive user. */
export function startInteractive(args: readonly string[], { cwd, env }: CliOptions): InteractiveSession {
  const command = [process.execPath, CLI_PROGRAM, ...args]
    .map((part) => `'${part.replaceAll("'", "'\\''")}'`)
    .join(" ");
  const child = track(
    spawn(SCRIPT, ["-qec", command, "/dev/null"], {
      cwd,
      env: minimalEnvironment({ TERM: "xterm", SHELL: "/bin/sh", ...env }),
    }),
  );
  let screen = "";
  let seen = 0;
  let hasEnded = false;
  child.stdout?.on("data", (data: Buffer) => {
    screen += data.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  void ended.then(() => {
    hasEnded = true;
  });
  const sees = async (what: RegExp): Promise<string> => {
    for (let waited = 0; waited < TIMEOUT_MS; waited += 50) {
      const match = what.exec(screen.slice(seen));
      if (match) {
        seen += match.index + match[0].length;
        return match[0];
      }
      if (hasEnded) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${what} is not on the screen:\n${screen.slice(seen)}`);
  };
  return { waitFor: sees, write: (text) => void child.stdin?.write(text), ended, screen: () => screen };
}
