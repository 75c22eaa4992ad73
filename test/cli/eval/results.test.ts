// The results file of evals: what list, report and diff print of it.
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
  expect(text()).toContain("line 2 is not a run and is left out.");
  expect(text()).toContain("line 3 is not a run and is left out.");
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
