import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { answerGate } from "../../src/cli/answer-gate.ts";
import { escapeControl, jsonText, terminalLine } from "../../src/cli/output.ts";
import type { TerminalInput } from "../../src/cli/terminal-input.ts";
import { DoubtGate, Gate } from "../../src/schema/gate.ts";

const id = (prefix: string): string => `${prefix}_${"0".repeat(26)}`;
const AT = "2026-03-02T08:00:00.000Z";
const common = { id: id("gat"), created_at: AT, expires_at: null, version: 3 };
const call = {
  name: "send",
  manifest_version: "1",
  effect: "unkeyed",
  arguments: { to: "ada" },
  arguments_blob: null,
  arguments_digest: "d",
  proposed_digest: null,
  thought: "",
};
const intended = {
  id: id("rcp"),
  kind: "intended",
  run: 1,
  turn: 2,
  step_index: 0,
  source: "write_receipt",
  name: "send",
  manifest_version: "1",
  arguments_digest: "d",
  proposed_digest: null,
  gate_id: null,
  actor: null,
  effect_id: id("eff"),
  output_trust: "trusted",
  started_at: AT,
  settle_by: AT,
  success: null,
  summary: "send",
};
const question = (choices: readonly string[], standard: string | null): Gate =>
  Gate.parse({ ...common, kind: "question", text: "Which day?", choices, default: standard });
const doubt = DoubtGate.parse({ ...common, kind: "doubt", text: "Was it sent?", call, intended });

/** Returns input that consists of these lines and then ends. */
function person(...lines: string[]): TerminalInput {
  return { ask: async () => lines.shift() ?? null, onInterrupt: () => undefined, close: () => undefined };
}

let screen = "";
beforeEach(() => {
  screen = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    screen += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

describe("a question", () => {
  const bound = { type: "answer", gate_id: common.id };

  test("is answered by the number of a choice, its text, or other text", async () => {
    const gate = question(["Mon", "Tue"], null);
    expect(await answerGate(person("2"), gate)).toEqual({ input: { ...bound, choice: "Tue" } });
    expect(await answerGate(person("Mon"), gate)).toEqual({ input: { ...bound, choice: "Mon" } });
    expect(await answerGate(person("whenever"), gate)).toEqual({ input: { ...bound, text: "whenever" } });
    expect(screen).toContain("  2. Tue");
  });

  test("uses its default for an empty line, and asks again if it has none", async () => {
    expect(await answerGate(person(""), question([], "Wed"))).toEqual({ input: { ...bound, text: "Wed" } });
    expect(await answerGate(person("", "Thu"), question([], null))).toEqual({ input: { ...bound, text: "Thu" } });
  });
});

describe("several questions", () => {
  const questions = [
    { question: "Which rooms?", choices: ["A", "B", "C"], multiple: true },
    { question: "Which day?", choices: ["Mon", "Tue"], multiple: false },
    { question: "Why?", choices: [], multiple: false },
  ];
  const gate = Gate.parse({ ...question([], null), questions });

  test("are asked one after the other, and sent together", async () => {
    expect(await answerGate(person("1, 3", "Tue", "a talk"), gate)).toEqual({
      input: {
        type: "answer",
        gate_id: common.id,
        answers: [{ choices: ["A", "C"] }, { choices: ["Tue"] }, { text: "a talk" }],
      },
    });
    expect(screen).toContain("  3. C");
  });

  test("a number that is no choice, two numbers for one answer and an empty line are asked again", async () => {
    const action = await answerGate(person("4", "2", "1 2", "1", "", "2"), gate);
    const answers = [{ choices: ["B"] }, { choices: ["Mon"] }, { text: "2" }];
    expect(action).toEqual({ input: { type: "answer", gate_id: common.id, answers } });
  });

  test("a command in between leaves all of them unanswered", async () => {
    expect(await answerGate(person("1", "/quit"), gate)).toBe("leave");
  });
});

describe("a doubt", () => {
  test.each([
    ["h", "happened"],
    ["n", "not_happened"],
    ["a", "try_again"],
    ["x", "abort"],
  ])("%s resolves it as %s", async (line, outcome) => {
    expect(await answerGate(person(line), doubt)).toEqual({ input: { type: "resolve", gate_id: common.id, outcome } });
    expect(screen).toContain('"to": "ada"');
  });

  test("is not resolved by an unknown word or by the end of input", async () => {
    expect(await answerGate(person("yes", "maybe"), doubt)).toBe("leave");
  });
});

describe("every gate", () => {
  test("can be left, shown, or cancelled", async () => {
    expect(await answerGate(person("/quit"), doubt)).toBe("leave");
    expect(await answerGate(person("/show"), doubt)).toBe("show");
    expect(await answerGate(person("/cancel"), doubt)).toEqual({ input: { type: "cancel" } });
  });
});

describe("text of models and tools", () => {
  test("cannot control the terminal or reverse a line", () => {
    expect(escapeControl("a\u001b[2Jb\rc\u202ed\ne\tf")).toBe("a\\u{1b}[2Jb\\u{d}c\\u{202e}d\ne\tf");
    expect(terminalLine("one\n two\t three", 9)).toBe("one two …");
  });

  test("in JSON is escaped as JSON, so that the value stays what it was", () => {
    const value = { to: "a\u009b2J\u202eda\u200b\u{e0041}", lines: "1\n2" };
    expect(jsonText(value)).toBe('{"to":"a\\u009b2J\\u202eda\\u200b\\udb40\\udc41","lines":"1\\n2"}');
    expect(JSON.parse(jsonText(value, 2))).toEqual(value);
  });
});
