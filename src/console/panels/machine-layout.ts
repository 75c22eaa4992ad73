// Defines the layout of the state diagram. A test compares its states and edges with the state machine.
export type Box = {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly substates: readonly string[];
};

/** The left column is the normal path of a run. The states on the right wait for approval or follow a failure. */
export const BOXES: readonly Box[] = [
  { id: "plan", x: 20, y: 16, w: 150, h: 104, substates: ["thinking", "asking", "approving"] },
  { id: "execute", x: 20, y: 160, w: 150, h: 104, substates: ["deciding", "asking", "suspended"] },
  { id: "confirm", x: 216, y: 112, w: 150, h: 128, substates: ["waiting", "acting", "delegating", "doubting"] },
  { id: "deliver", x: 20, y: 280, w: 150, h: 36, substates: [] },
  { id: "rest", x: 20, y: 356, w: 150, h: 36, substates: [] },
  { id: "failed", x: 216, y: 280, w: 150, h: 36, substates: [] },
];

export type Edge = { readonly from: string; readonly to: string; readonly d: string };

export const EDGES: readonly Edge[] = [
  { from: "plan", to: "execute", d: "M80 120V158" },
  { from: "execute", to: "plan", d: "M110 160V122" },
  { from: "execute", to: "confirm", d: "M170 188H214" },
  { from: "confirm", to: "execute", d: "M216 212H172" },
  { from: "execute", to: "deliver", d: "M80 264V278" },
  { from: "deliver", to: "execute", d: "M110 280V266" },
  { from: "deliver", to: "rest", d: "M95 316V354" },
  { from: "plan", to: "failed", d: "M170 40H384V298H368" },
  { from: "execute", to: "failed", d: "M170 222H196V290H214" },
  { from: "failed", to: "execute", d: "M216 306H184V234H172" },
  { from: "failed", to: "plan", d: "M366 290H376V52H172" },
  { from: "failed", to: "rest", d: "M290 316V366H172" },
  { from: "confirm", to: "rest", d: "M340 240V262H392V382H172" },
  { from: "plan", to: "rest", d: "M20 60H8V368H18" },
  { from: "execute", to: "rest", d: "M20 200H8V368H18" },
  { from: "rest", to: "plan", d: "M20 380H2V36H18" },
  { from: "rest", to: "execute", d: "M20 380H2V180H18" },
];

export const DIAGRAM_SIZE = { width: 400, height: 404 };
