import { describe, expect, test } from "vitest";
import type { ExecuteDecision } from "../../src/schema/decision/decision.ts";
import { parseDecision } from "../../src/schema/decision/parse-decision.ts";
import type { Problem } from "../../src/schema/problem.ts";

const quoted = (value: unknown): string => JSON.stringify(value);
const call = (args: string): string => `{"action":"continue","tool_call":{"name":"move","arguments":${args}}}`;

function decisionOf(raw: string): ExecuteDecision {
  const parsed = parseDecision(raw);
  if (!parsed.ok) throw new Error(`refused: ${parsed.problem.message}`);
  return parsed.value;
}

function problemOf(raw: string): Problem {
  const parsed = parseDecision(raw);
  if (parsed.ok) throw new Error(`accepted: ${quoted(parsed.value)}`);
  return parsed.problem;
}

function argumentsOf(raw: string): Record<string, unknown> {
  const value = decisionOf(raw);
  if (value.action !== "continue" || !value.tool_call) throw new Error("no call");
  return value.tool_call.arguments;
}

describe("replies that are accepted", () => {
  const SURVIVE: [title: string, raw: string, value: ExecuteDecision][] = [
    [
      "a code fence around the object",
      '```json\n{"action":"continue","speak":"Checking."}\n```',
      { action: "continue", speak: "Checking." },
    ],
    [
      "prose around the object",
      'Sure! {"action":"done","goal_check":"3 moved"} Hope this helps',
      { action: "done", goal_check: "3 moved" },
    ],
    [
      "empty strings as placeholders",
      '{"action":"ask_user","speak":"Which week?","tool_call":"","abort":"  "}',
      { action: "ask_user", speak: "Which week?" },
    ],
    [
      "nulls as placeholders",
      '{"action":"continue","speak":"ok","reason":null,"tool_call":null,"abort":null,"goal_check":null}',
      { action: "continue", speak: "ok" },
    ],
    [
      "parameters as an alias of arguments",
      '{"action":"continue","speak":"look","tool_call":{"name":"query_range","parameters":{"day":4}}}',
      { action: "continue", speak: "look", tool_call: { name: "query_range", arguments: { day: 4 } } },
    ],
    [
      "empty arguments beside full parameters",
      '{"action":"confirm","tool_call":{"name":"move","arguments":{},"parameters":{"task_id":7}}}',
      { action: "confirm", tool_call: { name: "move", arguments: { task_id: 7 } } },
    ],
    [
      "full arguments win over full parameters",
      '{"action":"confirm","tool_call":{"name":"move","arguments":{"task_id":1},"parameters":{"task_id":2}}}',
      { action: "confirm", tool_call: { name: "move", arguments: { task_id: 1 } } },
    ],
    [
      "a goal_check object",
      '{"action":"next_plan","goal_check":{"evidence":"tool returned ok"}}',
      { action: "next_plan", goal_check: "evidence: tool returned ok" },
    ],
    [
      "spaces and line breaks around values",
      '{"action":" confirm ","speak":"\\n go \\n","tool_call":{"name":" move ","arguments":{}}}',
      { action: "confirm", speak: "go", tool_call: { name: "move", arguments: {} } },
    ],
    [
      "braces and quotes inside strings",
      '{"action":"continue","speak":"use {day} and \\"quotes\\" or ]}"}',
      { action: "continue", speak: 'use {day} and "quotes" or ]}' },
    ],
    [
      "confirm without speak keeps only what the model wrote",
      '{"action":"confirm","reason":"It moves a task.","tool_call":{"name":"move","arguments":{"task_id":7}}}',
      { action: "confirm", reason: "It moves a task.", tool_call: { name: "move", arguments: { task_id: 7 } } },
    ],
    [
      "empty objects as placeholders",
      '{"action":"continue","speak":"x","abort":{},"tool_call":{}}',
      { action: "continue", speak: "x" },
    ],
    [
      "arguments as a JSON string",
      call(quoted('{"task_id":7}')),
      { action: "continue", tool_call: { name: "move", arguments: { task_id: 7 } } },
    ],
    [
      "a thought that contains braces",
      '<think>maybe {"action":"abort"} or [x</think>{"action":"continue","speak":"ok"}',
      { action: "continue", speak: "ok" },
    ],
    [
      "numeric strings and floats, left as they are",
      call('{"task_id":"35","hours":2.0}'),
      { action: "continue", tool_call: { name: "move", arguments: { task_id: "35", hours: 2 } } },
    ],
    [
      "a misspelt tool name, which the judge refuses",
      '{"action":"continue","tool_call":{"name":"find_frist_free","arguments":{}}}',
      { action: "continue", tool_call: { name: "find_frist_free", arguments: {} } },
    ],
    [
      "a pure tool under confirm, which the judge handles",
      '{"action":"confirm","tool_call":{"name":"get_overview"}}',
      { action: "confirm", tool_call: { name: "get_overview", arguments: {} } },
    ],
    [
      "a byte order mark and zero-width characters in front",
      '\ufeff\u200b\u2060{"action":"done","goal_check":"ok"}',
      { action: "done", goal_check: "ok" },
    ],
    [
      "a fence that is not at the very start",
      'Here it is:\n\n```json\n{"action":"done","goal_check":"ok"}\n```\nDone.',
      { action: "done", goal_check: "ok" },
    ],
    [
      "a lone </think> in front",
      'The user wants {this} and [that.</think>\n{"action":"done","goal_check":"ok"}',
      { action: "done", goal_check: "ok" },
    ],
    [
      "two thoughts, one inside the other",
      '<think>a <think>{b}</think> {c}</think>{"action":"continue","speak":"hi"}',
      { action: "continue", speak: "hi" },
    ],
    [
      "a thought after the object",
      '{"action":"continue","speak":"hi"}\n<think>that was {good}</think>',
      { action: "continue", speak: "hi" },
    ],
    [
      "tags inside a string, which are text",
      '{"action":"continue","speak":"write <think> or </think> and ```json"}',
      { action: "continue", speak: "write <think> or </think> and ```json" },
    ],
    [
      "full-width punctuation inside strings",
      '{"action":"ask_user","speak":"哪一周？｛第一周｝：“1”"}',
      { action: "ask_user", speak: "哪一周？｛第一周｝：“1”" },
    ],
    [
      "unknown keys, which are dropped",
      '{"action":"abort","confidence":0.9,"abort":{"user_message":" No. ","severity":3,"code":null}}',
      { action: "abort", abort: { user_message: "No." } },
    ],
    [
      "an abort with all its fields",
      '{"action":"abort","abort":{"code":"no_access","user_message":"I cannot.","internal_reason":"403"}}',
      { action: "abort", abort: { code: "no_access", user_message: "I cannot.", internal_reason: "403" } },
    ],
    [
      "a footnote, a check box and a link in prose",
      'See [1] and [ ] of [the docs](https://example.com). {"action":"continue","speak":"ok"} [2]',
      { action: "continue", speak: "ok" },
    ],
    [
      "thoughts in other tags",
      '<thinking>maybe {"action":"abort"}</thinking><reasoning>{x}</reasoning>{"action":"continue","speak":"ok"}',
      { action: "continue", speak: "ok" },
    ],
    [
      "a question under its own key",
      '{"action":"ask_user","question":"Which week?"}',
      { action: "ask_user", speak: "Which week?" },
    ],
    [
      "keys of a call that other actions do not have, which are dropped",
      '{"action":"done","goal_check":"ok","tool":"move","name":"Bob"}',
      { action: "done", goal_check: "ok" },
    ],
    ["a name that is no call", '{"action":"continue","name":"Bob"}', { action: "continue" }],
    ["next_plan without goal_check, which the judgement demands", '{"action":"next_plan"}', { action: "next_plan" }],
    ["done with a blank goal_check", '{"action":"done","goal_check":"  "}', { action: "done" }],
  ];

  test.each(SURVIVE)("%s", (_title, raw, value) => {
    expect(decisionOf(raw)).toStrictEqual(value);
  });

  test.each([
    [{ done_when: "all moved", evidence: ["a", "b"] }, "done_when: all moved; evidence: a, b"],
    [["moved 3", { left: 0 }, null, ""], "moved 3, left: 0"],
    [true, "true"],
    [3, "3"],
  ])("goal_check %j is flattened to text", (goal_check, flattened) => {
    expect(decisionOf(quoted({ action: "done", goal_check }))).toStrictEqual({ action: "done", goal_check: flattened });
  });

  test.each([[{}], [[]], [{ evidence: "" }]])("goal_check %j is empty and becomes absent", (goal_check) => {
    expect(decisionOf(quoted({ action: "done", goal_check }))).toStrictEqual({ action: "done" });
  });

  test.each([
    ["a list of one", { tool_calls: [{ name: "move", arguments: { id: 1 } }] }],
    [
      "the form of native calls",
      { tool_calls: [{ type: "function", function: { name: "move", arguments: '{"id":1}' } }] },
    ],
    ["function_call", { function_call: { name: "move", arguments: '{"id":1}' } }],
    ["toolCall", { toolCall: { name: "move", args: { id: 1 } } }],
    ["tool_use", { tool_use: { type: "tool_use", name: "move", input: { id: 1 } } }],
    ["tool", { tool: { name: "move", parameters: { id: 1 } } }],
    ["a name and arguments beside the action", { name: "move", arguments: { id: 1 } }],
    ["a tool and its input beside the action", { tool: "move", input: { id: 1 } }],
    ["tool_call with other names inside", { tool_call: { tool: "move", args: { id: 1 } } }],
    [
      "tool_call around a function",
      { tool_call: { type: "function", function: { name: "move", arguments: { id: 1 } } } },
    ],
    ["tool_call empty beside another key", { tool_call: null, tool_calls: [{ name: "move", arguments: { id: 1 } }] }],
  ])("a call written as %s", (_form, fields) => {
    const call = { action: "continue", tool_call: { name: "move", arguments: { id: 1 } } };
    expect(decisionOf(quoted({ action: "continue", ...fields }))).toStrictEqual(call);
  });

  test("a tool without arguments, named beside the action", () => {
    expect(decisionOf('{"action":"continue","tool":"time"}')).toStrictEqual({
      action: "continue",
      tool_call: { name: "time", arguments: {} },
    });
  });

  test("argument values are never trimmed or changed", () => {
    const args = { text: "  two  ", empty: "", nothing: null, list: [" a ", {}], "": 1, " key ": false };
    expect(argumentsOf(call(quoted(args)))).toStrictEqual(args);
    expect(argumentsOf(call(quoted(quoted(args))))).toStrictEqual(args);
  });

  test("arguments named __proto__ stay data and touch no prototype", () => {
    const args = argumentsOf(call('{"__proto__":{"polluted":true},"constructor":{"__proto__":null}}'));
    expect(Object.keys(args)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(quoted(args)).toBe('{"__proto__":{"polluted":true},"constructor":{"__proto__":null}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("the largest exact integers are kept", () => {
    expect(argumentsOf(call("[9007199254740991,-9007199254740991,1e15]".replace(/.*/, '{"n":$&}')))).toEqual({
      n: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1e15],
    });
  });

  test("sixty-four levels are accepted", () => {
    const nest = (levels: number): string => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
    expect(parseDecision(call(`{"a":${nest(61)}}`)).ok).toBe(true);
    expect(parseDecision(call(`{"a":${nest(62)}}`)).ok).toBe(false);
    expect(parseDecision(call(quoted(`{"a":${nest(61)}}`))).ok).toBe(true);
    expect(parseDecision(call(quoted(`{"a":${nest(62)}}`))).ok).toBe(false);
  });
});

describe("replies that are refused", () => {
  const REFUSED: [title: string, raw: string, field: string, says: RegExp][] = [
    ["an array of calls", '{"action":"continue","tool_call":[{"name":"a"},{"name":"b"}]}', "tool_call", /one tool per/],
    ["a call as text", '{"action":"continue","tool_call":"get_overview()"}', "tool_call", /found text/],
    ["a call as a number", '{"action":"continue","tool_call":7}', "tool_call", /found a number/],
    ["a plain marker", "[NEXT_PLAN] step finished", "reply", /no JSON object/],
    ["a truncated object", '{"action":"confirm","speak":"I will move [43', "speak", /cut off/],
    ["single quotes", "{'action':'continue'}", "reply", /a single quote/],
    ["a trailing comma", '{"action":"continue",}', "reply", /a trailing comma/],
    ["a trailing comma in a list", call('{"a":[1, ]}'), "tool_call.arguments.a[1]", /a trailing comma/],
    ["a comment", '{"action":"continue" // go on\n}', "reply", /a comment/],
    ["a raw line break in a string", '{"action":"continue","speak":"a\nb"}', "speak", /raw line break/],
    ["an unknown escape", '{"action":"continue","speak":"a\\x41"}', "speak", /escape/],
    ["an unquoted quote in a string", '{"action":"continue","speak":"say "hi""}', "reply", /not JSON/],
    ["a number with a leading zero", call('{"a":01}'), "tool_call.arguments", /not JSON/],
    [
      "an unknown action",
      '{"action":"Finish"}',
      "action",
      /one of continue, confirm, next_plan, done, ask_user, abort/,
    ],
    ["an invented action", '{"action":"call_tool"}', "action", /unknown word/],
    ["an action in another case", '{"action":"Continue"}', "action", /unknown word; write it as continue/],
    ["an action with a hyphen", '{"action":"next-plan"}', "action", /unknown word; write it as next_plan/],
    [
      "the name of a tool as the action",
      '{"action":"read_file","arguments":{"path":"a"}}',
      "action",
      /unknown word; a tool is called with \{"action":"continue","tool_call"/,
    ],
    ["a call without an action", '{"name":"move","arguments":{"id":1}}', "action", /nothing; a tool is called with/],
    [
      "several calls under another key",
      '{"action":"continue","tool_calls":[{"name":"a"},{"name":"b"}]}',
      "tool_call",
      /one tool per turn/,
    ],
    [
      "done with a call under its own key in a list",
      '{"action":"done","tool_call":[{"name":"a"}]}',
      "tool_call",
      /done/,
    ],
    ["an action in an array", '{"action":["continue"]}', "action", /an array/],
    ["no action", '{"speak":"hi"}', "action", /found nothing/],
    ["an inherited action", '{"__proto__":{"action":"continue"}}', "action", /found nothing/],
    [
      "done with a call",
      '{"action":"done","goal_check":"ok","tool_call":{"name":"move","arguments":{}}}',
      "tool_call",
      /none with action done/,
    ],
    [
      "next_plan with a call",
      '{"action":"next_plan","goal_check":"ok","tool_call":{"name":"move"}}',
      "tool_call",
      /none with action next_plan/,
    ],
    ["ask_user with a call", '{"action":"ask_user","tool_call":{"name":"move"}}', "tool_call", /none with action ask/],
    [
      "continue with an abort",
      '{"action":"continue","abort":{"user_message":"no"}}',
      "abort",
      /none with action continue/,
    ],
    [
      "abort without its object",
      '{"action":"abort","speak":"stop"}',
      "abort",
      /an abort \{user_message\} with action abort/,
    ],
    [
      "abort with a blank user_message",
      '{"action":"abort","abort":{"user_message":" "}}',
      "abort.user_message",
      /blank/,
    ],
    ["abort as text", '{"action":"abort","abort":"stop"}', "abort", /found text/],
    ["confirm without a call", '{"action":"confirm","speak":"ok?"}', "tool_call", /with action confirm/],
    [
      "confirm with a nameless call",
      '{"action":"confirm","tool_call":{"arguments":{"a":1}}}',
      "tool_call.name",
      /nothing/,
    ],
    ["a call with a blank name", '{"action":"continue","tool_call":{"name":" "}}', "tool_call.name", /blank text/],
    ["two objects back to back", '{"action":"continue"}{"action":"done"}', "reply", /second object/],
    ["an empty reply", "", "reply", /an empty reply/],
    ["a reply of blanks and zero-width characters", " \n\t\ufeff\u200b", "reply", /an empty reply/],
    ["long prose without an object", "I will look at the calendar now. ".repeat(40), "reply", /no JSON object/],
    ["full-width quotes and colons", "{“action”：“continue”}", "reply", /full-width punctuation.*ASCII/],
    ["a full-width colon", '{"action"："continue"}', "reply", /full-width punctuation/],
    ["full-width braces", '｛"action":"continue"｝', "reply", /full-width brackets.*ASCII/],
    ["full-width braces beside an object", '｛"action":"done"｝{"action":"continue"}', "reply", /full-width brackets/],
    ["duplicate keys", '{"action":"continue","action":"done"}', "action", /same key twice/],
    ["duplicate keys in arguments", call('{"id":1,"\\u0069d":2}'), "tool_call.arguments.id", /same key twice/],
    ["duplicate __proto__", call('{"__proto__":1,"__proto__":2}'), "tool_call.arguments.__proto__", /same key twice/],
    ["a thought that never ends", '<think>so {"action":"continue","speak":"hi"}', "reply", /never closed/],
    [
      "a thought that begins after the object and never ends",
      '{"action":"continue"}<think>hm',
      "reply",
      /never closed/,
    ],
    ["a thought inside the object", '{"action":<think>x</think>"continue"}', "reply", /inside the object/],
    ["an object before a lone </think>", '{"action":"continue","speak":"hi"}</think>', "reply", /no JSON object/],
    ["an array at the root", '[{"action":"continue"}]', "reply", /square brackets/],
    ["a placeholder in prose", 'For {day}: {"action":"continue"}', "reply", /second object/],
    ["a list after the object", '{"action":"continue"} ["a"]', "reply", /brackets outside/],
    ["a list of objects in prose", 'See [{"a":1}]. {"action":"continue"}', "reply", /brackets outside/],
    ["a stray closing brace", '{"action":"continue"}}', "reply", /brackets outside/],
    [
      "a missing closing bracket",
      '{"action":"continue","tool_call":{"name":"a","arguments":{"b":[1}}',
      "tool_call.arguments.b",
      /comma or \]/,
    ],
    ["an integer beyond 2^53-1", call('{"id":9007199254740993}'), "tool_call.arguments.id", /as a string/],
    ["an integer below -(2^53-1)", call('{"id":-9007199254740992}'), "tool_call.arguments.id", /2\^53/],
    ["a huge number in exponent form", call('{"id":1e400}'), "tool_call.arguments.id", /2\^53/],
    ["an escaped lone surrogate", call('{"a":["\\ud83d"]}'), "tool_call.arguments.a[0]", /lone surrogate/],
    ["a raw lone surrogate", call('{"a":"\udc00"}'), "tool_call.arguments.a", /lone surrogate/],
    ["a lone surrogate in a key", call('{"\\ud83d":1}'), "tool_call.arguments", /lone surrogate/],
    ["arguments as an array", call("[1]"), "tool_call.arguments", /an array/],
    ["arguments as prose", call('"task 7"'), "tool_call.arguments", /not JSON/],
    ["arguments encoded twice", call(quoted(quoted('{"a":1}'))), "tool_call.arguments", /text that holds text/],
    ["duplicate keys in encoded arguments", call(quoted('{"a":1,"a":2}')), "tool_call.arguments.a", /same key twice/],
    ["speak as an object", '{"action":"continue","speak":{"text":"hi"}}', "speak", /an object; legal is text/],
    ["reason as a number", '{"action":"continue","reason":1}', "reason", /a number/],
  ];

  test.each(REFUSED)("%s", (_title, raw, field, says) => {
    const problem = problemOf(raw);
    expect(problem).toMatchObject({ code: "decision_invalid", details: { field } });
    expect(problem.message).toMatch(says);
    expect(problem.message.startsWith(`${field}: found `)).toBe(true);
  });

  test("a reply above 256 KB", () => {
    expect(problemOf(quoted({ action: "continue", speak: "x".repeat(256 * 1024) })).message).toMatch(/256 KB/);
    expect(problemOf(quoted({ action: "continue", speak: "语".repeat(90_000) })).message).toMatch(/256 KB/);
    expect(parseDecision(quoted({ action: "continue", speak: "x".repeat(200_000) })).ok).toBe(true);
  });

  test.each([
    ["open arrays", `{"action":${"[".repeat(100_000)}`],
    ["open objects", '{"a":'.repeat(20_000)],
    ["a closed nest", call(`${'{"a":'.repeat(16_000)}1${"}".repeat(16_000)}`)],
    ["a nest encoded as a string", call(quoted(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`))],
    ["many open thoughts", "<think>a</think>".repeat(6_000)],
    ["many tags that are none", "<think ".repeat(14_000)],
  ])("100 KB of nested %s is refused", (_title, raw) => {
    expect(problemOf(raw).code).toBe("decision_invalid");
  });

  test("the message quotes at most 200 characters of the reply and stays storable", () => {
    const raw = quoted({ action: "continue", speak: { ["k".repeat(500)]: "😀".repeat(500) } });
    for (const reply of [raw, raw.slice(0, -3), "语".repeat(5000), `{"${"k".repeat(300)}":${"9".repeat(900)}}`]) {
      const { message, details } = problemOf(reply);
      const excerpt = String(details?.excerpt);
      expect(excerpt.length).toBeLessThanOrEqual(200);
      expect(message).toContain(excerpt);
      expect(message.length).toBeLessThan(400);
      expect(message.isWellFormed()).toBe(true);
    }
  });

  test("a value that is not text gives a problem too", () => {
    expect(parseDecision(undefined as unknown as string).ok).toBe(false);
  });
});

describe("finishes_step and delivery", () => {
  const look = { name: "query_range", arguments: { day: 4 } };
  const parsed = (value: object): ExecuteDecision => decisionOf(quoted(value));

  test.each(["continue", "confirm"])("finishes_step is read with a call of %s", (action) => {
    expect(parsed({ action, tool_call: look, finishes_step: true })).toEqual({
      action,
      tool_call: look,
      finishes_step: true,
    });
  });

  test.each([false, null, "", {}])("finishes_step %j means that it is absent", (finishes_step) => {
    expect(parsed({ action: "continue", tool_call: look, finishes_step })).toEqual({
      action: "continue",
      tool_call: look,
    });
  });

  test.each(["true", 1, [true]])("finishes_step %j is refused, never guessed", (finishes_step) => {
    expect(problemOf(quoted({ action: "continue", tool_call: look, finishes_step })).details).toMatchObject({
      field: "finishes_step",
    });
  });

  test("delivery is read with done, and ignored elsewhere like any other unknown field", () => {
    expect(parsed({ action: "done", goal_check: "seen", delivery: " All there. " })).toEqual({
      action: "done",
      goal_check: "seen",
      delivery: "All there.",
    });
    expect(parsed({ action: "continue", speak: "ok", delivery: 7, finishes_step: true })).toEqual({
      action: "continue",
      speak: "ok",
    });
  });
});
