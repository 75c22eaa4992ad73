// Records the trace of a history: a short hash that is the same for equal histories, and lines on request.

export type TraceOptions = {
  readonly keepTrace?: boolean | undefined;
  /** False if nobody compares the hash, as in a run of many histories. */
  readonly hashTrace?: boolean | undefined;
};

export type Trace = {
  /** Adds a line. A long one can be a function, which is called only if the line is recorded. */
  readonly note: (line: string | (() => string)) => void;
  /** Empty if no hash was requested. */
  readonly hash: () => string;
  /** Empty unless lines were requested. */
  readonly lines: readonly string[];
};

export function createTrace({ keepTrace = false, hashTrace = true }: TraceOptions): Trace {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  const lines: string[] = [];
  return {
    note(noted) {
      if (!keepTrace && !hashTrace) return;
      const line = typeof noted === "string" ? noted : noted();
      for (let i = 0; i < line.length; i += 1) {
        high = Math.imul(high ^ line.charCodeAt(i), 0x01000193);
        low = Math.imul(low ^ line.charCodeAt(i), 0x85ebca6b);
      }
      high = Math.imul(high ^ 10, 0x01000193);
      if (keepTrace) lines.push(line);
    },
    hash: () => (hashTrace ? [high, low].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("") : ""),
    lines,
  };
}
