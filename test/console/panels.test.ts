// The state diagram matches the state machine, and plots compute the right coordinates.
import { describe, expect, test } from "vitest";
import type { AnyStateNodeDefinition } from "xstate";
import { threadMachine } from "../../machines/thread.machine.ts";
import { BOXES, DIAGRAM_SIZE, EDGES } from "../../src/console/panels/machine-layout.ts";
import { highestOf, plotPoints, roundedMax } from "../../src/console/panels/plot.ts";
import { stepStatus } from "../../src/console/panels/step-status.ts";
import { layoutGraph } from "../../src/console/workflow/graph-layout.ts";
import { idOf } from "../support/thread.ts";
import { exampleWorkflow } from "../support/workflow.ts";

const root: AnyStateNodeDefinition = threadMachine.definition;
const topOf = (id: string): string => id.split(".")[1] ?? "";

function transitionsOf(node: AnyStateNodeDefinition): readonly string[] {
  const own = node.transitions.flatMap((transition) =>
    (transition.target ?? []).map((target) => `${topOf(node.id)}>${topOf(target.id)}`),
  );
  return [...own, ...Object.values(node.states).flatMap(transitionsOf)];
}

describe("state diagram", () => {
  test("has the states and substates of the machine", () => {
    const real = Object.values(root.states).map((state) => [state.key, Object.keys(state.states)]);
    expect(Object.fromEntries(BOXES.map((box) => [box.id, box.substates]))).toEqual(Object.fromEntries(real));
  });

  test("has exactly the transitions of the machine", () => {
    const real = new Set(transitionsOf(root).filter((edge) => edge.split(">")[0] !== edge.split(">")[1]));
    expect(EDGES.map((edge) => `${edge.from}>${edge.to}`).toSorted()).toEqual([...real].toSorted());
  });

  test("fits into its view box", () => {
    for (const { x, y, w, h } of BOXES) {
      expect(x >= 0 && y >= 0 && x + w <= DIAGRAM_SIZE.width && y + h <= DIAGRAM_SIZE.height).toBe(true);
    }
  });
});

describe("workflow graph", () => {
  const names = ["analyze-topic", "brainstorm", "debate", "solve-issue", "review-pr", "e2e-walkthrough"];
  test.each(names)("%s: every node and every edge is drawn once, within the picture", (name) => {
    const { graph } = exampleWorkflow(name);
    const { nodes, edges, width, height } = layoutGraph({ graph });
    expect(nodes.map((node) => node.name).toSorted()).toEqual([...Object.keys(graph), "$END"].toSorted());
    const drawn = edges.flatMap(({ from, to, statuses }) => statuses.map((status) => `${from}.${status}>${to}`));
    const real = Object.entries(graph).flatMap(([from, targets]) =>
      Object.entries(targets).map(([status, { role }]) => `${from}.${status}>${role}`),
    );
    expect(drawn.toSorted()).toEqual(real.toSorted());
    for (const { d } of edges)
      for (const [, axis, value] of d.matchAll(/([HV])([\d.]+)/g)) {
        expect(Number(value)).toBeGreaterThanOrEqual(0);
        expect(Number(value)).toBeLessThanOrEqual(axis === "H" ? width : height);
      }
  });
});

describe("a finished step", () => {
  const step = (needs: "write" | "observation" | "none", open = false) => ({
    content: "Write report.txt",
    done_when: null,
    needs,
    ...(open ? { needs_open: true as const } : {}),
  });
  const looked = { step: 0, kind: "observation" as const, receipt_id: idOf("rcp", 1) as never, summary: "3 entries" };
  const finished = { state: "rest" as const, outcome: "completed" as const, step: 0, proofs: [looked] };

  test.each([
    ["a look that it needs", step("observation"), "done"],
    ["a look, though its text orders a change", step("observation", true), "unproven"],
    ["a look, though it needs a write", step("write"), "unproven"],
    ["nothing that it needs", step("none"), "unproven"],
  ])("with %s", (_what, one, status) => {
    expect(stepStatus({ ...finished, plan: [one] }, 0)).toBe(status);
  });
});

describe("plot", () => {
  const frame = { width: 120, height: 60, pad: 10 };

  test("maps the first turn to the left edge, the last to the right, and the maximum to the top", () => {
    const points = plotPoints(
      [
        { turn: 4, value: 0 },
        { turn: 5, value: 50 },
        { turn: 6, value: 100 },
      ],
      frame,
    );
    expect(points.map(({ x, y }) => [x, y])).toEqual([
      [10, 50],
      [60, 30],
      [110, 10],
    ]);
  });

  test("a long thread is plotted by the highest value of each stretch and the last one", () => {
    const samples = Array.from({ length: 1000 }, (_, turn) => ({ turn, value: turn === 417 ? 900 : turn % 7 }));
    const plotted = highestOf(samples, 170);
    expect(plotted.length).toBeLessThanOrEqual(170);
    expect(plotted).toContainEqual({ turn: 417, value: 900 });
    expect(plotted.at(-1)).toEqual(samples.at(-1));
    expect(plotted).toEqual(plotted.toSorted((a, b) => a.turn - b.turn));
    expect(new Set(plotted).size).toBe(plotted.length);
    expect(highestOf(samples.slice(0, 170), 170)).toEqual(samples.slice(0, 170));
  });

  test("a single sample does not divide by zero", () => {
    expect(plotPoints([{ turn: 3, value: 7 }], frame)).toMatchObject([{ x: 10 }]);
    expect(plotPoints([], frame)).toEqual([]);
  });

  test.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [4686, 5000],
    [10_001, 20_000],
  ])("the scale for %i ends at %i", (value, top) => {
    expect(roundedMax(value)).toBe(top);
  });
});
