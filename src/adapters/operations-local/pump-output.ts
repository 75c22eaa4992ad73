// Forwards both output streams of a process to one receiver, with backpressure while the receiver is busy.
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { OutputChunk } from "../../ports/operations.ts";

export type Pump = {
  /** Rejects with the receiver's error, and never resolves. */
  readonly failed: Promise<never>;
  /** Waits at most `ms` for the rest of the output, because another process may still hold the pipe open. */
  finish(ms: number): Promise<void>;
};

export function pumpOutput(child: ChildProcess, receive: (piece: OutputChunk) => Promise<void>): Pump {
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
