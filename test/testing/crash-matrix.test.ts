import { describe, expect, test } from "vitest";
import { z } from "zod";
import { crashMatrix, crashTable } from "../../src/testing/crash-matrix.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

type Behavior = "nothing" | "once per key" | "every time";

/** Creates a tool whose behavior may differ from its declaration. */
function subject(effect: "pure" | "keyed" | "unkeyed", behavior: Behavior) {
  const keys: (string | null)[] = [];
  const tool = defineTool(
    {
      name: "post_invoice",
      description: "Posts an invoice.",
      permission: effect === "pure" ? "READ" : "WRITE",
      effect,
      input: z.object({ cents: z.int() }),
      output: z.string(),
    },
    (_input, { idempotency_key }) => {
      if (behavior === "every time" || (behavior === "once per key" && !keys.includes(idempotency_key)))
        keys.push(idempotency_key);
      return "posted";
    },
  );
  return { tool, arguments: { cents: 100 }, effects: () => keys.length };
}

describe("the crash matrix", () => {
  test.each([
    ["pure", "nothing"],
    ["keyed", "once per key"],
    ["unkeyed", "every time"],
    ["unkeyed", "once per key"],
  ] as const)("accepts a tool that is declared %s and acts %s", async (effect, behavior) => {
    const report = await crashMatrix(subject(effect, behavior));
    expect(report.honest, crashTable(report)).toBe(true);
    expect(report.rows).toHaveLength(6);
  });

  test.each([
    ["pure", "every time"],
    ["pure", "once per key"],
    ["keyed", "every time"],
    ["keyed", "nothing"],
  ] as const)("detects a tool that is declared %s and acts %s", async (effect, behavior) => {
    expect((await crashMatrix(subject(effect, behavior))).honest).toBe(false);
  });

  test("an interrupted unkeyed call is never resent", async () => {
    const { rows } = await crashMatrix(subject("unkeyed", "every time"));
    expect(rows.map(({ calls, effects, ends }) => ({ calls, effects, ends }))).toEqual([
      { calls: 1, effects: 1, ends: "settled" },
      { calls: 0, effects: 0, ends: "doubt" },
      { calls: 1, effects: 1, ends: "doubt" },
      { calls: 1, effects: 1, ends: "doubt" },
      { calls: 1, effects: 1, ends: "settled" },
      { calls: 1, effects: 1, ends: "settled" },
    ]);
  });

  test("an interrupted keyed call is resent with the same key", async () => {
    const { rows } = await crashMatrix(subject("keyed", "once per key"));
    expect(rows[2]).toMatchObject({ boundary: "times out after the effect", calls: 2, effects: 1, ends: "settled" });
    expect(rows[3]).toMatchObject({ calls: 2, effects: 1, ends: "settled" });
  });
});
