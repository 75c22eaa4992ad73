// Starts the keeper of a command and the command with it, and reads the exit status of the command from the descriptor
// that they share with the server.
import { type ChildProcess, spawn } from "node:child_process";
import { readlinkSync } from "node:fs";
import { constants } from "node:os";
import { Duplex, Readable } from "node:stream";
import type { ProcessExit } from "../../ports/operations.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { type Keeper, LIFELINE_FD } from "./keeper.ts";
import type { Lifeline } from "./process-tree.ts";
import { systemCode } from "./system-problem.ts";

export type Launched = {
  readonly child: ChildProcess;
  readonly leader: number;
  readonly exited: Promise<ProcessExit>;
  readonly lifeline: Lifeline;
  /** True if the keeper adopted orphans and then ended by itself when none was left. */
  readonly adopted: () => Promise<boolean>;
};

export async function launch(
  keeper: Keeper,
  cwd: string,
  env: Record<string, string>,
  input: AsyncIterable<Uint8Array> | undefined,
): Promise<Result<Launched>> {
  const [program = "", ...args] = keeper.line;
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: [input ? "pipe" : "ignore", "pipe", "pipe", "pipe"],
    });
  } catch (error) {
    return unavailable(error);
  }
  const { lifeline, ended, adopts } = watchLifeline(child);
  const left = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(signal ? { kind: "killed", signal } : { kind: "exited", code: code ?? 0 });
    });
  });
  const failure = await new Promise<unknown>((resolve) => {
    child.once("spawn", () => resolve(null));
    child.once("error", resolve);
  });
  if (failure !== null) return unavailable(failure);
  // A kill that fails later also emits an error; the end of the process tree is checked separately.
  child.on("error", () => undefined);
  // A command may end before it has read everything.
  child.stdin?.on("error", () => undefined);
  if (input && child.stdin)
    Readable.from(input)
      .on("error", () => undefined)
      .pipe(child.stdin);
  if (child.pid === undefined) throw new Error("a started process has a pid");
  const adopted = async (): Promise<boolean> => {
    if (!adopts()) return false;
    const end = await left;
    return end.kind === "exited" && end.code === 0;
  };
  return ok({ child, leader: child.pid, exited: Promise.race([ended, left]), lifeline, adopted });
}

type WatchedLifeline = {
  readonly lifeline: Lifeline;
  /** Never resolves if the keeper became the command. */
  readonly ended: Promise<ProcessExit>;
  readonly adopts: () => boolean;
};

function watchLifeline(child: ChildProcess): WatchedLifeline {
  const stream = child.stdio[LIFELINE_FD];
  let isReleased = !(stream instanceof Duplex);
  let adopts = false;
  let target: string | null = null;
  const released = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"])
      stream?.on(event, () => {
        isReleased = true;
        resolve();
      });
  });
  const ended = new Promise<ProcessExit>((resolve) => {
    let text = "";
    stream?.on("data", (piece: Buffer) => {
      text += piece.toString("latin1");
      adopts ||= text.startsWith("adopts\n");
      const status = /^ended (\d+)\n/m.exec(text)?.[1];
      // Limits the text, because a command can write to this pipe too.
      text = text.slice(-TEXT_CHARS_MAX);
      if (status === undefined || !(stream instanceof Duplex)) return;
      resolve(exitOf(Number(status)));
      // The keeper waits for the end of this stream.
      stream.end();
    });
  });
  try {
    // The child's end of the pipe has a different inode from the server's end.
    target = readlinkSync(`/proc/${child.pid}/fd/${LIFELINE_FD}`);
  } catch {
    // The child could not be started, or there is no /proc.
  }
  if (stream instanceof Duplex) stream.write("\n");
  return { lifeline: { target, isReleased: () => isReleased, released }, ended, adopts: () => adopts };
}

const TEXT_CHARS_MAX = 100;

/** A status as returned by wait. */
function exitOf(status: number): ProcessExit {
  const number = status & 127;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (number === 0 || signal === undefined) return { kind: "exited", code: status >> 8 };
  return { kind: "killed", signal: signal as NodeJS.Signals };
}

function unavailable(error: unknown): Failed {
  const reason = systemCode(error);
  if (reason === null && !(error instanceof TypeError)) throw error;
  const what = reason ?? "the command contains a NUL character";
  return fail("process_unavailable", `The shell could not be started (${what}).`, { reason });
}
