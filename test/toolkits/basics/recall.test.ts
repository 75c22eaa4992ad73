import { describe, expect, test } from "vitest";
import { fail, ok } from "../../../src/schema/problem.ts";
import { PAGE_BYTES, recall } from "../../../src/toolkits/basics/recall.ts";
import type { RecalledObservation } from "../../../src/tools/own-thread.ts";
import { runBuiltin } from "../../support/run-builtin.ts";
import { idOf } from "../../support/thread.ts";
import { aContext, emptyOwnThread } from "../../support/tool-context.ts";

const RECEIPT = idOf("rcp", 7);
const run = (over: Partial<RecalledObservation>, page?: number) => {
  const held = { name: "look", turn: 3, text: "seen", output_trust: "trusted" as const, ...over };
  const own = {
    ...emptyOwnThread(),
    recall: async (id: string) => (id === RECEIPT ? ok(held) : fail("tool_refused", "none")),
  };
  return runBuiltin(recall, { receipt_id: RECEIPT, ...(page ? { page } : {}) }, aContext({ own }));
};

describe("recall", () => {
  test("gives an observation again, and where it came from", async () => {
    expect((await run({})).text).toBe("look in turn 3, page 1 of 1\nseen");
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

  test("text that was not trusted is not trusted now", async () => {
    expect((await run({ output_trust: "untrusted" })).more.output_trust).toBe("untrusted");
    expect((await run({})).more.output_trust).toBe("trusted");
  });
});
