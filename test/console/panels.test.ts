// Tests that the state diagram matches the state machine and that plots compute the right coordinates.
import { describe, expect, test } from "vitest";
import type { AnyStateNodeDefinition } from "xstate";
import { threadMachine } from "../../machines/thread.machine.ts";
import { BOXES, DIAGRAM_SIZE, EDGES } from "../../src/console/panels/machine-layout.ts";
import { stepStatus } from "../../src/console/panels/plan-panel.tsx";
import { highestOf, plotPoints, roundedMax } from "../../src/console/panels/plot.ts";
import { layoutGraph } from "../../src/console/workflow/graph-layout.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import { threadView } from "../../src/turn/view.ts";
import { aState, idOf, TIMESTAMP } from "../support/thread.ts";
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
  const step = (content: string, needs: "write" | "observation" | "none", open = false) => ({
    content,
    done_when: null,
    needs,
    ...(open ? { needs_open: true as const } : {}),
  });
  const looked = {
    step: 0,
    kind: "observation",
    receipt_id: idOf("rcp", 1),
    summary: "read",
    files: ["report.txt"],
  };
  const machine = { ...aState().machine, state: "rest", at: null, mode: "plan", outcome: "completed" };

  test.each([
    ["a look that it needs", step("Read report.txt", "observation"), {}, "done"],
    ["a look at another file than it names", step("Read notes.txt", "observation"), {}, "unproven"],
    ["a look, though its text orders a change", step("Write report.txt", "observation"), {}, "unproven"],
    ["a look, though its kind of proof is open", step("Write report.txt", "observation", true), {}, "unproven"],
    ["a look, though it needs a write", step("Write report.txt", "write"), {}, "unproven"],
    ["a look and a write that failed", step("Read report.txt", "observation"), { failed_writes: [0] }, "unproven"],
    ["nothing that it needs", step("Report", "none"), {}, "unproven"],
  ])("with %s is shown as the run counts it", (_what, one, state, status) => {
    const counted = aState({ machine, goal: "Bring the report up to date", plan: [one], proofs: [looked], ...state });
    expect(stepStatus(threadView(idOf("thr", 1) as ThreadId, 1, counted, TIMESTAMP), 0)).toBe(status);
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
