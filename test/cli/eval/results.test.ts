// Tests what list, report and diff print of the results file of evals.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { diffEvals, listEvals, reportEval } from "../../../src/cli/eval/eval.ts";
import { readRun } from "../../../src/cli/eval/eval-run.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-results-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const run = (id: string, style: number | null, overall: number) => ({
  id,
  task: "spelling",
  at: "2026-01-01T00:00:00.000Z",
  config: { agent: "default", model: "demo", version: "0.0.0" },
  thread: "thr_1",
  outcome: "completed",
  judges: [{ name: "style", weight: 1, score: style, data: null }],
  overall,
});

function write(...lines: readonly string[]) {
  const results = join(folder, "evals.jsonl");
  writeFileSync(results, lines.join("\n"));
  return { url: "http://127.0.0.1:1", results };
}

function capture() {
  const printed: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  return () => printed.join("");
}

test("a line that was not written to its end does not hide the other runs", async () => {
  const options = write(JSON.stringify(run("spelling-1", 1, 1)), "null", '{"id":"spelling-2","ta');
  const text = capture();
  expect(await listEvals(options)).toBe(0);
  expect(await reportEval("spelling", options)).toBe(0);
  expect(text()).toContain("spelling-1");
  expect(text()).toContain("line 2 is not a run, or its scores");
  expect(text()).toContain("line 3 is not a run, or its scores");
});

test.each([
  ["an overall score above 1", { overall: 7 }],
  ["an overall score that does not follow from the judges", { overall: 0.9 }],
  ["a score below 0", { judges: [{ name: "style", weight: 1, score: -3, data: null }], overall: 0 }],
  ["a negative weight", { judges: [{ name: "style", weight: -1, score: 0.5, data: null }], overall: 0.5 }],
])("a baseline with %s is not compared with", async (_what, change) => {
  const options = write(JSON.stringify({ ...run("a", 0.5, 0.5), ...change }), JSON.stringify(run("b", 0.5, 0.5)));
  const text = capture();
  expect(await diffEvals("a", "b", options)).toBe(1);
  expect(text()).toContain("line 1 is not a run, or its scores do not fit together");
  expect(text()).toContain("has no run named a.");
});

test("a stored run cannot control the terminal", async () => {
  const attack = "\u001b]0;x\u0007";
  const fields = { thread: attack, outcome: attack, at: attack };
  const options = write(JSON.stringify({ ...run("a", 1, 1), ...fields }));
  const text = capture();
  await reportEval("a", options);
  await listEvals(options);
  expect(text()).not.toContain("\u001b]");
});

test("a comparison charts each judge, marks one that failed, and fails if the second run is worse", async () => {
  const options = write(JSON.stringify(run("a", 1, 1)), JSON.stringify(run("b", null, 0)));
  const text = capture();
  expect(await diffEvals("a", "b", options)).toBe(1);
  expect(text()).toContain(`${"█".repeat(20)} 1.00 → ${"░".repeat(20)} failed  -1.00  style`);
  expect(await diffEvals("b", "a", options)).toBe(0);
  expect(await diffEvals("a", "nothing", options)).toBe(1);
  expect(text()).toContain("has no run named nothing.");
});

test.each(["examples/evals", "examples/evals/trial", "examples/evals/calendar"])(
  "%s has only readable runs",
  (path) => {
    const lines = readFileSync(new URL(`../../../${path}/baseline.jsonl`, import.meta.url), "utf8")
      .trim()
      .split("\n");
    for (const line of lines) expect(readRun(line)).not.toBeNull();
  },
);
