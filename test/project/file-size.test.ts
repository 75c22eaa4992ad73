// Limits files to 250 lines, because turn loops and state readers tend to grow to thousands of lines in small steps.
import { expect, test } from "vitest";
import { readSource, sourceFiles } from "../../scripts/read-source.ts";

const LINES_MAX = 250;
const FOLDERS = ["machines", "src", "scripts"];

/** Reports whether a file states the reason for its length in the first lines, as "size: <reason>". */
const namesItsReason = (text: string): boolean => /^\/\/.*\bsize: \S/m.test(text.split("\n", 5).join("\n"));

const isTooLong = (text: string): boolean => text.trimEnd().split("\n").length > LINES_MAX && !namesItsReason(text);

test("every source file has at most 250 lines, or states a reason", () => {
  const long = FOLDERS.flatMap(sourceFiles).filter((path) => isTooLong(readSource(path)));
  expect(long).toEqual([]);
});

test("251 lines are too many, 250 are not, and a reason in the first lines permits more", () => {
  const lines = (n: number): string => "x\n".repeat(n);
  expect(isTooLong(lines(250))).toBe(false);
  expect(isTooLong(lines(251))).toBe(true);
  expect(isTooLong(`// One table.\n// size: one row per case\n${lines(251)}`)).toBe(false);
  expect(isTooLong(`${lines(251)}// size: too late to say\n`)).toBe(true);
});
