// Tests what happens to a call whose process stopped before it stored the result.
import { expect, test } from "vitest";
import { z } from "zod";
import type { Faults } from "../../../src/ports/faults.ts";
import { defineTool, type Tool } from "../../../src/tools/define-tool.ts";
import { TRIES_MAX } from "../../../src/turn/effects/doubt.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

const STOPPED = "the process stopped";

/** Creates a tool that counts its calls and knows afterwards whether it was called. */
function aSender(effect: "keyed" | "unkeyed", reconciles: boolean) {
  const calls: string[] = [];
  const tool: Tool = defineTool(
    {
      name: "send",
      description: "Sends.",
      permission: "WRITE",
      effect,
      requires_confirmation: false,
      input: z.object({ to: z.string() }),
      output: z.string(),
      ...(reconciles ? { reconcile: async () => ({ happened: calls.length > 0, output: "sent before" }) } : {}),
    },
    ({ to }, { idempotency_key }) => {
      calls.push(idempotency_key ?? "");
      return `sent to ${to}`;
    },
  );
  return { tool, calls };
}

async function stopAfterCall(tool: Tool) {
  let stops = true;
  const faults: Faults = {
    at: async (point) => {
      if (stops && point === "settle.before") throw new Error(STOPPED);
    },
  };
  const rt = createTestRuntime([callTool("send", { to: "Ann" })], [tool], { faults });
  const thread = await createTestThread(rt, { goal: "Send it", mode: "direct" });
  await expect(thread.turn()).rejects.toThrow(STOPPED);
  const later = () => {
    rt.clock.advance(600_000);
    return thread.turn();
  };
  const recover = (): void => {
    stops = false;
  };
  return { later, recover };
}

test("a tool that says it happened settles the call without another one", async () => {
  const { tool, calls } = aSender("keyed", true);
  const { later, recover } = await stopAfterCall(tool);
  recover();
  const { records } = unwrap(await later());
  expect(records[0]?.entry.receipts).toMatchObject([{ kind: "settled", success: true }]);
  expect(calls).toHaveLength(1);
});

test("what a tool says afterwards about untrusted text taints the thread, as its result would have", async () => {
  const { tool } = aSender("keyed", true);
  const answer = { happened: true, output: "a name that others wrote", output_trust: "untrusted" } as const;
  const { later, recover } = await stopAfterCall({ ...tool, reconcile: async () => answer });
  recover();
  const { records } = unwrap(await later());
  expect(records[0]?.entry.receipts).toMatchObject([{ kind: "settled", output_trust: "untrusted" }]);
  expect(records[0]?.state.taint).toBe(records[0]?.entry.receipts[0]?.id);
});

test("a keyed call is sent again under its key, and a person is asked after the last attempt", async () => {
  const { tool, calls } = aSender("keyed", false);
  const { later } = await stopAfterCall(tool);
  for (let attempt = 1; attempt < TRIES_MAX; attempt += 1) await expect(later()).rejects.toThrow(STOPPED);
  expect(unwrap(await later()).outcome.thread.gate?.kind).toBe("doubt");
  expect(calls).toHaveLength(TRIES_MAX);
  expect(new Set(calls).size).toBe(1);
});

test("an unkeyed call is not repeated: a person is asked", async () => {
  const { tool, calls } = aSender("unkeyed", false);
  const { later } = await stopAfterCall(tool);
  expect(unwrap(await later()).outcome.thread.gate?.kind).toBe("doubt");
  expect(calls).toHaveLength(1);
});
