// Runs eval tasks of workflows over HTTP. Suspended roles get the answers of the task, and the exit code tells whether
// the threshold is met.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { runEvals } from "../../../src/cli/eval/eval.ts";
import { readRun } from "../../../src/cli/eval/eval-run.ts";
import { startTestServer } from "../../support/server.ts";
import { ASKED, GOOD, PUBLISHED, visits, WRITTEN } from "../../support/workflow.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-eval-workflow-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const PAIR = readFileSync(new URL("../../fixtures/workflows/pair.yaml", import.meta.url), "utf8");

test.each([
  ["answers a suspended role and passes", "[For children.]", "{ status: end }", "completed", 0],
  ["stops at a suspended role and fails below its threshold", "[]", "{ status: end }", null, 1],
  ["may expect the suspension", "[]", "{ status: suspended }", null, 0],
])("a task %s", async (_what, answers, expected, outcome, code) => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const server = await startTestServer({ script: visits(ASKED, WRITTEN, GOOD, PUBLISHED) });
  const headers = { "content-type": "application/yaml" };
  await fetch(`${server.url}/v1/workflows`, { method: "POST", headers, body: PAIR });
  const path = join(folder, "task.yaml");
  const results = join(folder, `${code}-${outcome}.jsonl`);
  writeFileSync(
    path,
    `name: pair\nworkflow: pair\nprompt: Rain.\nanswers: ${answers}\nthreshold: 0.9
judges: [{ name: expected-state, weight: 1, builtin: true, expect: ${expected} }]`,
  );
  expect(await runEvals([path], { url: server.url, results })).toBe(code);
  expect(readRun(readFileSync(results, "utf8").trim().split("\n").at(-1) ?? "")).toMatchObject({
    task: "pair",
    outcome,
  });
  await server.stop();
  vi.restoreAllMocks();
});
