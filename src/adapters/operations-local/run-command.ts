// Runs one shell command in its own process group with a time limit, and ends every process it started.
// Without a sandbox the command can do whatever the server's user can. The caller decides whether it may run.

import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  OutputChunk,
  ProcessCommand,
  ProcessExit,
  ProcessOperations,
  ProcessReport,
} from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { createCapture } from "./capture.ts";
import { commandEnvironment } from "./command-environment.ts";
import { closeFolder, folderAt, type Workspace, withLocation } from "./folders.ts";
import { keeperOf, LIFELINE_FD } from "./keeper.ts";
import { launch } from "./launch-command.ts";
import { MARKER_VARIABLE, type TreeEnd, watchProcessTree } from "./process-tree.ts";
import type { Sandbox } from "./sandbox/bubblewrap.ts";

export type ProcessOptions = {
  /** The time between SIGTERM and SIGKILL. Defaults to 2 seconds. */
  readonly graceMs?: number;
  /** Replaces the usual variables of `command-environment.ts`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Commands run with the server's privileges if this is omitted or null. */
  readonly sandbox?: Sandbox | null;
  /** Receives every command that is running or has left processes behind. */
  readonly running?: Map<number, string | null>;
};

/** Background processes get this long to exit after the shell has exited. */
const LEFTOVER_GRACE_MS = 200;
const DRAIN_MS = 2_000;
const NONE_LEFT: TreeEnd = { survivors: 0, unaccounted: 0 };

export function createLocalProcess(workspace: Workspace, options: ProcessOptions): ProcessOperations {
  const shell = existsSync("/bin/bash") ? "bash" : "sh";
  const env = options.env ?? commandEnvironment(process.env);
  const graceMs = options.graceMs ?? 2_000;
  return {
    shell,
    sandboxed: Boolean(options.sandbox),
    run: (command) =>
      withLocation(workspace, command.folder ?? ".", { makeFolders: false }, async (location) => {
        const folder = folderAt(workspace, location, command.folder ?? ".");
        if (!folder.ok) return folder;
        const leave = options.sandbox?.enter();
        try {
          // The child enters the folder through the open handle, so renaming the folder has no effect.
          return await runIn(folder.value.path, `/bin/${shell}`, env, graceMs, command, options);
        } finally {
          leave?.();
          if (folder.value !== location.folder) closeFolder(folder.value);
        }
      }),
  };
}

async function runIn(
  cwd: string,
  shell: string,
  env: Readonly<Record<string, string>>,
  graceMs: number,
  command: ProcessCommand,
  { sandbox = null, running }: ProcessOptions,
): Promise<Result<ProcessReport>> {
  const started = performance.now();
  const capture = createCapture();
  const report = (end: ProcessExit, left: TreeEnd): Result<ProcessReport> =>
    ok({ end, output: capture.result(), duration_ms: Math.round(performance.now() - started), ...left });
  if (command.signal?.aborted) return report({ kind: "aborted" }, NONE_LEFT);

  const marker = randomUUID();
  const real = realpathSync(cwd);
  const line = programLine(shellLine(shell, command.command), real, command.network ?? false, sandbox);
  if (!line.ok) return line;
  const keeper = keeperOf(line.value, sandbox !== null);
  const variables = { ...env, PWD: real, [MARKER_VARIABLE]: marker, ...keeper.env };
  const launched = await launch(keeper, cwd, variables, command.input);
  if (!launched.ok) return launched;
  const { child, leader, exited, lifeline, adopted } = launched.value;
  running?.set(leader, lifeline.target);
  const watch = watchProcessTree({ leader, marker, lifeline, ...(keeper.adopts ? { keeper: { adopted } } : {}) });

  const pump = pumpOutput(child, async (piece) => {
    capture.add(piece.bytes);
    await command.onOutput?.(piece);
  });
  let end: ProcessExit | null = null;
  let left = NONE_LEFT;
  try {
    end = await waitForEnd(command, exited, pump.failed);
  } finally {
    // The processes are also ended if the listener threw, because the command must not continue unobserved.
    const exitedByItself = end?.kind === "exited" || end?.kind === "killed";
    left = await watch.end(exitedByItself ? LEFTOVER_GRACE_MS : graceMs);
    // The sandbox's process namespace has ended, so no process that is still running belonged to it.
    if (sandbox !== null && left.survivors === 0) left = NONE_LEFT;
    if (left.survivors === 0) running?.delete(leader);
    await pump.finish(DRAIN_MS);
    child.stdio[LIFELINE_FD]?.destroy();
  }
  return report(end, left);
}

/** A pipe fails if any of its stages fails. By default, `test | head` would hide a failing test. */
const shellLine = (shell: string, command: string): readonly string[] =>
  shell.endsWith("/bash") ? [shell, "-o", "pipefail", "-c", command] : [shell, "-c", command];

function programLine(
  shell: readonly string[],
  cwd: string,
  network: boolean,
  sandbox: Sandbox | null,
): Result<readonly string[]> {
  if (sandbox === null) return ok(shell);
  const misplaced = sandbox.misplaced();
  if (misplaced === null) return ok([sandbox.program, ...sandbox.argumentsFor({ cwd, network }), ...shell]);
  return fail(
    "process_unavailable",
    `${misplaced} was moved, so the sandbox cannot hide it. Put it back and restart the server.`,
  );
}

async function waitForEnd(
  command: ProcessCommand,
  exited: Promise<ProcessExit>,
  failed: Promise<never>,
): Promise<ProcessExit> {
  const cleanup = new AbortController();
  const timeout = sleep(command.timeout_ms, { kind: "timeout" } as const, { signal: cleanup.signal });
  const aborted = new Promise<ProcessExit>((resolve) => {
    // The command may have been aborted while it was starting.
    if (command.signal?.aborted) resolve({ kind: "aborted" });
    const options = { signal: cleanup.signal, once: true };
    command.signal?.addEventListener("abort", () => resolve({ kind: "aborted" }), options);
  });
  try {
    return await Promise.race([exited, timeout, aborted, failed]);
  } finally {
    cleanup.abort();
    timeout.catch(() => undefined);
  }
}

type Pump = {
  /** Rejects with the receiver's error, and never resolves. */
  readonly failed: Promise<never>;
  /** Waits at most `ms` for the rest of the output, because another process may still hold the pipe open. */
  finish(ms: number): Promise<void>;
};

/** Forwards both output streams of a process to one receiver, with backpressure while the receiver is busy. */
function pumpOutput(child: ChildProcess, receive: (piece: OutputChunk) => Promise<void>): Pump {
  let reject: (reason: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, rejectFailed) => {
    reject = rejectFailed;
  });
  failed.catch(() => undefined);
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const done = Promise.all([
    forwardStream(child.stdout, "stdout", receive, reject),
    forwardStream(child.stderr, "stderr", receive, reject),
  ]);
  return {
    failed,
    async finish(ms) {
      const timer = new AbortController();
      const timedOut = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([done, timedOut]);
      timer.abort();
      for (const stream of streams) stream.destroy();
    },
  };
}

async function forwardStream(
  stream: Readable | null,
  name: OutputChunk["stream"],
  receive: (piece: OutputChunk) => Promise<void>,
  reject: (reason: unknown) => void,
): Promise<void> {
  if (!stream) return;
  const pieces = stream[Symbol.asyncIterator]();
  for (;;) {
    // A pipe that breaks because the process was killed counts as ended, not as failed.
    const next = await pieces.next().catch(() => ({ done: true, value: undefined }) as const);
    if (next.done) return;
    try {
      await receive({ stream: name, bytes: next.value as Uint8Array });
    } catch (error) {
      reject(error);
      return;
    }
  }
}
