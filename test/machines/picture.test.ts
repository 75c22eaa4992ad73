import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SIGNAL_MEANINGS } from "../../machines/thread.signals.ts";
import { DIAGRAM_FILE, redraw } from "../../scripts/draw-machine.ts";
import { DECLARED_STATES } from "./situations.ts";

const readme = readFileSync(DIAGRAM_FILE, "utf8");

test("the picture in machines/README.md is that of the machine; npm run machine:draw draws it anew", () => {
  expect(redraw(readme)).toBe(readme);
});

test("the picture shows every state and every signal", () => {
  const picture = readme.match(/```mermaid\n([^`]+)```/)?.[1] ?? "";
  const missing = [...DECLARED_STATES.map((place) => place.replace(".", "_")), ...Object.keys(SIGNAL_MEANINGS)].filter(
    (name) => !picture.includes(name),
  );
  expect(missing).toEqual([]);
});

test("a file without the marks is refused instead of overwritten", () => {
  expect(() => redraw("# Something else\n")).toThrow("machines/README.md needs");
});
