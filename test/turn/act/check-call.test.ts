import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fail } from "../../../src/schema/problem.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { outcome } from "../../../src/tools/outcome.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

/** Creates a tool that books a slot of a shared list. Its check knows which slots are taken. */
function booking(taken: Set<number>, facts: { outside?: boolean; broken?: boolean } = {}) {
  return defineTool(
    {
      name: "book",
      description: "Books a slot.",
      permission: "WRITE",
      effect: "keyed",
      input: z.object({ slot: z.number() }),
      output: z.string(),
      check: ({ slot }, { idempotency_key }) => {
        if (facts.broken) throw new Error("the check is broken");
        if (idempotency_key !== null) throw new Error("a check has no key");
        if (!taken.has(slot)) return null;
        const refusal = fail("tool_refused", `Slot ${slot} is taken.`);
        return facts.outside ? outcome(refusal, { output_trust: "untrusted" }) : refusal;
      },
    },
    ({ slot }) => {
      if (taken.has(slot)) return fail("tool_refused", `Slot ${slot} is taken.`);
      taken.add(slot);
      return `booked ${slot}`;
    },
  );
}
const book = (slot: number) => ({
  action: "confirm",
  speak: "Booking.",
  tool_call: { name: "book", arguments: { slot } },
});

describe("a call that must fail", () => {
  test("is refused to the model without asking a person", async () => {
    const rt = createTestRuntime([book(1), book(2)], [booking(new Set([1]))]);
    const thread = await createTestThread(rt, { goal: "Book one", mode: "direct" });
    const refused = unwrap(await thread.turn());
    expect(refused.outcome.thread.gate).toBeNull();
    expect(refused.outcome.turn?.receipts).toMatchObject([{ name: "book", success: false, gate_id: null }]);
    expect(refused.outcome.turn?.observation?.text).toBe("Slot 1 is taken.");
    const gated = unwrap(await thread.turn());
    expect(gated.outcome.thread.gate).toMatchObject({ kind: "confirmation", call: { arguments: { slot: 2 } } });
  });

  test("does not run when it became impossible while a person thought about it", async () => {
    const taken = new Set<number>();
    const rt = createTestRuntime([book(1), book(2)], [booking(taken)]);
    const thread = await createTestThread(rt, { goal: "Book one", mode: "direct" });
    const gate = unwrap(await thread.turn()).outcome.thread.gate;
    if (gate?.kind !== "confirmation") throw new Error("no gate");
    taken.add(1);
    const approved = unwrap(
      await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }),
    );
    expect(approved.records).toHaveLength(1);
    expect(approved.outcome.turn?.receipts).toMatchObject([
      { kind: "settled", success: false, gate_id: gate.id, actor: "tester", effect_id: null },
    ]);
    expect(approved.outcome.thread).toMatchObject({ gate: null, state: "execute" });
  });

  test("taints the thread when the refusal quotes untrusted text", async () => {
    const rt = createTestRuntime([book(1)], [booking(new Set([1]), { outside: true })]);
    const thread = await createTestThread(rt, { goal: "Book one", mode: "direct" });
    expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ gate: null, tainted: true });
  });

  test("a check that throws raises no objection", async () => {
    const rt = createTestRuntime([book(1)], [booking(new Set([1]), { broken: true })]);
    const thread = await createTestThread(rt, { goal: "Book one", mode: "direct" });
    expect(unwrap(await thread.turn()).outcome.thread.gate).toMatchObject({ kind: "confirmation" });
  });
});
