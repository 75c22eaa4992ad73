// The drawn machine says the same as the real one; plots put numbers where they belong.
import { describe, expect, test } from "vitest";
import type { AnyStateNodeDefinition } from "xstate";
import { threadMachine } from "../../machines/thread.machine.ts";
import { BOXES, DIAGRAM_SIZE, EDGES } from "../../src/console/panels/machine-layout.ts";
import { plotPoints, roundedMax } from "../../src/console/panels/plot.ts";

const root: AnyStateNodeDefinition = threadMachine.definition;
const topOf = (id: string): string => id.split(".")[1] ?? "";

function waysBetween(node: AnyStateNodeDefinition): readonly string[] {
  const own = node.transitions.flatMap((transition) =>
    (transition.target ?? []).map((target) => `${topOf(node.id)}>${topOf(target.id)}`),
  );
  return [...own, ...Object.values(node.states).flatMap(waysBetween)];
}

describe("the picture of the machine", () => {
  test("has the states of the machine, with what is inside them", () => {
    const real = Object.values(root.states).map((state) => [state.key, Object.keys(state.states)]);
    expect(Object.fromEntries(BOXES.map((box) => [box.id, box.substates]))).toEqual(Object.fromEntries(real));
  });

  test("has a way wherever the machine has one, and no other", () => {
    const real = new Set(waysBetween(root).filter((way) => way.split(">")[0] !== way.split(">")[1]));
    expect(EDGES.map((way) => `${way.from}>${way.to}`).toSorted()).toEqual([...real].toSorted());
  });

  test("stays inside its frame", () => {
    for (const { x, y, w, h } of BOXES) {
      expect(x >= 0 && y >= 0 && x + w <= DIAGRAM_SIZE.width && y + h <= DIAGRAM_SIZE.height).toBe(true);
    }
  });
});

describe("a plot", () => {
  const frame = { width: 120, height: 60, pad: 10 };

  test("goes from the first turn at the left to the last at the right, the top of the scale above", () => {
    const drawn = plotPoints(
      [
        { turn: 4, value: 0 },
        { turn: 5, value: 50 },
        { turn: 6, value: 100 },
      ],
      frame,
    );
    expect(drawn.map(({ x, y }) => [x, y])).toEqual([
      [10, 50],
      [60, 30],
      [110, 10],
    ]);
  });

  test("one number alone is a point, not a division by nothing", () => {
    expect(plotPoints([{ turn: 3, value: 7 }], frame)).toMatchObject([{ x: 10 }]);
    expect(plotPoints([], frame)).toEqual([]);
  });

  test.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [4686, 5000],
    [10_001, 20_000],
  ])("the scale of %i goes up to %i", (value, top) => {
    expect(roundedMax(value)).toBe(top);
  });
});
