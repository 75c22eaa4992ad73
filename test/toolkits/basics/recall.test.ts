import { describe, expect, test } from "vitest";
import { fail, ok } from "../../../src/schema/problem.ts";
import { PAGE_BYTES, recall } from "../../../src/toolkits/basics/recall.ts";
import type { RecalledObservation } from "../../../src/tools/own-thread.ts";
import { runBuiltin } from "../../support/run-builtin.ts";
import { idOf } from "../../support/thread.ts";
import { aContext, emptyOwnThread } from "../../support/tool-context.ts";

const RECEIPT = idOf("rcp", 7);
const run = (over: Partial<RecalledObservation>, page?: number, from_line?: number) => {
  const held = { name: "look", turn: 3, text: "seen", output_trust: "trusted" as const, ...over };
  const own = {
    ...emptyOwnThread(),
    recall: async (id: string) => (id === RECEIPT ? ok(held) : fail("tool_refused", "none")),
  };
  return runBuiltin(
    recall,
    { receipt_id: RECEIPT, ...(page && { page }), ...(from_line && { from_line }) },
    aContext({ own }),
  );
};

describe("recall", () => {
  test("gives an observation again, and where it came from", async () => {
    expect((await run({})).text).toBe("look in turn 3, lines 1–1 of 1, page 1 of 1\nseen");
  });

  test("in pages of at most 8 KB that together are the whole", async () => {
    const text = "Grüße, 世界! ".repeat(3_000);
    const first = await run({ text });
    const pages = (first.raw as { pages: number }).pages;
    let whole = "";
    for (let page = 1; page <= pages; page += 1) {
      const ran = await run({ text }, page);
      expect(new TextEncoder().encode(ran.text).length).toBeLessThanOrEqual(PAGE_BYTES);
      whole += (ran.raw as { text: string }).text;
    }
    expect(whole).toBe(text);
    expect(first.text).toContain(`page 1 of ${pages}; go on with page 2`);
    expect((await run({ text }, pages + 1)).text).toContain(`there is no page ${pages + 1}`);
  });

  test("from a line on, in pages of whole lines", async () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => `${i + 1}: ${"x".repeat(i % 90)}`);
    const text = lines.join("\n");
    const first = await run({ text }, 1, 500);
    const [head = "", ...shown] = first.text.trimEnd().split("\n");
    const last = 499 + shown.length;
    expect(head).toMatch(new RegExp(`^look in turn 3, lines 500–${last} of 2000, page 1 of \\d+; go on with page 2$`));
    expect(shown).toEqual(lines.slice(499, last));
    const second = await run({ text }, 2, 500);
    expect(second.text).toContain(`lines ${last + 1}–`);
    expect(second.text.split("\n")[1]).toBe(lines[last]);
    expect((await run({ text }, 1, 2_001)).text).toContain("It has 2000 lines; there is no line 2001.");
  });

  test("text that was not trusted is not trusted now", async () => {
    expect((await run({ output_trust: "untrusted" })).more.output_trust).toBe("untrusted");
    expect((await run({})).more.output_trust).toBe("trusted");
  });
});
