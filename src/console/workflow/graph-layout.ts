// Places the nodes and edges of a workflow graph in one column, in the order in which roles are reached from the start.
// Edges to the next node are straight. Others run on the right if they skip nodes, and on the left if they go back.
import type { Workflow } from "../../workflow/definition.ts";

const START = "$START";
export const END = "$END";

export type GraphNode = { readonly name: string; readonly y: number };
export type GraphEdge = {
  readonly from: string;
  readonly to: string;
  readonly statuses: readonly string[];
  readonly d: string;
  readonly label: { readonly x: number; readonly y: number; readonly anchor: "start" | "end" };
};
export type GraphLayout = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
};

export const NODE = { x: 112, width: 176, height: 36 } as const;
const WIDTH = 400;
const TOP = 12;
const ROW = 68;
const LANE = 11;

type Graph = Pick<Workflow, "graph">;

export function layoutGraph({ graph }: Graph): GraphLayout {
  const names = reachedInOrder(graph);
  const rowOf = (name: string): number => names.indexOf(name);
  const nodes = names.map((name, row) => ({ name, y: TOP + row * ROW }));
  const lanes = { left: 0, right: 0 };
  const edges = names.flatMap((from) =>
    targetsOf(graph, from).map(({ to, statuses }): GraphEdge => {
      const [start, end] = [rowOf(from), rowOf(to)];
      if (end === start + 1) return { from, to, statuses, ...straight(start) };
      const side = end > start ? "right" : "left";
      const lane = lanes[side]++;
      return { from, to, statuses, ...around(side, lane, start, end) };
    }),
  );
  return { nodes, edges, width: WIDTH, height: TOP * 2 + (names.length - 1) * ROW + NODE.height };
}

function reachedInOrder(graph: Graph["graph"]): readonly string[] {
  const reached = new Set<string>([START]);
  for (const node of reached)
    for (const { role } of Object.values(graph[node] ?? {})) if (role !== END) reached.add(role);
  return [...reached, END];
}

/** Returns the targets of a node. Statuses with the same target share one edge. */
function targetsOf(
  graph: Graph["graph"],
  from: string,
): readonly { readonly to: string; readonly statuses: string[] }[] {
  const targets = new Map<string, string[]>();
  for (const [status, { role }] of Object.entries(graph[from] ?? {}))
    targets.set(role, [...(targets.get(role) ?? []), status]);
  return [...targets].map(([to, statuses]) => ({ to, statuses }));
}

const middle = NODE.x + NODE.width / 2;

function straight(row: number): Pick<GraphEdge, "d" | "label"> {
  const y = TOP + row * ROW + NODE.height;
  return { d: `M${middle} ${y}V${y + ROW - NODE.height - 2}`, label: { x: middle + 8, y: y + 20, anchor: "start" } };
}

function around(side: "left" | "right", lane: number, start: number, end: number): Pick<GraphEdge, "d" | "label"> {
  const sign = side === "left" ? -1 : 1;
  const edge = side === "left" ? NODE.x : NODE.x + NODE.width;
  // Distributes the edges over 8 lanes and 3 vertical offsets, so that few of them cover each other.
  const x = edge + sign * (14 + (lane % 8) * LANE);
  const offset = 9 + (lane % 3) * 8;
  const [from, to] = [TOP + start * ROW + offset, TOP + end * ROW + offset + (start === end ? 12 : 0)];
  const d = `M${edge} ${from}H${x}V${to}H${edge + sign * 2}`;
  return { d, label: { x: x + sign * 3, y: (from + to) / 2 + lane * 3, anchor: side === "left" ? "end" : "start" } };
}
