// Collects the output of a streaming handler: passes one piece at a time through the filter to the listeners and the capture.
import type { StreamHash } from "../ports/hash.ts";
import { type Capture, type CaptureResult, createCapture } from "./capture.ts";
import type { Chunk, ToolStream } from "./define-tool.ts";
import type { PieceFilter } from "./hooks.ts";

/** An update for listeners: output, or a stage that was reached. */
export type Piece = { readonly kind: "chunk" | "stage"; readonly stage: string | null; readonly text: string };

export type StreamCollector = {
  /** Resolves to the value that the handler returned. The handler is slowed down to the pace of its listeners. */
  readonly collect: (stream: ToolStream<unknown>) => Promise<unknown>;
  readonly hasStream: () => boolean;
  /** Passes on text that the filter has held back. Later output of the handler is dropped. */
  readonly close: () => Promise<void>;
  /** Returns the streamed text, followed by the final text. Call it once, after closing. */
  readonly textWith: (last: string | null) => { readonly text: string; readonly totals: StreamTotals | null };
};
type StreamTotals = Pick<CaptureResult, "size" | "sha256">;

export type CollectorPorts = {
  readonly hash: StreamHash;
  readonly filter: PieceFilter;
  readonly onPiece: (piece: Piece) => void | Promise<void>;
};

/** The maximum length of a piece. A larger one is sent in parts. */
const PIECE_CHARS = 16_384;
/** Matches half a character at the end of a piece. The other half comes with the next piece. */
const HALF = /[\ud800-\udbff]$/;

export function createStreamCollector({ hash, filter, onPiece }: CollectorPorts): StreamCollector {
  let capture: Capture | null = null;
  let closed = false;
  let pendingHalf = "";
  const pass = async (text: string): Promise<void> => {
    if (text === "") return;
    capture?.add(text);
    await onPiece({ kind: "chunk", stage: null, text });
  };
  const handleChunk = async (chunk: Chunk): Promise<void> => {
    if (typeof chunk !== "string") return onPiece({ kind: "stage", stage: chunk.stage, text: chunk.text ?? "" });
    for (let at = 0; at < chunk.length && !closed; at += PIECE_CHARS) {
      const text = pendingHalf + chunk.slice(at, at + PIECE_CHARS);
      pendingHalf = HALF.exec(text)?.[0] ?? "";
      await pass(filter.push(pendingHalf ? text.slice(0, -1) : text));
    }
  };
  return {
    async collect(stream) {
      capture = createCapture(hash);
      const steps = stream[Symbol.asyncIterator]();
      for (;;) {
        const step = await steps.next();
        if (step.done) return step.value;
        if (!closed) await handleChunk(step.value);
        // Lets the handler clean up.
        if (closed) return void (await steps.return?.(undefined));
      }
    },
    hasStream: () => capture !== null,
    async close() {
      closed = true;
      if (capture) await pass(filter.end());
    },
    textWith(last) {
      if (!capture) return { text: last ?? "", totals: null };
      if (last) capture.add(`\n${last}`);
      const { text, size, sha256 } = capture.result();
      return { text, totals: { size, sha256 } };
    },
  };
}
