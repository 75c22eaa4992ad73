import { describe, expect, test } from "vitest";
import { type FuzzyMatch, fuzzyFindAll, matchOf } from "../../../../src/toolkits/files/patch/find/fuzzy-find.ts";
import { createSearch } from "../../../../src/toolkits/files/patch/find/search.ts";
import { STRATEGIES, type StrategyName } from "../../../../src/toolkits/files/patch/find/strategies.ts";
import { indexSource } from "../../../../src/toolkits/files/patch/source-text.ts";

function findBy(name: StrategyName, content: string, search: string): FuzzyMatch[] {
  const source = indexSource(content);
  const strategy = STRATEGIES.find((each) => each.name === name);
  const spans = strategy?.find(createSearch(source, search)).spans ?? [];
  return spans.map((span) => matchOf(source, name, span));
}

const BLOCK = [
  "export function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) sum += item.price;",
  "  log('total computed');",
  "  return sum;",
  "}",
];
const FILE = `const rate = 3;\n\n${BLOCK.join("\n")}\n\nexport const done = true;\n`;

/** One example per strategy: a search text and what it matches. */
const FIXTURES: readonly { name: StrategyName; content: string; search: string; matched: string }[] = [
  { name: "exact", content: FILE, search: "let sum = 0;", matched: "let sum = 0;" },
  {
    name: "line_trimmed",
    content: FILE,
    search: "let sum = 0;  \n      for (const item of items) sum += item.price;",
    matched: "  let sum = 0;\n  for (const item of items) sum += item.price;",
  },
  {
    name: "whitespace_normalized",
    content: FILE,
    search: "sum  +=  item.price;\n\n\nlog('total computed');",
    matched: "sum += item.price;\n  log('total computed');",
  },
  { name: "indent_flexible", content: FILE, search: "sum;\n        }", matched: "sum;\n}" },
  {
    name: "escape_normalized",
    content: FILE,
    search: "  let sum = 0;\\n  for (const item of items)",
    matched: "  let sum = 0;\n  for (const item of items)",
  },
  { name: "trimmed_boundary", content: FILE, search: "\n\n   return sum;\n}  \n", matched: "return sum;\n}" },
  { name: "unicode_normalized", content: FILE, search: "log(‘total computed’);", matched: "log('total computed');" },
  {
    name: "block_anchor",
    content: FILE,
    search: BLOCK.toSpliced(2, 1, "  for (var item of items) sum += item.pirce").join("\n"),
    matched: BLOCK.join("\n"),
  },
  {
    name: "context_aware",
    content: FILE,
    search: [
      "export functoin total(items) {",
      "  let sum = 0;",
      "  for (const item of items) sum += item.prices;",
    ].join("\n"),
    matched: BLOCK.slice(0, 3).join("\n"),
  },
];

describe("strategies", () => {
  test("are sorted from exact to approximate", () => {
    expect(STRATEGIES.map(({ name }) => name)).toEqual(FIXTURES.map(({ name }) => name));
    expect(STRATEGIES.filter(({ approximate }) => approximate).map(({ name }) => name)).toEqual([
      "block_anchor",
      "context_aware",
    ]);
  });

  test.each(FIXTURES)("$name matches its example", ({ name, content, search, matched }) => {
    const found = findBy(name, content, search);
    expect(found.map(({ matchedText }) => matchedText)).toEqual([matched]);
    for (const match of found) expect(content.slice(match.startIndex, match.endIndex)).toBe(match.matchedText);
  });

  test.each(FIXTURES)("no strategy later than $name is used for its example", ({ name, content, search }) => {
    const order = STRATEGIES.map((strategy) => strategy.name);
    const [first] = fuzzyFindAll(content, search);
    expect(order.indexOf(first?.strategy ?? "context_aware")).toBeLessThanOrEqual(order.indexOf(name));
    const earlier = order.slice(0, order.indexOf(first?.strategy ?? "exact"));
    for (const each of earlier) expect(findBy(each, content, search)).toEqual([]);
  });

  test.each([
    ["exact", "return sum;"],
    ["line_trimmed", "  log('total computed');  \nreturn sum;"],
    ["whitespace_normalized", "return   sum;"],
    ["escape_normalized", "log('total computed');\\n  return sum;"],
    ["unicode_normalized", "log(’total computed’);"],
    ["block_anchor", BLOCK.toSpliced(2, 1, "  for (var item of items) sum += item.pirce").join("\n")],
    ["context_aware", "  return sum;\n}\n\nexprot const done = true;"],
  ] as const)("reports the first strategy that matches: %s", (name, search) => {
    expect(fuzzyFindAll(FILE, search).map(({ strategy }) => strategy)).toEqual([name]);
  });
});

describe("fuzzyFindAll", () => {
  test("returns three sorted matches without overlaps for three occurrences", () => {
    const content = "one\n  two\none\n\ttwo\none\n    two\n";
    const found = fuzzyFindAll(content, "one\ntwo");
    expect(found.map(({ strategy }) => strategy)).toEqual(["line_trimmed", "line_trimmed", "line_trimmed"]);
    expect(found.map(({ matchedText }) => matchedText)).toEqual(["one\n  two", "one\n\ttwo", "one\n    two"]);
    const starts = found.map(({ startIndex }) => startIndex);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    for (const [index, match] of found.entries())
      expect(match.endIndex).toBeLessThanOrEqual(starts[index + 1] ?? Infinity);
  });

  test("returns offsets of the raw text when normalization changes lengths", () => {
    const content = "\uFEFF// intro …\r\nsay(“hello … you”)\r\n\r\n   end()\r\n";
    for (const search of ['say("hello ... you")', 'say("hello ... you")\nend()', "say(“hello … you”)\n\n   end()"]) {
      const [match, ...more] = fuzzyFindAll(content, search);
      expect(more).toEqual([]);
      expect(match && content.slice(match.startIndex, match.endIndex)).toBe(match?.matchedText);
      expect(match?.matchedText.startsWith("say(“hello")).toBe(true);
    }
  });

  test("does not match part of a longer word when ignoring whitespace", () => {
    expect(fuzzyFindAll("account  = 1;\n", "count = 1;")).toEqual([]);
  });

  test("finds nothing for empty or blank text, or in an empty file", () => {
    expect(fuzzyFindAll("a\n\n b", "")).toEqual([]);
    expect(fuzzyFindAll("a\n\n b", " \n ")).toEqual([]);
    expect(fuzzyFindAll("", "a")).toEqual([]);
  });

  test("returns one of several overlapping matches", () => {
    expect(fuzzyFindAll("aaa", "aa").map(({ startIndex }) => startIndex)).toEqual([0]);
    expect(fuzzyFindAll("x\n x\nx\n", "x\nx").length).toBe(1);
  });
});
