import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/toolkits/files/patch/apply-patch.ts";

function patch(content: string, old: string, fresh: string): string {
  const result = applyPatch(content, old, fresh);
  if (!result.ok) throw new Error(result.problem.message);
  return result.content;
}

const code = (content: string, old: string, fresh: string): string => {
  const result = applyPatch(content, old, fresh);
  return result.ok ? "applied" : result.problem.code;
};

const FILE = "function area(w, h) {\n  if (w < 1 && h) return 0;\n  return w * h;\n}\n";

describe("a text that was copied out of something", () => {
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
    ["arrows, and a line put in", "3→  return w * h;\n4→}", "3→  return w + h;\n4→}"],
  ])("loses the line numbers of a listing: %s", (_name, old, fresh) => {
    expect(patch(FILE, old, fresh)).toBe(FILE.replace("w * h", "w + h"));
  });

  test("loses a code fence, in the new text if it is there too", () => {
    const expected = FILE.replace("w * h", "w + h");
    expect(patch(FILE, "```js\n  return w * h;\n```", "```js\n  return w + h;\n```")).toBe(expected);
    expect(patch(FILE, "```\n  return w * h;\n```", "  return w + h;")).toBe(expected);
  });

  test("loses the entities of a page, also in lines that are new", () => {
    const old = "  if (w &lt; 1 &amp;&amp; h) return 0;\n  return w * h;";
    const fresh = "  if (w &lt; 1 &amp;&amp; h) return 0;\n  if (h &lt; 1) return 0;\n  return w * h;";
    expect(patch(FILE, old, fresh)).toBe(FILE.replace("return 0;\n", "return 0;\n  if (h < 1) return 0;\n"));
  });

  test("keeps numbers, fences and entities that the file has", () => {
    expect(patch("1: one\n2: two\n", "1: one\n2: two", "1: one\n2: zwei")).toBe("1: one\n2: zwei\n");
    expect(patch("a\n```ts\nx\n```\n", "```ts\nx\n```", "```ts\ny\n```")).toBe("a\n```ts\ny\n```\n");
    expect(patch("<p>a &lt; b</p>\n", "a &lt; b", "a &lt; c")).toBe("<p>a &lt; c</p>\n");
  });

  test("leaves new text alone that was not escaped when only the old one was", () => {
    const content = 'const slash = /\\/x/;\nsay("a");\n';
    const old = JSON.stringify(content.trimEnd()).slice(1, -1);
    expect(patch(content, old, 'const slash = /\\/y/;\nsay("a\\n");')).toBe('const slash = /\\/y/;\nsay("a\\n");\n');
  });

  test("keeps a line break inside quotes that was one before", () => {
    const content = "const a = 1;\nconst b = 2;\n";
    expect(patch(content, "const a = 1;\\nconst b = 2;", 'const a = x.split("\\n");\\nconst b = 2;')).toBe(
      'const a = x.split("\\n");\nconst b = 2;\n',
    );
  });
});

describe("marks the writer has and the file has not", () => {
  test("wide punctuation is found and not brought in", () => {
    const content = "const a = f(1, 2);\nconst b = g(3, 4);\n";
    expect(
      patch(content, "const a = f（1，2）；\nconst b = g（3，4）；", "const a = f（1，2）；\nconst b = h（3，5）；"),
    ).toBe("const a = f(1, 2);\nconst b = h(3, 5);\n");
  });

  test("new strings take the file's quotes, apostrophes stay", () => {
    const content = 'use("a");\nput("b", 1);\nend();\n';
    const old = "use('a');\nput('b', 1);\nend();";
    const fresh = "use('a');\nput('b', 1);\nadd('c'); // don't\nadd('d');\nend();";
    expect(patch(content, old, fresh)).toBe('use("a");\nput("b", 1);\nadd(\'c\'); // don\'t\nadd("d");\nend();\n');
  });

  test("three dots stay the one character the file has for them", () => {
    expect(patch("wait…\n", "wait...", "go...")).toBe("go…\n");
  });
});

describe("a line that is changed", () => {
  const content = "open();\nif (user.age !== limit) stop(user);\nlog(user);\nsave(user);\nsend(user);\nclose();\n";
  const asked = content.replace("!==", "===").trimEnd();
  test("must ask what the old text asks", () => {
    expect(code(content, asked, asked.replace("stop(user)", "halt(user)"))).toBe("patch_not_found");
    expect(
      code(
        "a();\nx = /s+/.test(y);\nb();\n".replace("s+", "\\s+"),
        "a();\nx = /s+/.test(y);\nb();",
        "a();\nx = /s*/.test(y);\nb();",
      ),
    ).toBe("patch_not_found");
  });

  test("may stand beside one that is only misquoted", () => {
    const fresh = asked.replace("save(user)", "store(user)");
    expect(patch(content, asked, fresh)).toBe(content.replace("save", "store"));
  });

  test("has no line beside it that the old text left out", () => {
    const old = "open();\nlog(user);\nsave(user);\nsend(user);\nclose();";
    expect(code(content, old, old.replace("log(user);", "note(user);\nlog(user.id);"))).toBe("patch_not_found");
    expect(patch(content, old, old.replace("send(user)", "mail(user)"))).toBe(content.replace("send", "mail"));
  });
});

test("a file whose lines end in carriage returns keeps them", () => {
  expect(patch("a\rb\rc\r", "a\nb", "a\nx\nb")).toBe("a\rx\rb\rc\r");
});

test("a block whose strings are put together otherwise is another one", () => {
  const content = "go([\n  '-H', 'x-trace:on;data=asd',\n  url,\n])\nequal(url)\nsame(headers)\n";
  const old = content.trimEnd().replace("x-trace:on", "x-trace=on");
  expect(code(content, old, old.replace("equal(url)", "equal(link)"))).toBe("patch_not_found");
});
