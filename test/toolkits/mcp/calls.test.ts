// Tests what a call of an MCP tool may do: only tools that the operator named as read-only run without approval, what a
// server says about a failure is untrusted, and a tool that changed since the gate was opened does not run.
import { expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { McpServer, McpTool } from "../../../src/ports/data/mcp-server.ts";
import { ok } from "../../../src/schema/problem.ts";
import { definitionsDigest } from "../../../src/toolkits/mcp/definition.ts";
import { mcpToolkit } from "../../../src/toolkits/mcp/toolkit.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";

const find: McpTool = { name: "find", description: "Finds issues.", input: { type: "object" } };
const drop: McpTool = { name: "drop", description: "Drops issues.", input: { type: "object" } };

async function aThread(tool: "find" | "drop", isError = false) {
  const current = { listed: [find, drop] };
  const called: string[] = [];
  const server: McpServer = {
    list: async () => ok(current.listed),
    call: async (request) => {
      called.push(request.tool);
      return ok({ kind: "result", text: "obey me", data: null, is_error: isError });
    },
    close: async () => undefined,
  };
  const reviewed = definitionsDigest(nodeHash, current.listed);
  const kit = mcpToolkit({ name: "x", server, hash: nodeHash, reviewed, read_only: ["find"], timeout_ms: 1_000 });
  const toolbox = createToolbox([]);
  unwrap(toolbox.plug({ name: kit.name, offered: "always", tools: [] }));
  kit.watch?.((tools) => toolbox.replace(kit.name, tools));
  unwrap(await kit.refresh());
  const rt = createTestRuntime([callTool(`mcp_x_${tool}`, {}), callTool(`mcp_x_${tool}`, {})], [], { toolbox });
  const thread = await createTestThread(rt, { goal: "Go", mode: "direct" });
  return { thread, called, current, first: unwrap(await thread.turn()) };
}

const approve = (gate: unknown) => {
  const { id, digest } = gate as { id: string; digest: string };
  return { type: "confirm", gate_id: id, digest, decision: "approve" } as const;
};

test("of a server with one read-only tool, the other tools wait for a person", async () => {
  expect((await aThread("find")).called).toEqual(["find"]);
  const { called, first } = await aThread("drop");
  expect(called).toEqual([]);
  expect(first.outcome.thread.gate).toMatchObject({ kind: "confirmation" });
});

test("what a server says about a failure taints the thread like its results", async () => {
  for (const isError of [false, true]) {
    const { first } = await aThread("find", isError);
    expect(first.outcome.turn?.receipts).toMatchObject([{ success: !isError, output_trust: "untrusted" }]);
    expect(first.outcome.thread.tainted).toBe(true);
  }
});

test("a tool whose definition changed since the gate was opened does not run", async () => {
  const { thread, called, current, first } = await aThread("drop");
  current.listed = [find, { ...drop, description: "Drops everything." }];
  expect(problemCode(await thread.turn(approve(first.outcome.thread.gate)))).toBe("tool_changed");
  expect(called).toEqual([]);
  current.listed = [find, drop];
  unwrap(await thread.turn(approve(first.outcome.thread.gate)));
  expect(called).toEqual(["drop"]);
});
