// Tests that an approval does not bypass the checks of a call, because hooks and rules may have changed while the gate
// was open.
import { describe, expect, test } from "vitest";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { fail, ok } from "../../../src/schema/problem.ts";
import { builtinTools } from "../../../src/toolkits/all.ts";
import type { Hook } from "../../../src/tools/hooks.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { callTool, plan } from "../../support/decisions.ts";
import { virtualOperations } from "../../support/run-builtin.ts";
import {
  attachTestThread,
  createTestRuntime,
  createTestThread,
  problemCode,
  type TestThread,
  unwrap,
} from "../../support/runtime.ts";
import { createWriteTool } from "../../support/tools.ts";

async function openGate(thread: TestThread) {
  const { gate } = unwrap(await thread.turn()).outcome.thread;
  if (!gate || !("digest" in gate)) throw new Error("no gate that can be approved");
  const approve = (edited_arguments?: Record<string, unknown>) =>
    thread.turn({
      type: "confirm",
      gate_id: gate.id,
      digest: gate.digest,
      decision: "approve",
      ...(edited_arguments ? { edited_arguments } : {}),
    });
  return { gate, approve };
}

describe("the hooks", () => {
  const calls: string[] = [];
  let refuses = false;
  const watch: Hook = {
    name: "watch",
    hook_type: "PRE_TOOL_USE",
    handler: ({ arguments: args }) => {
      calls.push(String(args.line));
      return refuses ? { action: "DENY", reason: "closed for today" } : { action: "ALLOW" };
    },
  };

  test("are asked when the call is proposed and again when it is approved", async () => {
    calls.length = 0;
    refuses = false;
    const ledger: string[] = [];
    const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool(ledger)], { hooks: [watch] });
    const { approve } = await openGate(await createTestThread(rt, { goal: "Write", mode: "direct" }));
    unwrap(await approve());
    expect(calls).toEqual(["a", "a"]);
  });

  test("can refuse a call that a person approves", async () => {
    refuses = false;
    const ledger: string[] = [];
    const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool(ledger)], { hooks: [watch] });
    const { approve } = await openGate(await createTestThread(rt, { goal: "Write", mode: "direct" }));
    refuses = true;
    expect(problemCode(await approve())).toBe("tool_denied");
    expect(ledger).toEqual([]);
  });
});

test("a tool that was switched off while the gate was open does not run", async () => {
  const ledger: string[] = [];
  const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool(ledger)]);
  const { approve } = await openGate(await createTestThread(rt, { goal: "Write", mode: "direct" }));
  const { settings, version } = unwrap(await rt.settings.load(LOCAL_TENANT));
  unwrap(await rt.settings.save(LOCAL_TENANT, { ...settings, tools: { write: false } }, version));
  expect(problemCode(await approve())).toBe("tool_disabled");
  expect(ledger).toEqual([]);
});

test("a call can still be rejected after its tool was removed", async () => {
  const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool([])]);
  const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
  const { gate } = await openGate(thread);
  const later = attachTestThread({ ...rt, toolbox: createToolbox([]) }, thread.at.thread);
  const rejected = unwrap(
    await later.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "reject" }),
  );
  expect(rejected.records.map(({ entry }) => entry.observation?.text)).toContain(
    "Rejected by the user. The call did not run.",
  );
});

test("a hook that changes every call changes nothing that was approved", async () => {
  const ledger: string[] = [];
  const more: Hook = {
    name: "more",
    hook_type: "PRE_TOOL_USE",
    handler: ({ arguments: args }) => ({ action: "MODIFY", arguments: { line: `${args.line}!` } }),
  };
  const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool(ledger)], { hooks: [more] });
  const { gate, approve } = await openGate(await createTestThread(rt, { goal: "Write", mode: "direct" }));
  expect(gate).toMatchObject({ call: { arguments: { line: "a!" } } });
  unwrap(await approve());
  expect(ledger.map((line) => line.split(":")[1])).toEqual(["a!"]);
});

test("a command on the block list does not run if a person writes it into the gate", async () => {
  const commands: string[] = [];
  const tools = builtinTools({
    fetcher: { fetch: async () => fail("tool_refused", "There is no network.") },
    operations: (context) => ({
      ...virtualOperations(context),
      process: {
        shell: "bash",
        run: async ({ command }) => {
          commands.push(command);
          const output = { head: new Uint8Array(), tail: new Uint8Array(), omitted: 0, size: 0, sha256: "" };
          return ok({ end: { kind: "exited", code: 0 }, output, duration_ms: 1, survivors: 0 });
        },
      },
    }),
  });
  const config = { ...DEFAULT_CONFIG, parts: ["process"] };
  const rt = createTestRuntime([callTool("bash", { command: "rm -r build" })], tools, { config });
  const { approve } = await openGate(await createTestThread(rt, { goal: "Clean up", mode: "direct" }));
  expect(problemCode(await approve({ command: "rm -rf /" }))).toBe("tool_denied");
  expect(commands).toEqual([]);
});

describe("an approved plan", () => {
  const proposed = {
    ...plan(),
    plan_steps: [
      { content: "Look", done_when: "it was seen", needs: "observation" },
      { content: "Write", needs: "write" },
      { content: "Wave", needs: "any" },
    ],
  };
  const steps = [
    { content: "Look", done_when: "it was seen", needs: "observation" },
    { content: "Write", done_when: null, needs: "write" },
    { content: "Wave", done_when: null, needs: "any", needs_open: true },
  ];

  test("is stored exactly as the gate showed it", async () => {
    const { gate, approve } = await openGate(await createTestThread(createTestRuntime([proposed]), { goal: "Go" }));
    expect(gate).toMatchObject({ kind: "plan", steps });
    const { records } = unwrap(await approve());
    expect(records[0]?.state).toMatchObject({ plan: steps, plan_approved: true });
  });

  test("that needed no approval is stored as proposed, and does not count as approved", async () => {
    const thread = await createTestThread(createTestRuntime([proposed]), { goal: "Go", plan_approval: "auto" });
    expect(unwrap(await thread.turn()).records[0]?.state).toMatchObject({ plan: steps, plan_approved: false });
  });

  test("still asks for the proof of each step", async () => {
    const unproven = { action: "next_plan", goal_check: "seen" };
    const rt = createTestRuntime([proposed, unproven, unproven, unproven]);
    const thread = await createTestThread(rt, { goal: "Go" });
    const { approve } = await openGate(thread);
    unwrap(await approve());
    expect(unwrap(await thread.turn()).outcome).toMatchObject({
      kind: "failed",
      problem: { code: "decision_refused" },
    });
  });
});
