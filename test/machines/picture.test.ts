import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SIGNAL_MEANINGS } from "../../machines/thread.signals.ts";
import { DIAGRAM_FILE, redraw } from "../../scripts/draw-machine.ts";
import { DECLARED_STATES } from "./situations.ts";

const readme = readFileSync(DIAGRAM_FILE, "utf8");

test("the diagram in machines/README.md matches the machine; npm run machine:draw updates it", () => {
  expect(redraw(readme)).toBe(readme);
});

test("the diagram shows every state and every signal", () => {
  const picture = readme.match(/```mermaid\n([^`]+)```/)?.[1] ?? "";
  const missing = [...DECLARED_STATES.map((place) => place.replace(".", "_")), ...Object.keys(SIGNAL_MEANINGS)].filter(
    (name) => !picture.includes(name),
  );
  expect(missing).toEqual([]);
});

test("a file without the markers is refused instead of overwritten", () => {
  expect(() => redraw("# Something else\n")).toThrow("machines/README.md needs");
});
