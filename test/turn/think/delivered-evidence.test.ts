// Tests that a run is delivered as proven only if one of its receipts proves something.
import { describe, expect, test } from "vitest";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { look, throwingTool } from "../../support/tools.ts";

const NOTE = "Note: nothing was recorded that proves this.";

async function deliver(script: Parameters<typeof createTestRuntime>[0]) {
  const rt = createTestRuntime(script, [look, throwingTool]);
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  for (let turn = 0; turn < 5; turn += 1) {
    const { outcome } = unwrap(await thread.turn());
    if (outcome.kind === "delivered") return outcome;
  }
  throw new Error("not delivered after five turns");
}

describe("a direct run", () => {
  test("with a receipt is delivered as proven", async () => {
    const { thread, turn } = await deliver([callTool("look", { at: "desk" }), done, "Seen."]);
    expect([thread.evidence, turn?.speak]).toEqual(["proven", "Seen."]);
  });

  test("without any receipt is delivered as unproven, and the text says so", async () => {
    const { thread, turn } = await deliver([done, "It is on the desk."]);
    expect([thread.evidence, turn?.speak]).toEqual(["none", `It is on the desk.\n\n${NOTE}`]);
  });

  test("with failed calls only is delivered as unproven", async () => {
    const { thread, turn } = await deliver([callTool("broken", {}), done, "It is on the desk."]);
    expect([thread.evidence, turn?.speak]).toEqual(["none", `It is on the desk.\n\n${NOTE}`]);
  });

  test("without any receipt and without a summary by the model is delivered as unproven", async () => {
    const { thread, turn } = await deliver([done, { fail: "model_unavailable" }]);
    expect([thread.evidence, turn?.speak]).toEqual(["none", `Finished, without any receipt to prove it.\n\n${NOTE}`]);
  });
});
