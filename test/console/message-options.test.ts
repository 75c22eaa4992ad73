// Tests the options for a message in every state, and the inputs that each option sends.
import { describe, expect, test } from "vitest";
import { inputsOf, isSentDirectly, messageOptions } from "../../src/console/thread/message-options.ts";
import type { Gate } from "../../src/schema/gate.ts";
import type { ThreadView } from "../../src/schema/turn-result.ts";

type Position = Pick<ThreadView, "state" | "gate" | "background">;
const at = (kind: Gate["kind"] | null, state: ThreadView["state"] = "execute"): Position => ({
  state,
  gate: kind === null ? null : ({ id: "gat_1", digest: "d", kind } as unknown as Gate),
  background: null,
});

describe("message options", () => {
  test("without a gate a message is sent; at a question it is the answer", () => {
    expect(messageOptions(at(null))).toEqual(["send"]);
    expect(isSentDirectly(messageOptions(at(null, "rest")))).toBe(true);
    expect(isSentDirectly(messageOptions(at("question")))).toBe(true);
  });

  test.each([
    ["plan", ["reject", "new_goal"]],
    ["confirmation", ["reject", "edit", "new_goal"]],
    ["doubt", ["happened", "not_happened", "new_goal"]],
  ] as const)("at a %s gate the person chooses", (kind, options) => {
    expect(messageOptions(at(kind))).toEqual(options);
    expect(isSentDirectly(options)).toBe(false);
    expect(messageOptions({ ...at(kind), background: { status: "on", reason: null } })).toContain("queue");
  });

  test("a failed thread is reset first, or its run is cancelled", () => {
    expect(messageOptions(at(null, "failed"))).toEqual(["reset", "new_goal"]);
  });

  test("every option sends inputs that its gate accepts", () => {
    expect(inputsOf("reject", "too late", at("plan"))).toEqual([
      { type: "confirm", gate_id: "gat_1", digest: "d", decision: "reject", reason: "too late" },
    ]);
    expect(inputsOf("new_goal", "go", at("plan"))).toEqual([{ type: "cancel" }, { type: "message", text: "go" }]);
    expect(inputsOf("reset", "go", at(null, "failed"))[0]).toEqual({ type: "reset" });
    expect(inputsOf("answer", "yes", at("question"))).toEqual([{ type: "answer", gate_id: "gat_1", text: "yes" }]);
    expect(inputsOf("happened", "saw it", at("doubt"))).toEqual([
      { type: "resolve", gate_id: "gat_1", outcome: "happened", note: "saw it" },
    ]);
    for (const option of ["edit", "queue"] as const) expect(inputsOf(option, "x", at("confirmation"))).toEqual([]);
    // The gate was closed in the meantime.
    for (const option of ["answer", "reject", "happened"] as const) expect(inputsOf(option, "x", at(null))).toEqual([]);
  });
});
