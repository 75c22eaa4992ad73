// Runs the eval tasks that show how well a model reads the prompts, over HTTP. The demo model must score as in the
// committed results.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluateTask } from "../../../src/cli/eval/eval.ts";
import type { EvalRun } from "../../../src/cli/eval/eval-run.ts";
import { readTask } from "../../../src/cli/eval/task.ts";
import { Config } from "../../../src/schema/config.ts";
import { type AppProcess, startApp } from "../../support/app-process.ts";
import { unwrap } from "../../support/runtime.ts";

const TASKS = join(import.meta.dirname, "../../../examples/evals/trial");
const folder = mkdtempSync(join(tmpdir(), "pawl-evals-"));
let app: AppProcess;
beforeAll(async () => {
  app = await startApp(folder);
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

const BASELINE = readFileSync(join(TASKS, "baseline.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as EvalRun);

describe("tasks for reading the prompts", () => {
  test.each(BASELINE)("$task scores $overall with the demo model", async ({ task, overall, outcome }) => {
    const path = join(TASKS, `${task}.yaml`);
    const run = unwrap(await evaluateTask(app.client, path, readTask(path)));
    expect(run).toMatchObject({ task, overall, outcome });
  });

  test("a gate without an answer ends the run there", async () => {
    const path = join(TASKS, "move-in-chinese.yaml");
    const { confirm: _, ...task } = readTask(path);
    const { outcome, judges } = unwrap(await evaluateTask(app.client, path, task));
    expect(outcome).toBeNull();
    expect(judges[0]?.data).toMatchObject({ checks: expect.arrayContaining([{ what: "receipt of move", ok: false }]) });
  });

  test("the one about code has an agent in its configuration, and its test fails as shipped", async () => {
    const config = Config.parse(JSON.parse(readFileSync(join(TASKS, "coder.config.json"), "utf8")));
    expect(Object.keys(config.agents)).toContain(readTask(join(TASKS, "failing-test.yaml")).agent);
    const { total } = (await import(join(TASKS, "workspace/total.js"))) as { total: (items: unknown[]) => number };
    expect(
      total([
        { cents: 250, count: 2 },
        { cents: 100, count: 1 },
      ]),
    ).not.toBe(600);
  });
});
