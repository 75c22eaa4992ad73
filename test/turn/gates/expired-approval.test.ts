// Tests that an approval which nobody gave in time is recorded as such, not as the decision of whoever continued the run.
import { expect, test } from "vitest";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { createWriteTool } from "../../support/tools.ts";

test("a confirmation that expired rejects the call without an actor", async () => {
  const ledger: string[] = [];
  const config = { ...DEFAULT_CONFIG, gate_expire_after_s: 60 };
  const rt = createTestRuntime([callTool("write", { line: "a" }, "confirm"), done], [createWriteTool(ledger)], {
    config,
  });
  const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
  unwrap(await thread.turn());
  rt.clock.advance(60_000);
  const { records } = unwrap(await thread.turn());
  const receipts = records.flatMap(({ entry }) => entry.receipts);
  expect(receipts).toMatchObject([{ name: "write", success: false, actor: null }]);
  expect(records.flatMap(({ entry }) => entry.closed_gate ?? [])).toMatchObject([{ how: "expired" }]);
  expect(ledger).toEqual([]);
});
