import { describe, expect, test } from "vitest";
import type { Hook } from "../../../src/tools/hooks.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { createWriteTool } from "../../support/tools.ts";

const write = { action: "confirm", speak: "Writing.", tool_call: { name: "write", arguments: { line: "a" } } };
const shout: Hook = {
  name: "shout",
  hook_type: "PRE_TOOL_USE",
  handler: ({ arguments: args }) => ({ action: "MODIFY", arguments: { line: String(args.line).toUpperCase() } }),
};

async function parked(ledger: string[]) {
  const rt = createTestRuntime([write], [createWriteTool(ledger)], { hooks: [shout] });
  const thread = await createTestThread(rt, { goal: "Write it", mode: "direct" });
  const gate = unwrap(await thread.turn()).outcome.thread.gate;
  if (gate?.kind !== "confirmation") throw new Error("no gate");
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

describe("what a person approved is what runs", () => {
  test("the gate shows the arguments after the hooks, and those run", async () => {
    const ledger: string[] = [];
    const { gate, approve } = await parked(ledger);
    expect(gate.call.arguments).toEqual({ line: "A" });
    unwrap(await approve());
    expect(ledger.map((entry) => entry.split(":")[1])).toEqual(["A"]);
  });

  test("edited arguments that a hook would change are refused, with the changed arguments", async () => {
    const ledger: string[] = [];
    const { approve } = await parked(ledger);
    const answer = await approve({ line: "b" });
    expect(answer).toMatchObject({
      ok: false,
      problem: { code: "arguments_invalid", details: { arguments: { line: "B" } } },
    });
    expect(ledger).toEqual([]);
    expect(problemCode(await approve({ line: "B" }))).toBe("ok");
    expect(ledger.map((entry) => entry.split(":")[1])).toEqual(["B"]);
  });
});
