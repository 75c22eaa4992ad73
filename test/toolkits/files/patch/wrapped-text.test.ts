import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/toolkits/files/patch/apply-patch.ts";

function patch(content: string, old: string, newText: string): string {
  const result = applyPatch(content, old, newText);
  if (!result.ok) throw new Error(result.problem.message);
  return result.content;
}

const code = (content: string, old: string, newText: string): string => {
  const result = applyPatch(content, old, newText);
  return result.ok ? "applied" : result.problem.code;
};

const FILE = "function area(w, h) {\n  if (w < 1 && h) return 0;\n  return w * h;\n}\n";

describe("text copied from another source", () => {
  test.each([
    [
      "numbers and bars",
      "2 |   if (w < 1 && h) return 0;\n3 |   return w * h;",
      "2 |   if (w < 1 && h) return 0;\n3 |   return w + h;",
    ],
    [
      "numbers and tabs",
      "     2\t  if (w < 1 && h) return 0;\n     3\t  return w * h;",
      "  if (w < 1 && h) return 0;\n  return w + h;",
    ],
    ["numbers and arrows", "3→  return w * h;\n4→}", "3→  return w + h;\n4→}"],
  ])("loses line numbers: %s", (_name, old, newText) => {
    expect(patch(FILE, old, newText)).toBe(FILE.replace("w * h", "w + h"));
  });

  test("loses a code fence, also in the new text", () => {
    const expected = FILE.replace("w * h", "w + h");
    expect(patch(FILE, "```js\n  return w * h;\n```", "```js\n  return w + h;\n```")).toBe(expected);
    expect(patch(FILE, "```\n  return w * h;\n```", "  return w + h;")).toBe(expected);
  });

  test("loses HTML entities, also in new lines", () => {
    const old = "  if (w &lt; 1 &amp;&amp; h) return 0;\n  return w * h;";
    const newText = "  if (w &lt; 1 &amp;&amp; h) return 0;\n  if (h &lt; 1) return 0;\n  return w * h;";
    expect(patch(FILE, old, newText)).toBe(FILE.replace("return 0;\n", "return 0;\n  if (h < 1) return 0;\n"));
  });

  test("keeps numbers, fences and entities that the file contains", () => {
    expect(patch("1: one\n2: two\n", "1: one\n2: two", "1: one\n2: zwei")).toBe("1: one\n2: zwei\n");
    expect(patch("a\n```ts\nx\n```\n", "```ts\nx\n```", "```ts\ny\n```")).toBe("a\n```ts\ny\n```\n");
    expect(patch("<p>a &lt; b</p>\n", "a &lt; b", "a &lt; c")).toBe("<p>a &lt; c</p>\n");
  });

  test("does not change new text if only the old text was escaped", () => {
    const content = 'const slash = /\\/x/;\nsay("a");\n';
    const old = JSON.stringify(content.trimEnd()).slice(1, -1);
    expect(patch(content, old, 'const slash = /\\/y/;\nsay("a\\n");')).toBe('const slash = /\\/y/;\nsay("a\\n");\n');
  });

  test("keeps an escaped line break inside quotes", () => {
    const content = "const a = 1;\nconst b = 2;\n";
    expect(patch(content, "const a = 1;\\nconst b = 2;", 'const a = x.split("\\n");\\nconst b = 2;')).toBe(
      'const a = x.split("\\n");\nconst b = 2;\n',
    );
  });
});

describe("characters that only the patch has", () => {
  test("fullwidth punctuation is matched but not written", () => {
    const content = "const a = f(1, 2);\nconst b = g(3, 4);\n";
    expect(
      patch(content, "const a = f（1，2）；\nconst b = g（3，4）；", "const a = f（1，2）；\nconst b = h（3，5）；"),
    ).toBe("const a = f(1, 2);\nconst b = h(3, 5);\n");
  });

  test("new strings take the file's quotes, and apostrophes are kept", () => {
    const content = 'use("a");\nput("b", 1);\nend();\n';
    const old = "use('a');\nput('b', 1);\nend();";
    const newText = "use('a');\nput('b', 1);\nadd('c'); // don't\nadd('d');\nend();";
    expect(patch(content, old, newText)).toBe('use("a");\nput("b", 1);\nadd(\'c\'); // don\'t\nadd("d");\nend();\n');
  });

  test("the file's ellipsis character is kept", () => {
    expect(patch("wait…\n", "wait...", "go...")).toBe("go…\n");
  });
});

describe("changed line", () => {
  const content = "open();\nif (user.age !== limit) stop(user);\nlog(user);\nsave(user);\nsend(user);\nclose();\n";
  const misquoted = content.replace("!==", "===").trimEnd();
  test("must have the same condition as the old text", () => {
    expect(code(content, misquoted, misquoted.replace("stop(user)", "halt(user)"))).toBe("patch_not_found");
    expect(
      code(
        "a();\nx = /s+/.test(y);\nb();\n".replace("s+", "\\s+"),
        "a();\nx = /s+/.test(y);\nb();",
        "a();\nx = /s*/.test(y);\nb();",
      ),
    ).toBe("patch_not_found");
  });

  test("may be next to a misquoted line", () => {
    const newText = misquoted.replace("save(user)", "store(user)");
    expect(patch(content, misquoted, newText)).toBe(content.replace("save", "store"));
  });

  test("must not be next to a line that the old text omits", () => {
    const old = "open();\nlog(user);\nsave(user);\nsend(user);\nclose();";
    expect(code(content, old, old.replace("log(user);", "note(user);\nlog(user.id);"))).toBe("patch_not_found");
    expect(patch(content, old, old.replace("send(user)", "mail(user)"))).toBe(content.replace("send", "mail"));
  });
});

test("carriage returns as line endings are kept", () => {
  expect(patch("a\rb\rc\r", "a\nb", "a\nx\nb")).toBe("a\rx\rb\rc\r");
});

test("a block with different separators in its strings is rejected", () => {
  const content = "go([\n  '-H', 'x-trace:on;data=asd',\n  url,\n])\nequal(url)\nsame(headers)\n";
  const old = content.trimEnd().replace("x-trace:on", "x-trace=on");
  expect(code(content, old, old.replace("equal(url)", "equal(link)"))).toBe("patch_not_found");
});
