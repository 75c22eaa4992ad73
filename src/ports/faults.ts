// Named points in a turn where a test can inject a fault. In production they do nothing.
export const FAULT_POINTS = [
  "load.before",
  "load.after",
  "settings.after",
  "model.before",
  "model.after",
  "hooks.after",
  "blob.before",
  "blob.after",
  "intend.before",
  "intend.after",
  "tool.before",
  "tool.after",
  "settle.before",
  "settle.after",
  "commit.before",
  "commit.after",
  "respond.before",
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

export interface Faults {
  at(point: FaultPoint): void | Promise<void>;
}

export const noFaults: Faults = { at: () => undefined };
