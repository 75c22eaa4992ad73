// Records the progress of one running call: numbers each update, sends it to subscribers, logs it and counts it for the record.
import { isoTime } from "../../ports/clock.ts";
import type { OperationId } from "../../schema/ids.ts";
import type { ProgressLine } from "../../schema/progress-line.ts";
import type { CallProgress } from "../../schema/record.ts";
import type { Piece } from "../../tools/stream-collector.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";

const STAGES_KEPT_EACH_END = 8;
const STAGE_CHARS = 80;
/** Size limit of the log of one call, so that a tool that never stops reporting cannot fill the disk. */
const LOG_CHARS_MAX = 134_217_728;

export type ProgressRecorder = {
  readonly id: OperationId;
  readonly report: (piece: Piece) => Promise<void>;
  /** Publishes the end if the call reported progress or streams. Later updates are ignored. */
  readonly end: (streaming: boolean) => Promise<CallProgress>;
};

export function recordProgress(
  rt: Runtime,
  request: Pick<TurnRequest, "at" | "emit">,
  turn: number,
  name: string,
): ProgressRecorder {
  const id = rt.ids.make("opr") as OperationId;
  const started = rt.clock.now();
  const stages: CallProgress["stages"] = [];
  let chunks = 0;
  let n = 0;
  let ended = false;
  let log = rt.operation_log ?? null;
  let loggedChars = 0;
  const publish = async (kind: ProgressLine["kind"], stage: string | null, text: string): Promise<void> => {
    const line = { n: n++, at: isoTime(rt.clock.now()), kind, stage, text };
    loggedChars += text.length;
    // A log that is full or not writable must not stop the tool. Readers notice the gap because the end marker is missing.
    const written = loggedChars > LOG_CHARS_MAX ? null : await log?.append(request.at, id, line);
    if (!written?.ok) log = null;
    await request.emit({ type: "tool.progress", thread: request.at.thread, turn, name, operation_id: id, ...line });
  };
  return {
    id,
    async report({ kind, stage, text }) {
      if (ended) return;
      const label = stage === null ? null : truncateChars(stage, STAGE_CHARS).toWellFormed();
      if (kind === "chunk") chunks += 1;
      if (label !== null) stages.push({ n, stage: label, ms: Math.max(0, rt.clock.now() - started) });
      if (stages.length > 2 * STAGES_KEPT_EACH_END) stages.splice(STAGES_KEPT_EACH_END, 1);
      await publish(kind, label, text);
    },
    async end(streaming) {
      ended = true;
      if (n > 0 || streaming) await publish("done", null, "");
      return { id, chunks, stages, ms: Math.max(0, rt.clock.now() - started) };
    },
  };
}
