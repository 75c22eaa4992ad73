import { describe, expect, test } from "vitest";
import { z } from "zod";
import { showPrompt } from "../../../src/threads/show-prompt.ts";
import { defineTool, type Tool } from "../../../src/tools/define-tool.ts";
import type { Hook } from "../../../src/tools/hooks.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { createWriteTool, look } from "../../support/tools.ts";

const planOf = (needs: readonly string[], name: string, args: object, more: object = {}) => ({
  action: "plan_done",
  speak: "A plan.",
  plan_steps: needs.map((kind, i) => ({ content: `Step ${i + 1}`, needs: kind })),
  tool_call: { name, arguments: args },
  ...more,
});
const LOOK = ["look", { at: "desk" }] as const;
const finishes = { finishes_step: true };
const answer = (gate: unknown, decision: "approve" | "reject" = "approve") => {
  const { id, digest } = gate as { id: string; digest: string };
  return { type: "confirm" as const, gate_id: id, digest, decision };
};

async function start(script: readonly unknown[], create: object = {}) {
  const ledger: string[] = [];
  const tools: Tool[] = [look, createWriteTool(ledger)];
  const rt = createTestRuntime(script as never, tools);
  const thread = await createTestThread(rt, { goal: "Tidy up", ...create });
  return { rt, thread, ledger, first: unwrap(await thread.turn()) };
}

describe("the first call of a plan", () => {
  test("runs in the turn of a plan that needs no approval: a question takes two model calls", async () => {
    const script = [planOf(["observation"], ...LOOK, finishes), "The desk is tidy."];
    const { rt, thread, first } = await start(script, { goal: "Is the desk tidy?" });
    expect(first.records).toHaveLength(1);
    expect(first.outcome).toMatchObject({
      thread: { state: "deliver", plan: [{ content: "Step 1" }] },
      turn: { receipts: [{ name: "look", step_index: 0, success: true }], decision: { action: "plan_done" } },
    });
    expect(unwrap(await thread.turn()).outcome).toMatchObject({
      turn: { speak: "The desk is tidy." },
      thread: { outcome: "completed", evidence: "proven", evidence_kind: "observed" },
    });
    expect(rt.model.requests).toHaveLength(2);
    expect(unwrap(await showPrompt(rt, thread.at, 1))).toMatchObject({ exact: true });
  });

  test("waits with a plan that must be approved, and runs with the approval without a model call", async () => {
    const { rt, thread, first } = await start([planOf(["observation", "write"], ...LOOK, finishes)]);
    expect(first.outcome).toMatchObject({ kind: "waiting", turn: { receipts: [] } });
    const approved = unwrap(await thread.turn(answer(first.outcome.thread.gate))).outcome;
    expect(approved).toMatchObject({
      thread: { state: "execute", step: 1, gate: null },
      turn: { receipts: [{ name: "look", success: true, gate_id: null, actor: null }] },
    });
    expect(rt.model.requests).toHaveLength(1);
  });

  test("does not run if the plan is rejected", async () => {
    const { thread, first } = await start([planOf(["write"], ...LOOK)]);
    const rejected = unwrap(await thread.turn(answer(first.outcome.thread.gate, "reject"))).outcome;
    expect(rejected).toMatchObject({ thread: { state: "plan", gate: null }, turn: { receipts: [] } });
  });

  test.each(["auto", "ask_writes", "ask"])(
    "never writes, with plan_approval %s and auto_approve",
    async (plan_approval) => {
      const create = { plan_approval, auto_approve: ["write"] };
      const { thread, first, ledger } = await start([planOf(["observation", "write"], "write", { line: "a" })], create);
      expect(first.outcome.thread.gate ?? {}).not.toHaveProperty("first_call");
      if (first.outcome.thread.gate) unwrap(await thread.turn(answer(first.outcome.thread.gate)));
      expect(ledger).toEqual([]);
    },
  );

  test("is named in the next prompt with the reason if it did not run, until another call was made", async () => {
    const reason =
      "The tool_call of the plan was not run: write does not only read. Make the call now if you still need it.";
    const lookAt = (at: string) => ({ action: "continue", tool_call: { name: "look", arguments: { at } } });
    const plan = planOf(["observation", "write"], "write", { line: "a" });
    const { rt, thread } = await start([plan, lookAt("desk"), lookAt("door")], { plan_approval: "auto" });
    const state = (): string => rt.model.requests.at(-1)?.messages.at(-1)?.content ?? "";
    unwrap(await thread.turn());
    expect(state()).toContain(reason);
    expect(unwrap(await showPrompt(rt, thread.at, 2))).toMatchObject({ exact: true });
    unwrap(await thread.turn());
    expect(state()).not.toContain("The tool_call of the plan");
  });

  test("is left out if its tool is disabled before the approval", async () => {
    const { rt, thread, first } = await start([planOf(["write"], ...LOOK)]);
    const { version, settings } = unwrap(await rt.settings.load(thread.at.tenant));
    unwrap(await rt.settings.save(thread.at.tenant, { ...settings, tools: { look: false } }, version));
    const approved = unwrap(await thread.turn(answer(first.outcome.thread.gate))).outcome;
    expect(approved).toMatchObject({ thread: { state: "execute", step: 0 }, turn: { receipts: [] } });
  });

  test("is left out if a hook asks for a person meanwhile", async () => {
    let asks = false;
    const hook: Hook = {
      name: "careful",
      hook_type: "PRE_TOOL_USE",
      handler: () => (asks ? { action: "ASK", reason: "Please look." } : { action: "ALLOW" }),
    };
    const rt = createTestRuntime([planOf(["write"], ...LOOK)] as never, [look, createWriteTool([])], { hooks: [hook] });
    const thread = await createTestThread(rt, { goal: "Tidy up" });
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    expect(gate).toMatchObject({ kind: "plan" });
    asks = true;
    const approved = unwrap(await thread.turn(answer(gate))).outcome;
    expect(approved).toMatchObject({ thread: { state: "execute", step: 0 }, turn: { receipts: [] } });
  });

  test("is corrected together with the plan if there is no such tool", async () => {
    const good = planOf(["observation"], ...LOOK);
    const { first } = await start([planOf(["observation"], "lok", {}), good]);
    expect(first.outcome.turn?.corrections).toMatchObject([{ message: expect.stringContaining("Did you mean look") }]);
    expect(first.outcome.turn?.receipts).toMatchObject([{ name: "look" }]);
  });

  test("does not carry data out of a thread with untrusted text", async () => {
    const sent: string[] = [];
    const page = defineTool(
      {
        name: "page",
        description: "Reads a page.",
        outward: true,
        output_trust: "untrusted",
        input: z.object({ at: z.string() }),
        output: z.string(),
      },
      ({ at }) => {
        sent.push(at);
        return "text";
      },
    );
    const read = (at: string) => planOf(["observation"], "page", { at }, finishes);
    const rt = createTestRuntime([read("first"), "Read.", read("second")] as never, [page]);
    const thread = await createTestThread(rt, { goal: "Read" });
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    const again = unwrap(await thread.turn({ type: "message", text: "Read on" })).outcome;
    expect(again.thread).toMatchObject({ state: "execute", step: 0, gate: null });
    expect(sent).toEqual(["first"]);
  });
});
