// Tests forms of a malicious server that become questions to a user.
import { expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { McpForm, McpServer } from "../../../src/ports/data/mcp-server.ts";
import { ok } from "../../../src/schema/problem.ts";
import { definitionsDigest } from "../../../src/toolkits/mcp/definition.ts";
import { mcpToolkit } from "../../../src/toolkits/mcp/toolkit.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

const form = (more: Partial<McpForm>): McpForm => ({
  message: "Which?",
  schema: { properties: {} },
  url: null,
  ...more,
});

async function askedBy(asks: McpForm) {
  const listed = [{ name: "t", description: "Does it.", input: { type: "object" } }];
  const server: McpServer = {
    list: async () => ok(listed),
    call: async () => ok({ kind: "asks", forms: { one: asks }, request_state: null }),
    close: async () => undefined,
  };
  const reviewed = definitionsDigest(nodeHash, listed);
  const kit = mcpToolkit({ name: "x", server, hash: nodeHash, read_only: true, reviewed, timeout_ms: 1_000 });
  const tools = unwrap(await kit.refresh());
  const rt = createTestRuntime([callTool("mcp_x_t", {})], tools, { config: DEFAULT_CONFIG });
  const thread = await createTestThread(rt, { goal: "Go", mode: "direct" });
  const { state, entry } = unwrap(await thread.turn()).records.at(-1) ?? {};
  return { gate: state?.gate ?? null, observation: entry?.observation?.text };
}

test("a long message is cut, and the person still reads how to refuse", async () => {
  const { gate } = await askedBy(form({ message: "m".repeat(1_000_000) }));
  expect(gate?.text).toMatch(/m…?[^m]*Answer "done" to agree\. Answer "decline" to refuse\.$/);
  expect(gate?.text.length).toBeLessThan(1_500);
});

test.each<readonly [string, Partial<McpForm>]>([
  ["an address that is no page", { schema: null, url: "javascript:alert(1)" }],
  ["a field without a schema", { schema: { type: "object", properties: { a: null } } }],
  ["a reference to nothing", { schema: { type: "object", properties: { a: { $ref: "#/none" } } } }],
])("%s is not shown to a person: the call fails", async (_what, more) => {
  const { gate, observation } = await askedBy(form(more));
  expect([gate, observation]).toEqual([null, expect.stringContaining("asks for something that cannot be answered")]);
});
