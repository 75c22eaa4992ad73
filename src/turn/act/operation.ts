// One call on its way: what it tells is numbered, sent to listeners, written to the log, and counted for the record.
import { isoTime } from "../../ports/clock.ts";
import type { OperationId } from "../../schema/ids.ts";
import type { OperationLine } from "../../schema/operation-line.ts";
import type { Operation } from "../../schema/record.ts";
import { cutStart } from "../../tools/cut-text.ts";
import type { Piece } from "../../tools/stream-ear.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";

/** Of the stages this many of the first and of the last are remembered. */
const STAGES_KEPT = 8;
const STAGE_CHARS = 80;
/** A tool that never stops talking must not fill the disk. */
const LOG_CHARS = 134_217_728;

export type OperationRecorder = {
  readonly id: OperationId;
  readonly tell: (piece: Piece) => Promise<void>;
  /** Says that it is over, if it told anything or streams; afterwards nothing more is heard. */
  readonly end: (streaming: boolean) => Promise<Operation>;
};

export function recordOperation(
  rt: Runtime,
  request: Pick<TurnRequest, "at" | "emit">,
  turn: number,
  name: string,
): OperationRecorder {
  const id = rt.ids.make("opr") as OperationId;
  const started = rt.clock.now();
  const stages: Operation["stages"] = [];
  let chunks = 0;
  let n = 0;
  let over = false;
  let log = rt.operation_log ?? null;
  let logged = 0;
  const publish = async (kind: OperationLine["kind"], stage: string | null, text: string): Promise<void> => {
    const line = { n: n++, at: isoTime(rt.clock.now()), kind, stage, text };
    logged += text.length;
    // A log that is full or cannot be written must not stop a tool. What is missing is seen by the missing end.
    const written = logged > LOG_CHARS ? null : await log?.append(request.at, id, line);
    if (!written?.ok) log = null;
    await request.emit({ type: "tool.progress", thread: request.at.thread, turn, name, operation_id: id, ...line });
  };
  return {
    id,
    async tell({ kind, stage, text }) {
      if (over) return;
      const label = stage === null ? null : cutStart(stage, STAGE_CHARS).toWellFormed();
      if (kind === "chunk") chunks += 1;
      if (label !== null) stages.push({ n, stage: label, ms: Math.max(0, rt.clock.now() - started) });
      if (stages.length > 2 * STAGES_KEPT) stages.splice(STAGES_KEPT, 1);
      await publish(kind, label, text);
    },
    async end(streaming) {
      over = true;
      if (n > 0 || streaming) await publish("done", null, "");
      return { id, chunks, stages, ms: Math.max(0, rt.clock.now() - started) };
    },
  };
}
