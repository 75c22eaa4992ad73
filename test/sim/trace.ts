// Records the trace of a history: a short hash that is the same for equal histories, and lines on request.

export type Trace = {
  readonly note: (line: string) => void;
  readonly hash: () => string;
  /** Empty unless lines were requested. */
  readonly lines: readonly string[];
};

export function createTrace(keep: boolean): Trace {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  const lines: string[] = [];
  return {
    note(line) {
      for (let i = 0; i < line.length; i += 1) {
        high = Math.imul(high ^ line.charCodeAt(i), 0x01000193);
        low = Math.imul(low ^ line.charCodeAt(i), 0x85ebca6b);
      }
      high = Math.imul(high ^ 10, 0x01000193);
      if (keep) lines.push(line);
    },
    hash: () => [high, low].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join(""),
    lines,
  };
}
