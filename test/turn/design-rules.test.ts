import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/tools/define-tool.ts";
import { aRuntime, aThreadOn, createHandClock, must } from "../support/runtime.ts";
import { look } from "../support/tools.ts";

const calling = (name: string, args: Record<string, unknown>, speak = "On it.") => ({
  action: "continue",
  speak,
  tool_call: { name, arguments: args },
});
const planOf = (...steps: readonly object[]) => ({ action: "plan_done", speak: "The plan.", plan_steps: steps });

describe("a reply that asks for a new plan", () => {
  test("leaves nothing of the old one, as a message does", async () => {
    const ask = { action: "ask_user", speak: "Which day?" };
    const steps = [{ content: "look" }, { content: "write" }];
    const rt = aRuntime([planOf(...steps), calling("look", { at: "x" }), ask, { action: "continue" }], [look]);
    const thread = await aThreadOn(rt, { goal: "Do it", plan_approval: "auto" });
    for (let i = 0; i < 3; i++) must(await thread.turn());
    const replanned = must(await thread.turn({ type: "message", text: "All different", replan: true }));
    expect(replanned.outcome.thread).toMatchObject({ state: "plan", at: "thinking", plan: null, proofs: [] });
    expect(rt.model.requests.at(-1)?.purpose).toBe("plan");
  });
});

describe("the seconds of a budget", () => {
  const clock = createHandClock();
  const slow = (effect: "pure" | "keyed") =>
    defineTool(
      {
        name: "slow",
        description: "Takes its time.",
        permission: effect === "pure" ? "READ" : "WRITE",
        effect,
        requires_confirmation: false,
        timeout_ms: 60_000,
        input: z.object({}),
        output: z.string(),
      },
      () => {
        clock.advance(30_000);
        return "done";
      },
    );

  test.each(["pure", "keyed"] as const)(
    "count what a %s tool takes, and the run stops when they are used",
    async (effect) => {
      const rt = { ...aRuntime([calling("slow", {})], [slow(effect)]), clock };
      const thread = await aThreadOn(rt, { goal: "Do it", mode: "direct", budget: { seconds: 20 } });
      expect(must(await thread.turn()).outcome.thread.budget.used.seconds).toBe(30);
      expect(must(await thread.turn()).outcome).toMatchObject({ kind: "delivered", outcome: "exhausted" });
    },
  );
});
