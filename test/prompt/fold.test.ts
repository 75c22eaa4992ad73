import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DIALOGUE_LINES_MAX,
  FOLDED_LINE_BYTES,
  FOLDED_LINES_MAX,
  foldDialogue,
  foldEntry,
} from "../../src/prompt/fold.ts";
import { foldEvicted } from "../support/fold-evicted.ts";
import { aCallEntry, anEntry, aState, aThread, idOf } from "../support/thread.ts";

const EMPTY = { lines: [], counts: {} };
const SILENT = { lines: [], dropped: 0 };
/** Generates text with every kind of character that could be split. */
const anyText = fc.string({
  unit: fc.constantFrom("a", "Z", "_", " ", "\n", "é", "日", "😀", "\ud800", '"', "{"),
  maxLength: 120,
});
const bytes = (text: string): number => new TextEncoder().encode(text).length;

const folded = (turns: number, name = "query_range") => {
  let result: ReturnType<typeof foldEntry> = EMPTY;
  for (let turn = 1; turn <= turns; turn++)
    result = foldEntry(result, aCallEntry({ turn, name, text: "x".repeat(1234) }));
  return result;
};

describe("an observation that leaves the loaded range", () => {
  test("is a line with turn, tool, arguments, size and the whole receipt id", () => {
    expect(folded(1).lines).toEqual([`t1 query_range day:1 1.2KB ${idOf("rcp", 1)}`]);
  });

  test("says so if the call failed", () => {
    const line = foldEntry(EMPTY, aCallEntry({ turn: 3, success: false })).lines[0];
    expect(line).toBe(`t3 query_range day:3 failed ${idOf("rcp", 3)}`);
  });

  test("leaves no line if the entry had no observation", () => {
    expect(foldEntry(EMPTY, anEntry({ turn: 1, speak: "Hello" }))).toEqual(EMPTY);
  });

  test("takes at most 80 bytes in any script, cut between characters, with the complete receipt id", () => {
    fc.assert(
      fc.property(anyText, fc.nat(1_000_000), anyText, (value, turn, name) => {
        const entry = aCallEntry({ turn, name: name.replaceAll(/\s/g, "_") || "x", arguments: { value } });
        const line = foldEntry(EMPTY, entry).lines[0] ?? "";
        expect(bytes(line)).toBeLessThanOrEqual(FOLDED_LINE_BYTES);
        expect(line.isWellFormed()).toBe(true);
        expect(line.endsWith(idOf("rcp", turn))).toBe(true);
        expect(line).not.toMatch(/[\n\r]/);
      }),
    );
  });

  test("becomes a count per tool if there are too many lines", () => {
    const { lines, counts } = folded(FOLDED_LINES_MAX + 5);
    expect(lines).toHaveLength(FOLDED_LINES_MAX);
    expect(lines[0]).toContain("t6 ");
    expect(counts).toEqual({ query_range: 5 });
  });

  test("is counted within a limit even if there are hundreds of tools", () => {
    let result: ReturnType<typeof foldEntry> = EMPTY;
    for (let turn = 1; turn <= 400; turn++) result = foldEntry(result, aCallEntry({ turn, name: `tool_${turn}` }));
    const counts = Object.values(result.counts);
    expect(counts.length).toBeLessThanOrEqual(25);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(400 - FOLDED_LINES_MAX);
  });

  test("is counted like any other if its tool is named like an object's built-in property", () => {
    let result: ReturnType<typeof foldEntry> = EMPTY;
    for (let turn = 1; turn <= 26; turn++) result = foldEntry(result, aCallEntry({ turn, name: "constructor" }));
    expect(result.counts).toEqual({ constructor: 3 });
  });
});

describe("the dialogue of an entry that leaves the loaded range", () => {
  test("is kept as short lines, the user's longer than the assistant's", () => {
    const entry = anEntry({
      turn: 2,
      input: { type: "message", text: "课".repeat(100) },
      speak: `Of course.\n${"x".repeat(200)}`,
    });
    const { lines } = foldDialogue(SILENT, entry);
    expect(lines[0]).toMatch(/^user: 课+…$/);
    expect(bytes(lines[0] ?? "")).toBeLessThanOrEqual(160);
    expect(lines[1]).toMatch(/^assistant: Of course\. x+…$/);
    expect(bytes(lines[1] ?? "")).toBeLessThanOrEqual(80);
  });

  test("keeps the user's first line; the oldest others are dropped and counted", () => {
    let dialogue = foldDialogue(SILENT, anEntry({ turn: 0, create: { goal: "Plan my week" } }));
    for (let turn = 1; turn <= 20; turn++) dialogue = foldDialogue(dialogue, anEntry({ turn, speak: `Line ${turn}` }));
    expect(dialogue.lines).toHaveLength(DIALOGUE_LINES_MAX);
    expect(dialogue.lines[0]).toBe("user: Plan my week");
    expect(dialogue.lines[1]).toBe("assistant: Line 10");
    expect(dialogue.dropped).toBe(9);
  });

  test.each([
    [{ type: "answer", gate_id: idOf("gat", 1), choice: "Monday" }, "user: Monday"],
    [{ type: "answer", gate_id: idOf("gat", 1), text: "on Monday" }, "user: on Monday"],
    [
      { type: "confirm", gate_id: idOf("gat", 1), digest: "d", decision: "reject", reason: "too early" },
      "user: (rejected) too early",
    ],
    [{ type: "resolve", gate_id: idOf("gat", 1), outcome: "not_happened" }, "user: (not happened)"],
  ])("%j becomes a user line", (input, line) => {
    expect(foldDialogue(SILENT, anEntry({ turn: 1, input })).lines).toEqual([line]);
  });

  test("has no line for an approval, a cancel or a correction", () => {
    const approve = { type: "confirm", gate_id: idOf("gat", 1), digest: "d", decision: "approve" };
    const entries = [
      anEntry({ turn: 1, input: approve }),
      anEntry({ turn: 2, input: { type: "cancel" } }),
      anEntry({
        turn: 3,
        corrections: [{ code: "decision_invalid", message: "not JSON", legal: [], excerpt: "nonsense" }],
      }),
    ];
    expect(entries.reduce(foldDialogue, SILENT)).toEqual(SILENT);
  });
});

describe("folding at a commit", () => {
  const entries = Array.from({ length: 17 }, (_, i) => aCallEntry({ turn: i + 1, speak: `Turn ${i + 1}` }));

  test("evicts nothing from a range that is not full", () => {
    const thread = aThread({ entries: entries.slice(0, 16) });
    expect(foldEvicted(thread)).toEqual({ folded: EMPTY, dialogue: SILENT });
  });

  test("evicts the oldest entry of a full range", () => {
    const { folded: after, dialogue } = foldEvicted(aThread({ entries }));
    expect(after.lines).toEqual([`t1 query_range day:1 9B ${idOf("rcp", 1)}`]);
    expect(dialogue.lines).toEqual(["assistant: Turn 1"]);
  });

  test("keeps the state within about 5 KB with full lines and a full key ring", () => {
    let state = aState({ key_ring: Array.from({ length: 64 }, (_, i) => `Zm9vYmFyYmF6:${1000 + i}:${1001 + i}`) });
    for (let turn = 1; turn <= 300; turn++) {
      const input =
        turn % 3 === 0 ? { type: "message", text: "Please look at the following day as well. ".repeat(9) } : null;
      const entry = aCallEntry(
        { turn, text: "x".repeat(3000), speak: "I look at the next day and tell you. ".repeat(9) },
        { input },
      );
      state = { ...state, folded: foldEntry(state.folded, entry), dialogue: foldDialogue(state.dialogue, entry) };
    }
    expect(bytes(JSON.stringify(state))).toBeLessThan(5 * 1024 + 512);
  });
});
