import { describe, expect, test } from "vitest";
import type { Problem } from "../../../../src/schema/problem.ts";
import { applyPatch, type Patched, type PatchOptions } from "../../../../src/toolkits/files/patch/apply-patch.ts";

function patched(content: string, old: string, newText: string, options?: PatchOptions): Patched {
  const result = applyPatch(content, old, newText, options);
  if (!result.ok) throw new Error(result.problem.message);
  return result;
}

function rejected(content: string, old: string, newText: string, options?: PatchOptions): Problem {
  const result = applyPatch(content, old, newText, options);
  if (result.ok) throw new Error(`applied by ${result.strategy}`);
  return result.problem;
}

describe("applied patch", () => {
  test("returns the content, the strategy, the matches and a diff", () => {
    const result = patched("a = 1\nb = 2\nc = 3\n", "b = 2", "b = 20\nd = 4");
    expect(result.content).toBe("a = 1\nb = 20\nd = 4\nc = 3\n");
    expect(result.strategy).toBe("exact");
    expect(result.matches).toEqual([{ strategy: "exact", startIndex: 6, endIndex: 11, matchedText: "b = 2" }]);
    expect(result.diff).toBe("1 place changed (exact)\n@@ line 2 @@\n-b = 2\n+b = 20\n+d = 4");
  });

  test("inserts dollar signs literally", () => {
    const newText = "cost = `$&` + '$1' + \"$$\" + `$<price>$'`";
    expect(patched("x\ncost = 0\ny\n", "cost = 0", newText).content).toBe(`x\n${newText}\ny\n`);
    expect(patched("x\n  cost = 0\n  z\n", "cost = 0\nz", `${newText}\nz`).content).toBe(`x\n  ${newText}\n  z\n`);
  });

  test("replaces all matches with replaceAll", () => {
    expect(patched("a b a\na\n", "a", "bbb", { replaceAll: true }).content).toBe("bbb b bbb\nbbb\n");
    const result = patched("  go();\nx\n    go();\n", "go();\n", "stop();\n", { replaceAll: true });
    expect(result.content).toBe("  stop();\nx\n    stop();\n");
    expect(result.matches).toHaveLength(2);
  });

  test("replaces all matches that differ only in whitespace, each with its own indentation", () => {
    const content = "if (a) {\n  run( );\n  end();\n}\nif (b) {\n\t\trun( );\n\t\tend();\n}\n";
    const result = patched(content, "run( );\nend();", "run(1);\nend();\nlog();", { replaceAll: true });
    expect(result.content).toBe(
      "if (a) {\n  run(1);\n  end();\n  log();\n}\nif (b) {\n\t\trun(1);\n\t\tend();\n\t\tlog();\n}\n",
    );
  });

  test("deletes whole lines with their line break, and only the matched text within a line", () => {
    expect(patched("a\nb\nc\n", "b", "").content).toBe("a\nc\n");
    expect(patched("a\nb\nc\n", "b\n", "").content).toBe("a\nc\n");
    expect(patched("a\n  b\nc", "b", "").content).toBe("a\nc");
    expect(patched("one two three\n", "two ", "").content).toBe("one three\n");
  });

  test("keeps the line break if only the old text ends with one", () => {
    expect(patched("a\nb\nc\n", "a\nb\n", "a\nx").content).toBe("a\nx\nc\n");
    expect(patched("call(\n  a)\n", "call(\n  ", "call(").content).toBe("call(a)\n");
  });

  test("truncates a long diff", () => {
    const many = Array.from({ length: 100 }, (_, line) => `line ${line} ${"x".repeat(300)}`).join("\n");
    const { diff } = patched("start\nend\n", "start", many);
    expect(diff.split("\n").length).toBeLessThan(50);
    expect(diff).toMatch(/… \d+ more lines$/);
    expect(Math.max(...diff.split("\n").map((line) => line.length))).toBeLessThan(200);
  });
});

describe("rejected patch", () => {
  test("has separate problems for empty, blank and identical text", () => {
    const problems = [rejected("a\n", "", "b"), rejected("a\n", " \n\t", "b"), rejected("a\n", "a", "a")];
    expect(problems.map(({ code }) => code)).toEqual(["patch_empty", "patch_blank", "patch_identical"]);
    expect(new Set(problems.map(({ message }) => message)).size).toBe(3);
    expect(problems.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(rejected("a\r\n", "a\r\nb", "a\nb").code).toBe("patch_identical");
  });

  test("an ambiguous match reports the count, two remedies and at most five positions", () => {
    const two = rejected("go();\nx\ngo();\n", "go();", "stop();");
    expect(two.code).toBe("patch_ambiguous");
    expect(two.message).toMatch(/\b2 places\b/);
    expect(two.message).toMatch(/more context/);
    expect(two.message).toMatch(/replace_all/);
    expect(two.details).toMatchObject({ count: 2, lines: [1, 3], strategy: "exact" });
    const long = `go(${"x".repeat(200)});`;
    const seven = rejected(`${long}\n\n`.repeat(7), long, "stop();");
    const rows = seven.message.split("\n").filter((line) => /^ {2}line \d+: /.test(line));
    expect(rows).toHaveLength(5);
    expect(rows[1]).toMatch(/^ {2}line 3: go\(x+…$/);
    expect(rows[1]?.length).toBeLessThan(100);
    expect(seven.message).toMatch(/2 more/);
  });

  test("never resolves an ambiguous match with a looser strategy", () => {
    // If whitespace is ignored, there are two matches. If it is compared, one of them matches better.
    const content = "  open();\n  close();\nx\n\topen();\n\tclose();\n";
    expect(rejected(content, "open();\nclose();", "x").details).toMatchObject({
      lines: [1, 4],
      strategy: "line_trimmed",
    });
    expect(rejected("aaa", "aa", "b").code).toBe("patch_ambiguous");
    expect(rejected("x\nx\nx\n", "x\nx", "y").code).toBe("patch_ambiguous");
  });

  test("detects a patch that was already applied", () => {
    const cases = [
      ["a = compute();\nb\nc\n", "a = compute();", "a = computeMore();"],
      ["a\nreturn 1;\nc\n", "a\nreturn 1;", "a\nlog('here');\nreturn 1;"],
      ["start();\nstop();\nleave();\n", "start();\nstop();\nleave();", "start();\nleave();"],
      ["    one();\n    two();\n", "one();\ntwo();", "one();\nthree();\ntwo();"],
    ] as const;
    for (const [content, old, newText] of cases) {
      const once = patched(content, old, newText).content;
      expect(rejected(once, old, newText).code).toBe("patch_already_applied");
    }
  });

  test("does not report a patch as applied because its new text is short or occurs elsewhere", () => {
    expect(rejected("ok\n", "missing text", "ok").code).toBe("patch_not_found");
    expect(patched("log(a);\nlog(b);\n", "log(a);", "log(b);").content).toBe("log(b);\nlog(b);\n");
  });

  test("shows the closest lines with numbers when nothing matches", () => {
    const content = Array.from({ length: 40 }, (_, line) => `const value${line} = compute(${line});`).join("\n");
    const problem = rejected(content, "const value20 = compute(99);\nconst other = 1;", "x");
    expect(problem.code).toBe("patch_not_found");
    expect(problem.message).toContain("21 | const value20 = compute(20);");
    expect(problem.message).toContain("19 | const value18 = compute(18);");
    expect(rejected("some text\n", "nothing like it", "x").message).not.toContain("|");
  });

  test("shows whitespace if a line differs only in whitespace", () => {
    const problem = rejected("f(a,\tb);\none();\ntwo();\nend();\n", "f(a, b);\nend();", "x");
    expect(problem.code).toBe("patch_not_found");
    expect(problem.message).toContain("file: f(a,→b);");
    expect(problem.message).toContain("old:  f(a,·b);");
  });

  test("names the strategy if replace_all finds only an approximate match", () => {
    const block = "start(alpha);\nmiddle(beta);\nfinish(gamma);";
    const problem = rejected(`${block}\n`, "start(alpha);\nmiddle(beta)\nfinish(gamma);", "x", { replaceAll: true });
    expect(problem.code).toBe("patch_approximate");
    expect(problem.message).toContain("block_anchor");
    const twice = rejected(`${block}\nx\n${block}\n`, "start(alpha);\nmiddle(beta)\nfinish(gamma);", "x", {
      replaceAll: true,
    });
    expect(twice.code).toBe("patch_approximate");
    expect(twice.message).toContain("block_anchor");
  });

  test("does not write accidental backslashes before quotes", () => {
    const one = rejected('say("hi");\n', 'say(\\"hi\\");', 'say(\\"bye\\");');
    expect(one.code).toBe("patch_escape_drift");
    const mixed = rejected(
      'say("hi", "you");\nleave();\n',
      'say(\\"hi\\", "you");\nleave();',
      'say(\\"bye\\", "you");\nleave();',
    );
    expect(mixed.code).toBe("patch_escape_drift");
    const close = rejected(
      'open("door");\nwalk(10);\nclose("door");\n',
      'open("door");\nwalk(10)\nclose(\\"door\\");',
      'open("door");\nclose(\\"door\\");',
    );
    expect(close.code).toMatch(/^patch_(escape_drift|not_found)$/);
  });
});
