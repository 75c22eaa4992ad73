// Tests that a gate shows what the tool says the call would change. An approval is valid only while the tool still says
// so.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, problemCode, type TestThread, unwrap } from "../../support/runtime.ts";

/** Creates a tool that moves a counter. Its preview depends on the current value of the counter. */
function createCounter() {
  const counter = { at: 1, fails: false };
  const tool = defineTool(
    {
      name: "add",
      description: "Adds to the counter.",
      permission: "WRITE",
      effect: "keyed",
      input: z.object({ n: z.int() }),
      preview: ({ n }) => {
        if (counter.fails) throw new Error("no preview today");
        return `Change the counter from ${counter.at} to ${counter.at + n}.`;
      },
    },
    ({ n }) => {
      counter.at += n;
      return `It is ${counter.at}.`;
    },
  );
  return { counter, tool };
}

const gateOf = ({ gate }: { gate: unknown }) => gate as { id: string; digest: string; preview?: string; text: string };

async function start(counter = createCounter()) {
  const rt = createTestRuntime([callTool("add", { n: 2 })], [counter.tool]);
  const thread = await createTestThread(rt, { goal: "Count", mode: "direct" });
  const gate = gateOf(unwrap(await thread.turn()).outcome.thread);
  return { ...counter, thread, gate };
}

const approve = (
  thread: TestThread,
  { id, digest }: { id: string; digest: string },
  edited?: Record<string, unknown>,
) =>
  thread.turn({
    type: "confirm",
    gate_id: id as never,
    digest,
    decision: "approve",
    ...(edited ? { edited_arguments: edited } : {}),
  });

describe("the preview of a call", () => {
  test("is part of the gate", async () => {
    const { gate, thread, counter } = await start();
    expect(gate.preview).toBe("Change the counter from 1 to 3.");
    unwrap(await approve(thread, gate));
    expect(counter.at).toBe(3);
  });

  test("that changed meanwhile reopens the gate with the new one, as often as it changes", async () => {
    const { gate, thread, counter } = await start();
    counter.at = 10;
    const again = unwrap(await approve(thread, gate)).outcome;
    expect(again).toMatchObject({ kind: "waiting", next: "confirm" });
    const second = gateOf(again.thread);
    expect(second).toMatchObject({ preview: "Change the counter from 10 to 12." });
    expect(second.text).toContain("This changed since you were asked.");
    expect(second.digest).not.toBe(gate.digest);
    expect(counter.at).toBe(10);
    // The old approval is no longer valid.
    expect(problemCode(await approve(thread, gate))).not.toBe("ok");
    counter.at = 20;
    const third = gateOf(unwrap(await approve(thread, second)).outcome.thread);
    expect(third.preview).toBe("Change the counter from 20 to 22.");
    unwrap(await approve(thread, third));
    expect(counter.at).toBe(22);
  });

  test("of arguments that the person wrote is not compared with that of others", async () => {
    const { gate, thread, counter } = await start();
    counter.at = 10;
    unwrap(await approve(thread, gate, { n: 5 }));
    expect(counter.at).toBe(15);
  });

  test("that cannot be made leaves the gate as it is without one", async () => {
    const broken = createCounter();
    broken.counter.fails = true;
    const { gate, thread, counter } = await start(broken);
    expect(gate.preview).toBeUndefined();
    unwrap(await approve(thread, gate));
    expect(counter.at).toBe(3);
  });
});
