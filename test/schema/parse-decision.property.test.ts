import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExecuteDecision, type PlanDecision } from "../../src/schema/decision/decision.ts";
import { parseDecision, parsePlanDecision } from "../../src/schema/decision/parse-decision.ts";
import { NEEDS } from "../../src/schema/plan.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('say "hi" {x} [y]', "<think>", "</think>", "```json", "a\\b\n\t", "｛“：”｝", "😀\u200b"),
);
/** Generates text as the parser returns it: trimmed and not blank. */
const said = anyText.map((text) => `x${text}y`);
const json = fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" });
// The arguments are serialized as JSON first, which cannot represent -0.
const args = fc
  .dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), json, { maxKeys: 5, noNullPrototype: true })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
  .filter((value) => !hasInexact(value));
const tool_call = fc.record({ name: said, arguments: args }, { noNullPrototype: true });
const texts = { speak: said, reason: said };
const executed = { ...texts, goal_check: said };

const executeDecision: fc.Arbitrary<ExecuteDecision> = fc.oneof(
  fc.record(
    { action: fc.constant("continue" as const), ...executed, tool_call },
    { noNullPrototype: true, requiredKeys: ["action"] },
  ),
  fc.record(
    { action: fc.constantFrom("ask_user", "next_plan", "done"), ...executed },
    { noNullPrototype: true, requiredKeys: ["action"] },
  ),
  fc.record(
    { action: fc.constant("confirm" as const), ...executed, tool_call },
    { noNullPrototype: true, requiredKeys: ["action", "tool_call"] },
  ),
  fc.record(
    {
      action: fc.constant("abort" as const),
      ...executed,
      abort: fc.record(
        { code: said, user_message: said, internal_reason: said },
        { noNullPrototype: true, requiredKeys: ["user_message"] },
      ),
    },
    { noNullPrototype: true, requiredKeys: ["action", "abort"] },
  ),
);

const draft = fc.record(
  { content: said, done_when: said, needs: fc.constantFrom(...NEEDS) },
  { noNullPrototype: true, requiredKeys: ["content"] },
);
const planDecision: fc.Arbitrary<PlanDecision> = fc.oneof(
  fc.record(
    { action: fc.constantFrom("continue", "ask_user"), ...texts },
    { noNullPrototype: true, requiredKeys: ["action"] },
  ),
  fc.record(
    { action: fc.constant("answer" as const), ...texts },
    { noNullPrototype: true, requiredKeys: ["action", "speak"] },
  ),
  fc.record(
    {
      action: fc.constant("plan_done" as const),
      ...texts,
      plan_steps: fc.array(draft, { minLength: 1, maxLength: 20 }),
    },
    { noNullPrototype: true, requiredKeys: ["action", "plan_steps"] },
  ),
);

const prose = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[{}[\]<｛｝［］]/g, ""));
const thought = fc.string().map((text) => `<think>${text.replaceAll("</think", "")}{[</think>`);
const wrap = fc.oneof(
  fc.tuple(prose, prose),
  prose.map((text): [string, string] => [`${text}\n\`\`\`json\n`, "\n```\n"]),
  thought.map((text): [string, string] => [`\ufeff${text}`, ""]),
  prose.map((text): [string, string] => [`${text} {x} </think>`, text]),
);

function hasInexact(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInexact);
}

/** Generates fragments of decisions in random order, which reach more edge cases of the parser than random text. */
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        ":",
        ",",
        "<think>",
        "</think>",
        "```",
        "\ufeff",
        "\ud800",
        "\\u",
        "｛",
      ),
      fc.constantFrom(
        '"action"',
        '"continue"',
        '"tool_call"',
        '"__proto__"',
        "-",
        "1e999",
        "null",
        "tru",
        "'",
        "\n",
        "//",
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("parseDecision and parsePlanDecision", () => {
  test("no text makes them throw, and every refusal is a decision_invalid that can be stored", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          pieces,
          fc.string({ unit: "binary" }),
          json.map((value) => JSON.stringify(value)),
        ),
        (raw) => {
          for (const parsed of [parseDecision(raw), parsePlanDecision(raw)]) {
            if (parsed.ok) continue;
            expect(parsed.problem.code).toBe("decision_invalid");
            expect(parsed.problem.message.isWellFormed()).toBe(true);
            expect(String(parsed.problem.details?.excerpt).length).toBeLessThanOrEqual(200);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("no object with fields of any kind makes them throw", () => {
    const fields = fc.dictionary(
      fc.constantFrom("action", "speak", "reason", "goal_check", "tool_call", "abort", "plan_steps", "__proto__"),
      fc.oneof(
        json,
        fc.constantFrom("continue", "confirm", "abort", "plan_done"),
        fc.record({ name: json, arguments: json }),
      ),
    );
    fc.assert(
      fc.property(fields, (value) => {
        expect(typeof parseDecision(JSON.stringify(value)).ok).toBe("boolean");
        expect(typeof parsePlanDecision(JSON.stringify(value)).ok).toBe("boolean");
      }),
      { numRuns: 1000 },
    );
  });

  test("a decision written as JSON is parsed unchanged", () => {
    fc.assert(
      fc.property(executeDecision, (decision) => {
        expect(parseDecision(JSON.stringify(decision))).toStrictEqual({ ok: true, value: decision });
        expect(parseDecision(JSON.stringify(decision, null, 2))).toStrictEqual({ ok: true, value: decision });
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(planDecision, (decision) => {
        expect(parsePlanDecision(JSON.stringify(decision))).toStrictEqual({ ok: true, value: decision });
      }),
    );
  });

  test("a decision has only the fields of its action, in the order of its schema", () => {
    fc.assert(
      fc.property(executeDecision, (decision) => {
        const disordered = Object.fromEntries(Object.entries({ ...decision, mood: "good" }).toReversed());
        const parsed = parseDecision(JSON.stringify(disordered));
        expect(JSON.stringify(parsed)).toBe(JSON.stringify({ ok: true, value: ExecuteDecision.parse(decision) }));
      }),
      { numRuns: 500 },
    );
  });

  test("surrounding fences, thoughts and prose change nothing", () => {
    fc.assert(
      fc.property(executeDecision, wrap, (decision, [before, after]) => {
        const raw = `${before}${JSON.stringify(decision)}${after}`;
        expect(parseDecision(raw)).toStrictEqual({ ok: true, value: decision });
      }),
      { numRuns: 500 },
    );
  });

  test("every truncation of a valid decision is refused", () => {
    fc.assert(
      fc.property(executeDecision, (decision) => {
        const raw = JSON.stringify(decision);
        for (let end = 0; end < raw.length; end += 1) expect(parseDecision(raw.slice(0, end)).ok).toBe(false);
      }),
    );
    fc.assert(
      fc.property(planDecision, (decision) => {
        const raw = JSON.stringify(decision);
        for (let end = 0; end < raw.length; end += 1) expect(parsePlanDecision(raw.slice(0, end)).ok).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test("a second decision after the first is refused", () => {
    fc.assert(
      fc.property(executeDecision, executeDecision, prose, (first, second, between) => {
        expect(parseDecision(`${JSON.stringify(first)}${between}${JSON.stringify(second)}`).ok).toBe(false);
      }),
    );
  });
});
