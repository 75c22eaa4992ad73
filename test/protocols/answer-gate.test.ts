import { expect, test } from "vitest";
import { answerFor } from "../../src/protocols/shared/answer-gate.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { unwrap } from "../support/runtime.ts";

test("an error of a client's tool stays an error, and a result stays a result", () => {
  const gate = { kind: "external", id: "gat_1", digest: "d" } as unknown as Gate;
  const sent = { type: "tool_result", gate_id: "gat_1", digest: "d" };
  expect(unwrap(answerFor(gate, { error: "No camera." }))).toEqual({ ...sent, error: "No camera." });
  expect(unwrap(answerFor(gate, { output: { color: "blue" } }))).toEqual({ ...sent, output: { color: "blue" } });
});
