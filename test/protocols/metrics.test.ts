// Tests GET /metrics, which shows what the turns of this process did, without content.
import { expect, test } from "vitest";
import { createMetrics } from "../../src/protocols/metrics/metrics.ts";
import { callTool, done } from "../support/decisions.ts";
import { createTestThread, unwrap } from "../support/runtime.ts";
import { SCRIPTS, startServer } from "./support.ts";

test("counts turns, tokens, calls, gates and problems", async () => {
  const server = startServer([...SCRIPTS.tool.slice(0, 1), callTool("write", { line: "secret-line" }), done], {
    metrics: createMetrics(),
  });
  const thread = await createTestThread(server.rt, { goal: "secret-goal", mode: "direct" });
  unwrap(await thread.turn());
  unwrap(await thread.turn());
  await thread.turn();
  const response = await server.fetch("http://pawl/metrics");
  expect(response.headers.get("content-type")).toContain("text/plain");
  const text = await response.text();
  expect(text).toContain('pawl_turns_total{agent="default",result="ok"} 2');
  expect(text).toContain('pawl_turns_total{agent="unknown",result="gate_open"} 1');
  expect(text).toContain('pawl_tool_calls_total{tool="look",result="ok"} 1');
  expect(text).toContain('pawl_gates_opened_total{kind="confirmation"} 1');
  expect(text).toMatch(/gen_ai_client_token_usage_total\{model="scripted",type="input"\} \d+/);
  expect(text).toContain("pawl_turn_duration_seconds_count 3");
  expect(text).not.toContain("secret");
  for (const line of text.trim().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]*\})? [\d.e+-]+)$/);
});

test("counts refused replies and ended runs", async () => {
  const server = startServer(["no decision", ...SCRIPTS.answer], { metrics: createMetrics() });
  const thread = await createTestThread(server.rt, { goal: "Hello", mode: "direct" });
  unwrap(await thread.turn());
  unwrap(await thread.turn());
  const text = await (await server.fetch("http://pawl/metrics")).text();
  expect(text).toMatch(/^pawl_corrections_total\{code="[a-z_]+"\} 1$/m);
  expect(text).toMatch(/^pawl_runs_ended_total\{outcome="[a-z_]+"\} 1$/m);
});

test("a repeated request is counted once", async () => {
  const server = startServer(SCRIPTS.tool, { metrics: createMetrics() });
  const thread = await createTestThread(server.rt, { goal: "Look", mode: "direct" });
  const key = { key: { hash: "0".repeat(18), body: "b" } };
  unwrap(await thread.turn(null, key));
  unwrap(await thread.turn(null, key));
  expect(await (await server.fetch("http://pawl/metrics")).text()).toContain('result="ok"} 1');
});

test("needs the scope admin", async () => {
  const server = startServer([], { metrics: createMetrics() });
  expect((await server.fetchAs(["read", "advance"])("http://pawl/metrics")).status).toBe(403);
});
