import { expect, test } from "vitest";
import type { SettledReceipt } from "../../../src/schema/receipt.ts";
import { withReceipt } from "../../../src/turn/act/with-receipt.ts";
import { aState } from "../../support/thread.ts";

const state = aState();
const failed = {
  ...{ id: "rcp_1", run: 1, turn: 1, step_index: 0, name: "bash", summary: "1 test failed", success: false },
  ...{ source: "tool_observation", output_trust: "trusted" },
} as SettledReceipt;

test("a failed call proves an observation only if it says that its output shows something", () => {
  expect(withReceipt(state, failed, null).proofs).toEqual([]);
  expect(withReceipt(state, { ...failed, observed: true }, null).proofs).toMatchObject([
    { step: 0, kind: "observation", receipt_id: "rcp_1" },
  ]);
});

test("a call that asks is no failed write", () => {
  const write = { ...failed, source: "write_receipt" } as SettledReceipt;
  expect(withReceipt(state, write, null).failed_writes).toEqual([0]);
  expect(withReceipt(state, { ...write, asked: true }, null).failed_writes).toEqual([]);
});
