import { describe, expect, test } from "vitest";
import type { ModelReply } from "../../../src/ports/model.ts";
import { correctionOf } from "../../../src/prompt/correction.ts";
import { parseDecision } from "../../../src/schema/decision/parse-decision.ts";
import { problem } from "../../../src/schema/problem.ts";
import { proseOf, withReplyTrouble } from "../../../src/turn/think/reply-trouble.ts";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

const replied = (text: string, trouble?: ModelReply["trouble"]): ModelReply => ({
  text,
  model: "m",
  usage: null,
  ...(trouble && { trouble }),
});

describe("the text of a delivery", () => {
  test("says that it was cut off, and is none if the model refused or wrote nothing", () => {
    expect(proseOf(replied(" Done. "))).toBe("Done.");
    expect(proseOf(replied("It is on", { kind: "cut_off", limit: 300 }))).toBe(
      "It is on …\n\nNote: this text was cut off at 300 tokens.",
    );
    expect(proseOf(replied("I cannot help with that.", { kind: "refused" }))).toBeNull();
    expect(proseOf(replied("", { kind: "tool_call", name: "look" }))).toBeNull();
    expect(proseOf(replied("Done.", { kind: "tool_call", name: "look" }))).toBe("Done.");
  });

  test("is generated from the receipts if the model refuses to write it, and what it began to say is discarded", async () => {
    const rt = createTestRuntime([callTool("look", { at: "desk" }), done, "I cannot help with that."], [look]);
    const model: typeof rt.model = {
      ...rt.model,
      reply: async (request) => {
        const reply = await rt.model.reply(request);
        if (!reply.ok || request.purpose !== "deliver") return reply;
        return { ...reply, value: { ...reply.value, trouble: { kind: "refused" } } };
      },
    };
    const thread = await createTestThread({ ...rt, pickModel: () => model }, { goal: "Look", mode: "direct" });
    for (let turn = 0; turn < 2; turn += 1) unwrap(await thread.turn());
    const { outcome } = unwrap(await thread.turn());
    expect(outcome.turn?.speak).toMatch(/^Finished\. Receipts show what was looked up/);
    expect(thread.events.map(({ type }) => type)).toContain("speak.discarded");
  });
});

test("a native call of another tool is answered with the tool that takes the decision, where there is one", () => {
  const invalid = problem("decision_invalid", "It is no JSON.");
  const message = (trouble: ModelReply["trouble"]): string =>
    withReplyTrouble(invalid, { name: "main" }, replied("", trouble)).message;
  expect(message({ kind: "tool_call", name: "look" })).toContain('set models.main.decisions to "tools"');
  const offered = message({ kind: "tool_call", name: "look", offered: "decide" });
  expect(offered).toContain("call decide, with the decision as its arguments");
  expect(offered).not.toContain("models.main.decisions");
});

test("the correction that the model reads names the cause", () => {
  const parsed = parseDecision("");
  if (parsed.ok) throw new Error("accepted");
  const causeOf = (trouble: ModelReply["trouble"]): string =>
    correctionOf(withReplyTrouble(parsed.problem, { name: "main" }, replied("", trouble))).message;
  expect(causeOf({ kind: "tool_call", name: "look" })).toMatch(/native call of "look".*reply: found an empty reply/);
  expect(causeOf({ kind: "cut_off", limit: 300 })).toMatch(/cut off at 300 tokens: reply more briefly/);
});
