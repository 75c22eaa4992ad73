// Tests decisions as native calls of the tool `decide`, roles that must alternate, and replies that contain no
// decision.
import { describe, expect, test } from "vitest";
import { DECISION, useOpenAiStub } from "../support/openai-fixture.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { look } from "../support/tools.ts";

const fixture = useOpenAiStub();
const bodyOf = (n: number) => fixture.stub.requests[n]?.body ?? {};
const refusal = (message: string, status = 400) => ({ kind: "status" as const, status, body: { error: { message } } });

describe('decisions: "tools"', () => {
  test("offers one tool with the schema of the decision, and its arguments are the reply", async () => {
    fixture.stub.queue({ kind: "tool_call", name: "decide", arguments: DECISION, text: "Let me think." });
    let streamed = "";
    const onText = (delta: string) => {
      streamed += delta;
    };
    const reply = unwrap(await fixture.model({ decisions: "tools" }).reply(fixture.request({ onText })));
    expect(reply).toMatchObject({ text: DECISION });
    expect(reply).not.toHaveProperty("trouble");
    expect(streamed).toBe(DECISION);
    expect(bodyOf(0)).toMatchObject({
      tools: [{ type: "function", function: { name: "decide", parameters: { type: "object" } } }],
      tool_choice: { type: "function", function: { name: "decide" } },
    });
    expect(bodyOf(0)).not.toHaveProperty("response_format");
  });

  test("a server that sends one body is read the same way", async () => {
    const call = { id: "call_1", type: "function", function: { name: "decide", arguments: DECISION } };
    const choices = [{ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }];
    fixture.stub.queue({ kind: "body", body: { model: "m", choices } });
    expect(unwrap(await fixture.model({ decisions: "tools" }).reply(fixture.request())).text).toBe(DECISION);
  });

  const called = (args: unknown, more: object = {}) => ({ function: { name: "decide", arguments: args }, ...more });
  const piece = (args: string, more: object = {}) => ({ function: { arguments: args }, ...more });
  const asObject = JSON.parse(DECISION);
  const [head, tail] = [DECISION.slice(0, 9), DECISION.slice(9)];
  const second = '{"action":"abort"}';

  test.each([
    ["arguments as an object", [[called(asObject, { index: 0, id: "a" })]]],
    ["calls in one delta", [[called(DECISION, { index: 0, id: "a" }), called(second, { index: 1, id: "b" })]]],
    [
      "calls that all have the index 0",
      [[called(DECISION, { index: 0, id: "a" })], [called(second, { index: 0, id: "b" })]],
    ],
    ["calls without an index", [[called(DECISION, { id: "a" })], [called(second, { id: "b" })]]],
    ["calls without an index in one delta", [[called(asObject), called(second)]]],
    [
      "calls counted from 1",
      [[called("", { index: 1, id: "a" })], [piece(head, { index: 1 })], [piece(tail, { index: 1 })]],
    ],
    [
      "another id for every piece",
      [
        [called(head, { index: 0, id: "a" })],
        [piece(tail, { index: 0, id: "b" })],
        [called(second, { index: 1, id: "c" })],
      ],
    ],
    ["null before the arguments", [[called(null, { index: 0, id: null })], [piece(DECISION, { index: 0 })]]],
  ])("reads the first call of a provider that streams %s", async (_what, calls) => {
    const deltas = [{ role: "assistant", content: null }, ...calls.map((tool_calls) => ({ content: "", tool_calls }))];
    fixture.stub.queue({ kind: "deltas", deltas, finish: "stop" });
    const reply = unwrap(await fixture.model({ decisions: "tools" }).reply(fixture.request()));
    expect(JSON.parse(reply.text)).toEqual(asObject);
    expect(reply).not.toHaveProperty("trouble");
  });

  test.each([
    ["arguments as an object", [called(asObject)]],
    ["two calls", [called(DECISION, { id: "a" }), called(second, { id: "b" })]],
  ])("reads the first call of a body with %s", async (_what, tool_calls) => {
    const choices = [{ message: { content: "", tool_calls }, finish_reason: "stop" }];
    fixture.stub.queue({ kind: "body", body: { model: "m", choices } });
    const reply = unwrap(await fixture.model({ decisions: "tools" }).reply(fixture.request()));
    expect(JSON.parse(reply.text)).toEqual(asObject);
  });

  test("prose has no tool, and a decision written as text is taken as it is", async () => {
    fixture.stub.queue({ kind: "text", text: "All done." }, { kind: "text", text: DECISION });
    const model = fixture.model({ decisions: "tools" });
    expect(unwrap(await model.reply(fixture.request({ schema: null }))).text).toBe("All done.");
    expect(bodyOf(0)).not.toHaveProperty("tools");
    expect(unwrap(await model.reply(fixture.request())).text).toBe(DECISION);
  });

  test("falls back to a free choice and to text where the provider refuses", async () => {
    fixture.stub.queue(
      refusal("tool_choice with a named function is not supported"),
      refusal("No endpoints found that support tool use.", 404),
      {
        kind: "text",
        text: DECISION,
      },
    );
    expect(unwrap(await fixture.model({ decisions: "tools" }).reply(fixture.request())).text).toBe(DECISION);
    expect(bodyOf(1)).toMatchObject({ tool_choice: "auto" });
    expect(bodyOf(2)).not.toHaveProperty("tools");
    expect(bodyOf(2)).toHaveProperty("response_format");
  });

  test("makes the same record as a decision in text", async () => {
    const decision = { action: "continue", speak: "Looking.", tool_call: { name: "look", arguments: { at: "desk" } } };
    const records = [];
    for (const decisions of ["json", "tools"] as const) {
      const text = JSON.stringify(decision);
      fixture.stub.queue(
        decisions === "json" ? { kind: "text", text } : { kind: "tool_call", name: "decide", arguments: text },
      );
      const model = fixture.model({ decisions });
      const rt = { ...createTestRuntime([], [look]), pickModel: () => model };
      const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
      const { entry } = unwrap(await thread.turn(null, { deadline: Date.now() + 1e12 })).records[0] ?? {};
      records.push({
        decision: entry?.decision,
        judgement: entry?.judgement,
        speak: entry?.speak,
        corrections: entry?.corrections,
      });
    }
    expect(records[0]?.decision).toMatchObject({ value: decision });
    expect(records[1]).toEqual(records[0]);
  });
});

describe("roles that must alternate", () => {
  test.each([
    ["a refused request", 400, "Conversation roles must alternate user/assistant/user/assistant/..."],
    [
      "an error of the server's chat template",
      500,
      "Jinja Exception: Conversation roles must alternate user/assistant",
    ],
    ["another wording", 422, "After the optional system message, the messages must start with a user message"],
  ])("are found out by %s, once", async (_title, status, message) => {
    fixture.stub.queue(refusal(message, status), { kind: "text", text: DECISION }, { kind: "text", text: DECISION });
    const model = fixture.model();
    expect(unwrap(await model.reply(fixture.request())).text).toBe(DECISION);
    expect(unwrap(await model.reply(fixture.request())).roles).toBe("alternating");
    const roles = fixture.stub.requests.map(({ body }) =>
      (body.messages as { role: string }[]).map(({ role }) => role),
    );
    expect(roles).toEqual([
      ["system", "user", "user", "user"],
      ["system", "user"],
      ["system", "user"],
    ]);
  });
});

describe("a reply that is no decision", () => {
  test.each([
    [
      { kind: "text" as const, text: '{"action":"do', finish: "length" },
      { kind: "cut_off", limit: 500 },
    ],
    [{ kind: "refusal" as const, text: "I cannot." }, { kind: "refused" }],
    [
      { kind: "tool_call" as const, name: "look", arguments: "{}" },
      { kind: "tool_call", name: "look" },
    ],
  ])("is named: %j", async (behavior, trouble) => {
    fixture.stub.queue(behavior);
    expect(unwrap(await fixture.model().reply(fixture.request())).trouble).toEqual(trouble);
  });

  test("names the tool that takes the decision where it was offered", async () => {
    fixture.stub.queue({ kind: "tool_call", name: "look", arguments: "{}" });
    const { trouble } = unwrap(await fixture.model({ decisions: "tools" }).reply(fixture.request()));
    expect(trouble).toEqual({ kind: "tool_call", name: "look", offered: "decide" });
  });

  test.each([
    [{ kind: "text" as const, text: '{"action":"do', finish: "length" }, "raise models.main.max_output_tokens"],
    [{ kind: "refusal" as const, text: "I cannot." }, "The model refused to reply"],
    [{ kind: "tool_call" as const, name: "look", arguments: "{}" }, 'set models.main.decisions to "tools"'],
  ])("and the problem of the turn says what to change: %j", async (behavior, advice) => {
    fixture.stub.setDefault(behavior);
    const model = fixture.model();
    const rt = { ...createTestRuntime([], [look]), pickModel: () => model };
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const { outcome } = unwrap(await thread.turn(null, { deadline: Date.now() + 1e12 }));
    expect(outcome).toMatchObject({ kind: "failed", problem: { code: "decision_invalid" } });
    expect(outcome.turn?.problem?.message).toContain(advice);
  });
});
