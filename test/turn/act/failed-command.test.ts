// Tests that a command with an exit code other than 0 proves what it found: an observation, never a write.
import { describe, expect, test } from "vitest";
import { ok } from "../../../src/schema/problem.ts";
import { bash } from "../../../src/toolkits/shell/bash.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { virtualOperations } from "../../support/run-builtin.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

const printed = (command: string): string =>
  command.includes("#sandbox") ? "bwrap: Can't mkdir /opt/x: Read-only file system\n" : "2 of 9 tests fail";

/** Creates a shell that exits with the code that the command names, otherwise with 1. */
const shell = bash((context) => ({
  ...virtualOperations(context),
  process: {
    shell: "bash",
    sandboxed: true,
    async run({ command, onOutput }) {
      await onOutput?.({ stream: "stdout", bytes: new TextEncoder().encode(printed(command)) });
      const output = { head: new Uint8Array(), tail: new Uint8Array(), omitted: 0, size: 0, sha256: "" };
      const code = Number(/#(\d+)/.exec(command)?.[1] ?? 1);
      return ok({ end: { kind: "exited", code }, output, duration_ms: 1, survivors: 0 });
    },
  },
}));

const run = (command: string, more: object = {}) => ({
  action: "continue",
  speak: "I run it.",
  tool_call: { name: "bash", arguments: { command } },
  ...more,
});
const plan = (...needs: readonly string[]) => ({
  action: "plan_done",
  plan_steps: needs.map((kind, i) => ({ content: `Step ${i + 1}`, needs: kind })),
});
const end = (action: "next_plan" | "done") => ({ action, goal_check: "Two tests fail." });

async function started(script: Parameters<typeof createTestRuntime>[0]) {
  const rt = createTestRuntime(script, [shell], { config: { ...DEFAULT_CONFIG, parts: ["process"] } });
  const thread = await createTestThread(rt, { goal: "Why do the tests fail?", plan_approval: "auto" });
  return { rt, thread, next: async () => unwrap(await thread.turn()) };
}

describe("a failing test run", () => {
  test("proves a step that needs an observation, and the result is reported as observed", async () => {
    const { next, rt } = await started([plan("observation"), run("node --test"), end("done"), "Two tests fail."]);
    await next();
    const ran = await next();
    expect(ran.outcome.turn?.receipts.at(-1)).toMatchObject({
      source: "tool_observation",
      success: false,
      observed: true,
    });
    await next();
    const { thread } = (await next()).outcome;
    expect(thread).toMatchObject({ outcome: "completed", evidence: "proven", evidence_kind: "observed" });
    const state = rt.model.requests[2]?.messages.at(-1)?.content ?? "";
    expect(state).toMatch(
      /- observation rcp_\w+ by bash, failed, its output counts as an observation that succeeded, turn 2/,
    );
    expect(state).not.toContain("A write of this step failed");
  });

  test("neither finishes its step by itself nor proves a step that needs a write", async () => {
    const finishing = await started([plan("observation"), run("node --test", { finishes_step: true })]);
    await finishing.next();
    expect((await finishing.next()).outcome.thread).toMatchObject({ state: "execute", step: 0 });

    const writing = await started([plan("write"), run("node --test"), end("done"), end("done"), end("done")]);
    await writing.next();
    await writing.next();
    expect((await writing.next()).outcome).toMatchObject({ kind: "failed", problem: { code: "decision_refused" } });
  });

  test.each(["mkdir build", "node --test #127", "node --test #sandbox"])(
    "%s proves nothing if it fails",
    async (command) => {
      const { next } = await started([plan("observation"), run(command)]);
      await next();
      expect((await next()).outcome.thread.proofs).toEqual([]);
    },
  );
});
