import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createMemoryStore } from "../../../src/adapters/store-memory.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import { fail } from "../../../src/schema/problem.ts";
import { defineTool, type Tool } from "../../../src/tools/define-tool.ts";
import { attachTestThread, createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

const send = { action: "continue", speak: "Sending.", tool_call: { name: "send", arguments: { to: "Ann" } } };
const KEY = { hash: "a".repeat(18), body: "b" };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("an attempt that cannot tell what happened", () => {
  const unknown = fail("outcome_unknown", "The line went dead.");

  /** Creates an unkeyed tool whose runs end as the test says, one after another. */
  function aTool() {
    const ends = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()] as const;
    let runs = 0;
    const options = { name: "send", description: "Sends.", permission: "WRITE", requires_confirmation: false } as const;
    const tool = defineTool(
      { ...options, effect: "unkeyed", timeout_ms: 600_000, input: z.object({ to: z.string() }), output: z.string() },
      () => ends[runs++ === 0 ? 0 : 1].promise as never,
    );
    return { tool, ends };
  }

  /** Starts a call in one process. By the clock of another process, its deadline passed long ago. */
  async function startLateCall(tool: Tool) {
    const store = createMemoryStore();
    const rt = createTestRuntime([send], [tool], { store });
    const thread = await createTestThread(rt, { goal: "Send it", mode: "direct" });
    const owner = thread.turn(null, { key: KEY });
    await soon();
    const elsewhere = createTestRuntime([], [tool], { store });
    elsewhere.clock.advance(700_000);
    return { owner, other: attachTestThread(elsewhere, thread.at.thread) };
  }

  test("opens no doubt about an attempt that another process started since", async () => {
    const { tool, ends } = aTool();
    const { owner, other } = await startLateCall(tool);
    const { gate } = unwrap(await other.turn()).outcome.thread;
    const again = other.turn({ type: "resolve", gate_id: gate?.id ?? "", outcome: "try_again" });
    await soon();
    ends[0].resolve(unknown);
    expect(unwrap(await owner).outcome.thread).toMatchObject({ at: "acting", gate: null });
    ends[1].resolve("sent");
    expect(unwrap(await again).outcome.thread).toMatchObject({ state: "execute", gate: null });
  });

  test("reports a store that does not answer", async () => {
    const { tool, ends } = aTool();
    const inner = createMemoryStore();
    let isDown = false;
    const down = fail("store_unavailable", "The store did not answer.");
    const store: ThreadStore = { ...inner, load: async (...args) => (isDown ? down : inner.load(...args)) };
    const rt = createTestRuntime([send], [tool], { store });
    const thread = await createTestThread(rt, { goal: "Send it", mode: "direct" });
    const owner = thread.turn(null, { key: KEY });
    await soon();
    isDown = true;
    ends[0].resolve(unknown);
    expect(await owner).toMatchObject({ ok: false, problem: { code: "store_unavailable" } });
  });
});
