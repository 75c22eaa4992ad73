import { expect, test } from "vitest";
import { readForm } from "../../src/protocols/mcp/gate-form.ts";
import { answerFor } from "../../src/protocols/shared/answer-gate.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { unwrap } from "../support/runtime.ts";

test("an error of a client's tool stays an error, and a result stays a result", () => {
  const gate = { kind: "external", id: "gat_1", digest: "d" } as unknown as Gate;
  const sent = { type: "tool_result", gate_id: "gat_1", digest: "d" };
  expect(unwrap(answerFor(gate, { error: "No camera." }))).toEqual({ ...sent, error: "No camera." });
  expect(unwrap(answerFor(gate, { output: { color: "blue" } }))).toEqual({ ...sent, output: { color: "blue" } });
});

test.each([
  { approved: "false" },
  { approved: "no" },
  { approved: 0 },
  { approved: ["no"] },
  { approved: null },
  { text: "approve" },
])("a form of an MCP client with %j approves nothing and rejects nothing", (content) => {
  const gate = { kind: "confirmation", id: "gat_1", digest: "d" } as unknown as Gate;
  expect(answerFor(gate, readForm(gate, content))).toMatchObject({ ok: false, problem: { code: "request_invalid" } });
});

test("a form of an MCP client decides about the call that it showed, and not about another one", () => {
  const gate = { kind: "confirmation", id: "gat_1", digest: "d" } as unknown as Gate;
  const content = { approved: true, edited_arguments: { line: "another" }, digest: "e" };
  const approval = { type: "confirm", gate_id: "gat_1", digest: "d", decision: "approve" };
  expect(unwrap(answerFor(gate, readForm(gate, content)))).toEqual(approval);
});
