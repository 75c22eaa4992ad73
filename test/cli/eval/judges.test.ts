import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Evidence, judgeRun, overallScore } from "../../../src/cli/eval/judges.ts";
import { type EvalJudge, readTask } from "../../../src/cli/eval/task.ts";
import type { Client } from "../../../src/client/client.ts";
import { byteLength } from "../../../src/schema/byte-length.ts";
import { INPUT_BYTES_MAX } from "../../../src/schema/input.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-eval-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** Returns a run with only the fields that judges read. */
const run = (corrections: number): Evidence =>
  ({
    seconds: 2,
    thread: { id: "thr_1", outcome: "completed", budget: { used: { tokens: 7, usd: 0 } } },
    turns: [
      {
        model: "m",
        decision: { action: "done" },
        corrections: [],
        receipts: [{ kind: "settled", name: "look", success: true }],
      },
      {
        model: "m",
        decision: null,
        corrections: Array(corrections).fill({}),
        receipts: [{ kind: "settled", name: "write", success: false }],
      },
    ],
  }) as unknown as Evidence;

const builtin = (name: string, expect = {}) => ({ name, weight: 1, builtin: true, expect });
const scoreOf = (name: string, evidence: Evidence, expected = {}) => judge(builtin(name, expected), evidence);

/** Returns a server whose threads all end with this text. */
const answering = (text: string) =>
  ({
    create: async () => ({ ok: true, value: { thread: { id: "thr_2" } } }),
    advanceUntilPause: async () => ({ ok: true, value: { turn: { speak: text } } }),
  }) as unknown as Client;

const judge = async (entry: EvalJudge, evidence: Evidence, client = answering("")): Promise<number | null> =>
  (await judgeRun(entry, evidence, { client, taskPath: join(folder, "task.yaml"), task: "Spell." })).score;

describe("judges", () => {
  test("frontmatter-compliance falls when a deliverable had to be corrected", async () => {
    expect(await scoreOf("frontmatter-compliance", run(0))).toBe(1);
    expect(await scoreOf("frontmatter-compliance", run(1))).toBe(0);
  });

  test("evidence is the share of calls that succeeded, or of the steps of a plan that are proven", async () => {
    expect(await scoreOf("evidence", run(0))).toBe(0.5);
    const planned = run(0);
    const plan = [{ needs: "write" }, { needs: "observation" }, { needs: "none" }, { needs: "write" }];
    Object.assign(planned.thread, { plan, proofs: [{ step: 0 }] });
    expect(await scoreOf("evidence", planned)).toBe(0.5);
  });

  test("expected-state is the share of expectations that hold", async () => {
    expect(await scoreOf("expected-state", run(0), { outcome: "completed", receipts: ["look"] })).toBe(1);
    expect(await scoreOf("expected-state", run(0), { outcome: "aborted", receipts: ["look"] })).toBe(0.5);
  });

  test.each([
    [{ receipts: ["write"] }, "a call that failed"],
    [{ no_receipts: ["look"] }, "a call that was not wanted"],
    [{ says: ["Hello"] }, "an answer that lacks a string"],
    [{ corrections_max: 0 }, "a reply that was corrected"],
    [{ evidence: "proven" }, "missing evidence"],
  ])("expected-state with %j scores 0 for %s", async (expected, _reason) => {
    expect(await scoreOf("expected-state", run(1), expected)).toBe(0);
  });

  test("expected-state knows the status of a workflow", async () => {
    const suspended = run(0);
    Object.assign(suspended.thread, { outcome: null, workflow: { status: "suspended" } });
    expect(await scoreOf("expected-state", suspended, { status: "suspended" })).toBe(1);
    expect(await scoreOf("expected-state", suspended, { status: "end" })).toBe(0);
    expect(await scoreOf("expected-state", run(0), { status: "end" })).toBe(0);
  });

  test("data that does not match the schema of the task fails the judge", async () => {
    const entry = write("shape.js", 'console.log(JSON.stringify({ score: 1, data: { words: "two" } }))').slice(
      folder.length + 1,
    );
    const shaped = (type: string) => ({
      name: "shape",
      weight: 1,
      builtin: false,
      entry: `./${entry}`,
      data: { type: "object", properties: { words: { type } }, required: ["words"] },
    });
    expect(await judge(shaped("string"), run(0))).toBe(1);
    expect(await judge(shaped("number"), run(0))).toBeNull();
  });

  test("token-stats always scores 1", async () => {
    expect(await scoreOf("token-stats", run(0))).toBe(1);
  });

  test.each([
    ["a score in its last line", 'Well spelled.\n{"score": 0.75, "data": {"reason": "one mistake"}}', 0.75],
    ["a score above a note of the runtime", '{"score": 0.5}\n\nNote: nothing was recorded that proves this.', 0.5],
    ["no score", "It is good.", null],
    ["a score above 1", '{"score": 7}', null],
  ])("a model that answers with %s", async (_name, text, score) => {
    const entry = { name: "model", weight: 1, builtin: true, rubric: "Is it spelled well?" };
    expect(await judge(entry, run(0), answering(text))).toBe(score);
  });

  test("what a model is asked fits into a goal, with the whole rubric, however long the task and the result are", async () => {
    const entry = { name: "model", weight: 1, builtin: true, rubric: "Is it spelled well?" };
    const goals: string[] = [];
    const create = async ({ goal = "" }) => {
      goals.push(goal);
      return { ok: false, problem: {} };
    };
    const speak = "结果".repeat(20_000);
    const evidence = { ...run(0), turns: [{ ...run(0).turns[0], speak }] } as unknown as Evidence;
    await judgeRun(entry, evidence, {
      client: { create } as unknown as Client,
      taskPath: "",
      task: "任务".repeat(3_000),
    });
    expect(goals).toEqual([expect.stringContaining(`How to judge:\n${entry.rubric}`)]);
    expect(byteLength(goals[0] ?? "")).toBeGreaterThan(16_000);
    expect(byteLength(goals[0] ?? "")).toBeLessThanOrEqual(INPUT_BYTES_MAX);
  });

  test.each([
    ["a score", 'console.log("noise"); console.log(JSON.stringify({ score: 0.25 }))', 0.25],
    ["no JSON", 'console.log("fine")', null],
    ["a score above 1", "console.log(JSON.stringify({ score: 2 }))", null],
    ["an exit code", "console.log(JSON.stringify({ score: 1 })); process.exitCode = 3", null],
    ["nothing", "", null],
  ])("a program that prints %s", async (name, code, score) => {
    const entry = write(`${name.replaceAll(" ", "-")}.mjs`, code);
    expect(await judge({ name, weight: 1, builtin: false, entry }, run(0))).toBe(score);
  });

  test("a program may be any executable file, and a failure has a reason", async () => {
    const path = write("judge.sh", "#!/bin/sh\necho noise\necho '{\"score\": 0.5}'\n");
    const context = { client: answering(""), taskPath: join(folder, "task.yaml"), task: "Spell." };
    const program = { name: "shell", weight: 1, builtin: false, entry: path };
    const { data } = await judgeRun(program, run(0), context);
    expect(data).toMatchObject({ error: expect.stringContaining("EACCES") });
    chmodSync(join(folder, "judge.sh"), 0o755);
    expect(await judge(program, run(0))).toBe(0.5);
    const failing = { ...program, entry: write("fails.mjs", "process.exitCode = 3") };
    expect((await judgeRun(failing, run(0), context)).data).toMatchObject({
      error: "the program ended with exit code 3",
    });
  });

  test("the overall score is the weighted mean; a failed judge counts as 0, and no weight gives 0", () => {
    const verdict = (score: number | null, weight: number) => ({ name: "x", weight, score, data: null });
    expect(overallScore([verdict(1, 3), verdict(0, 1), verdict(0, 0)])).toBe(0.75);
    expect(overallScore([verdict(1, 1), verdict(null, 1)])).toBe(0.5);
    expect(overallScore([verdict(1, 0)])).toBe(0);
  });
});

describe("a task file", () => {
  test("has defaults for its limits", () => {
    const path = write("task.yaml", "name: a\nprompt: b\njudges: [{name: token-stats, builtin: true}]");
    expect(readTask(path)).toMatchObject({ limits: { max_steps: 20, timeout_minutes: 30 }, threshold: 0 });
  });

  test.each([
    ["no judge", "name: a\nprompt: b\njudges: []"],
    ["a judge without an entry", "name: a\nprompt: b\njudges: [{name: x}]"],
    ["a rubric for another judge", "name: a\nprompt: b\njudges: [{name: evidence, builtin: true, rubric: x}]"],
    ["an unknown field", "name: a\nprompt: b\nextra: 1\njudges: [{name: evidence, builtin: true}]"],
    ["an unknown judge", "name: a\nprompt: b\njudges: [{name: taste, builtin: true}]"],
    ["a program that is not there", "name: a\nprompt: b\njudges: [{name: x, entry: ./none.js}]"],
    ["a schema of no type", "name: a\nprompt: b\njudges: [{name: x, entry: ./bad.yaml, data: {type: taste}}]"],
  ])("with %s is refused", (_name, text) => {
    expect(() => readTask(write("bad.yaml", text))).toThrow("is not a valid task");
  });
});
