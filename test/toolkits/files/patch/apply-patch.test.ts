import { describe, expect, test } from "vitest";
import type { Problem } from "../../../../src/schema/problem.ts";
import { applyPatch, type Patched, type PatchOptions } from "../../../../src/toolkits/files/patch/apply-patch.ts";

function patched(content: string, old: string, fresh: string, options?: PatchOptions): Patched {
  const result = applyPatch(content, old, fresh, options);
  if (!result.ok) throw new Error(result.problem.message);
  return result;
}

function refused(content: string, old: string, fresh: string, options?: PatchOptions): Problem {
  const result = applyPatch(content, old, fresh, options);
  if (result.ok) throw new Error(`applied by ${result.strategy}`);
  return result.problem;
}

describe("a patch that is applied", () => {
  test("gives the content, the strategy, the matches and a diff", () => {
    const result = patched("a = 1\nb = 2\nc = 3\n", "b = 2", "b = 20\nd = 4");
    expect(result.content).toBe("a = 1\nb = 20\nd = 4\nc = 3\n");
    expect(result.strategy).toBe("exact");
    expect(result.matches).toEqual([{ strategy: "exact", startIndex: 6, endIndex: 11, matchedText: "b = 2" }]);
    expect(result.diff).toBe("1 place changed (exact)\n@@ line 2 @@\n-b = 2\n+b = 20\n+d = 4");
  });

  test("takes a dollar sign as it is", () => {
    const fresh = "cost = `$&` + '$1' + \"$$\" + `$<price>$'`";
    expect(patched("x\ncost = 0\ny\n", "cost = 0", fresh).content).toBe(`x\n${fresh}\ny\n`);
    expect(patched("x\n  cost = 0\n  z\n", "cost = 0\nz", `${fresh}\nz`).content).toBe(`x\n  ${fresh}\n  z\n`);
  });

  test("replaces every place when asked to, like a global replace", () => {
    expect(patched("a b a\na\n", "a", "bbb", { replaceAll: true }).content).toBe("bbb b bbb\nbbb\n");
    const result = patched("  go();\nx\n    go();\n", "go();\n", "stop();\n", { replaceAll: true });
    expect(result.content).toBe("  stop();\nx\n    stop();\n");
    expect(result.matches).toHaveLength(2);
  });

  test("replaces every place that only whitespace tells apart, each with its own indentation", () => {
    const content = "if (a) {\n  run( );\n  end();\n}\nif (b) {\n\t\trun( );\n\t\tend();\n}\n";
    const result = patched(content, "run( );\nend();", "run(1);\nend();\nlog();", { replaceAll: true });
    expect(result.content).toBe(
      "if (a) {\n  run(1);\n  end();\n  log();\n}\nif (b) {\n\t\trun(1);\n\t\tend();\n\t\tlog();\n}\n",
    );
  });

  test("deletes whole lines with their line break, and inside a line only what it says", () => {
    expect(patched("a\nb\nc\n", "b", "").content).toBe("a\nc\n");
    expect(patched("a\nb\nc\n", "b\n", "").content).toBe("a\nc\n");
    expect(patched("a\n  b\nc", "b", "").content).toBe("a\nc");
    expect(patched("one two three\n", "two ", "").content).toBe("one three\n");
  });

  test("keeps the line break when only the old text ends with one", () => {
    expect(patched("a\nb\nc\n", "a\nb\n", "a\nx").content).toBe("a\nx\nc\n");
    expect(patched("call(\n  a)\n", "call(\n  ", "call(").content).toBe("call(a)\n");
  });

  test("shortens a long diff", () => {
    const many = Array.from({ length: 100 }, (_, line) => `line ${line} ${"x".repeat(300)}`).join("\n");
    const { diff } = patched("start\nend\n", "start", many);
    expect(diff.split("\n").length).toBeLessThan(50);
    expect(diff).toMatch(/… \d+ more lines$/);
    expect(Math.max(...diff.split("\n").map((line) => line.length))).toBeLessThan(200);
  });
});

describe("a patch that is refused", () => {
  test("says so in three ways for an empty, a blank and an unchanged text", () => {
    const problems = [refused("a\n", "", "b"), refused("a\n", " \n\t", "b"), refused("a\n", "a", "a")];
    expect(problems.map(({ code }) => code)).toEqual(["patch_empty", "patch_blank", "patch_identical"]);
    expect(new Set(problems.map(({ message }) => message)).size).toBe(3);
    expect(problems.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(refused("a\r\n", "a\r\nb", "a\nb").code).toBe("patch_identical");
  });

  test("counts the places, gives two ways out and lists five of seven with the rest as a number", () => {
    const two = refused("go();\nx\ngo();\n", "go();", "stop();");
    expect(two.code).toBe("patch_ambiguous");
    expect(two.message).toMatch(/\b2 places\b/);
    expect(two.message).toMatch(/more context/);
    expect(two.message).toMatch(/replace_all/);
    expect(two.details).toMatchObject({ count: 2, lines: [1, 3], strategy: "exact" });
    const long = `go(${"x".repeat(200)});`;
    const seven = refused(`${long}\n\n`.repeat(7), long, "stop();");
    const rows = seven.message.split("\n").filter((line) => /^ {2}line \d+: /.test(line));
    expect(rows).toHaveLength(5);
    expect(rows[1]).toMatch(/^ {2}line 3: go\(x+…$/);
    expect(rows[1]?.length).toBeLessThan(100);
    expect(seven.message).toMatch(/2 more/);
  });

  test("never looks for a looser strategy to get rid of a second match", () => {
    // By exact text there are two; with the whitespace of the second line one of them would fit better.
    const content = "  open();\n  close();\nx\n\topen();\n\tclose();\n";
    expect(refused(content, "open();\nclose();", "x").details).toMatchObject({
      lines: [1, 4],
      strategy: "line_trimmed",
    });
    expect(refused("aaa", "aa", "b").code).toBe("patch_ambiguous");
    expect(refused("x\nx\nx\n", "x\nx", "y").code).toBe("patch_ambiguous");
  });

  test("knows a patch that was applied before", () => {
    const cases = [
      ["a = compute();\nb\nc\n", "a = compute();", "a = computeMore();"],
      ["a\nreturn 1;\nc\n", "a\nreturn 1;", "a\nlog('here');\nreturn 1;"],
      ["start();\nstop();\nleave();\n", "start();\nstop();\nleave();", "start();\nleave();"],
      ["    one();\n    two();\n", "one();\ntwo();", "one();\nthree();\ntwo();"],
    ] as const;
    for (const [content, old, fresh] of cases) {
      const once = patched(content, old, fresh).content;
      expect(refused(once, old, fresh).code).toBe("patch_already_applied");
    }
  });

  test("does not call a patch applied because its new text is short or stands elsewhere", () => {
    expect(refused("ok\n", "missing text", "ok").code).toBe("patch_not_found");
    expect(patched("log(a);\nlog(b);\n", "log(a);", "log(b);").content).toBe("log(b);\nlog(b);\n");
  });

  test("shows the closest lines with numbers when nothing matches", () => {
    const content = Array.from({ length: 40 }, (_, line) => `const value${line} = compute(${line});`).join("\n");
    const problem = refused(content, "const value20 = compute(99);\nconst other = 1;", "x");
    expect(problem.code).toBe("patch_not_found");
    expect(problem.message).toContain("21 | const value20 = compute(20);");
    expect(problem.message).toContain("19 | const value18 = compute(18);");
    expect(refused("some text\n", "nothing like it", "x").message).not.toContain("|");
  });

  test("makes whitespace visible where a line differs in nothing else", () => {
    const problem = refused("f(a,\tb);\none();\ntwo();\nend();\n", "f(a, b);\nend();", "x");
    expect(problem.code).toBe("patch_not_found");
    expect(problem.message).toContain("file: f(a,→b);");
    expect(problem.message).toContain("old:  f(a,·b);");
  });

  test("names the strategy when replace_all meets an approximate match", () => {
    const block = "start(alpha);\nmiddle(beta);\nfinish(gamma);";
    const problem = refused(`${block}\n`, "start(alpha);\nmiddle(beta)\nfinish(gamma);", "x", { replaceAll: true });
    expect(problem.code).toBe("patch_approximate");
    expect(problem.message).toContain("block_anchor");
    const twice = refused(`${block}\nx\n${block}\n`, "start(alpha);\nmiddle(beta)\nfinish(gamma);", "x", {
      replaceAll: true,
    });
    expect(twice.code).toBe("patch_approximate");
    expect(twice.message).toContain("block_anchor");
  });

  test("leaves backslashes before quotes out of the file", () => {
    const one = refused('say("hi");\n', 'say(\\"hi\\");', 'say(\\"bye\\");');
    expect(one.code).toBe("patch_escape_drift");
    const mixed = refused(
      'say("hi", "you");\nleave();\n',
      'say(\\"hi\\", "you");\nleave();',
      'say(\\"bye\\", "you");\nleave();',
    );
    expect(mixed.code).toBe("patch_escape_drift");
    const close = refused(
      'open("door");\nwalk(10);\nclose("door");\n',
      'open("door");\nwalk(10)\nclose(\\"door\\");',
      'open("door");\nclose(\\"door\\");',
    );
    expect(close.code).toMatch(/^patch_(escape_drift|not_found)$/);
  });
});
