import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/toolkits/files/patch/apply-patch.ts";

/** Applies a patch that must succeed, and returns the content. */
function patch(content: string, old: string, newText: string): string {
  const result = applyPatch(content, old, newText);
  if (!result.ok) throw new Error(result.problem.message);
  return result.content;
}

describe("lines shared by old and new text", () => {
  test("keep the file's bytes", () => {
    const content = "if (a) {\n\tcall( x );  \n\n\tsend(“hi”);\t\n\tdone();\n}\n";
    const old = 'if (a) {\n  call( x );\n  send("hi");\n  done();\n}';
    const newText = 'if (a) {\n  call( x );\n  send("hi");\n  finish();\n}';
    expect(patch(content, old, newText)).toBe("if (a) {\n\tcall( x );  \n\n\tsend(“hi”);\t\n\tfinish();\n}\n");
  });

  test("keep curly quotes when another word of the line changes", () => {
    expect(patch("say “x” now\n", 'say "x" now', 'say "x" later')).toBe("say “x” later\n");
    expect(patch("a – b … c\u00A0d\n", "a - b ... c d", "a - b ... c e")).toBe("a – b … c\u00A0e\n");
  });

  test("keep the file's wrapping if the patch joins lines", () => {
    const content = "run(\n  first,\n  second,\n);\nend();\n";
    expect(patch(content, "run( first, second, );\nend();", "run( first, second, );\nstop();")).toBe(
      "run(\n  first,\n  second,\n);\nstop();\n",
    );
  });

  test("keep blank lines that the patch omits, and do not gain those it adds around them", () => {
    const content = "one();\n\ntwo();\n\nthree();\n";
    expect(patch(content, "one();\ntwo();\nthree();", "one();\ntwo();\nfour();")).toBe("one();\n\ntwo();\n\nfour();\n");
    expect(patch("a();\nb();\nc();\n", "\n\nb();\n\n", "\n\nx();\n\n")).toBe("a();\nx();\nc();\n");
  });

  test("keep the file's wording if the patch misquotes it, and apply the change", () => {
    const content = "// Checks the user first\nconst user = load(id);\nif (!user) return null;\nreturn user;\n";
    const old = "// First check a user\nlet user = load(id)\nif (!user) return null;\nreturn user;";
    const newText = "// First check a user\nlet user = load(id)\nif (!user) throw missing(id);\nreturn user;";
    expect(patch(content, old, newText)).toBe(content.replace("return null", "throw missing(id)"));
  });
});

describe("indentation of new lines", () => {
  const nested = [
    "class A {",
    "    run() {",
    "        if (x) {",
    "            go();",
    "        }",
    "    }",
    "}",
    "",
  ].join("\n");

  test("follows an offset", () => {
    expect(patch(nested, "if (x) {\n    go();\n}", "if (x) {\n    go();\n    stop();\n}")).toBe(
      nested.replace("go();\n", "go();\n            stop();\n"),
    );
  });

  test("converts between two and four spaces", () => {
    const two = nested.replace(/^( +)/gm, (indent) => " ".repeat(indent.length / 2));
    const oldTwo = "    if (x) {\n      go();\n    }";
    const newTwo = "    if (x) {\n      go();\n      if (y) {\n        stop();\n      }\n    }";
    const wide = nested.replace("go();\n", "go();\n            if (y) {\n                stop();\n            }\n");
    expect(patch(nested, oldTwo, newTwo)).toBe(wide);
    const double = (text: string) => text.replace(/^( +)/gm, (indent) => indent.repeat(2));
    expect(patch(two, double(oldTwo), double(newTwo))).toBe(wide.replace(/^( +)/gm, (i) => " ".repeat(i.length / 2)));
  });

  test("converts between tabs and spaces", () => {
    const tabs = nested.replace(/^( +)/gm, (indent) => "\t".repeat(indent.length / 4));
    const old = "        if (x) {\n            go();";
    const newText =
      "        if (x) {\n            go();\n            while (y) {\n                stop();\n            }";
    const wide = nested.replace("go();\n", "go();\n            while (y) {\n                stop();\n            }\n");
    const tabbed = (text: string) => text.replace(/^( +)/gm, (indent) => "\t".repeat(indent.length / 4));
    expect(patch(tabs, old, newText)).toBe(tabbed(wide));
    expect(patch(nested, tabbed(old), tabbed(newText))).toBe(wide);
  });

  test("is that of the file if only the first line lacks its own", () => {
    expect(patch(nested, "if (x) {\n            go();", "if (y) {\n            go();\n            stop();")).toBe(
      nested.replace("if (x)", "if (y)").replace("go();\n", "go();\n            stop();\n"),
    );
    expect(patch(nested, "go();", "go();\nstop();")).toBe(nested.replace("go();\n", "go();\n            stop();\n"));
    expect(patch(nested, "go();", "go();\n            stop();")).toBe(
      nested.replace("go();\n", "go();\n            stop();\n"),
    );
  });

  test("is guessed from brackets if the text has none", () => {
    expect(patch(nested, "run() {\nif (x) {\ngo();\n}", "run() {\nif (x) {\ngo();\nif (y) {\nstop();\n}\n}")).toBe(
      nested.replace("go();\n", "go();\n            if (y) {\n                stop();\n            }\n"),
    );
  });

  test("increases where the edit wraps lines in a block", () => {
    expect(patch(nested, "if (x) {\n  go();\n}", "try {\n  if (x) {\n    go();\n  }\n} finally {\n  end();\n}")).toBe(
      nested.replace(
        "        if (x) {\n            go();\n        }\n",
        "        try {\n            if (x) {\n                go();\n            }\n        } finally {\n            end();\n        }\n",
      ),
    );
  });

  test("is unchanged if only the old text has it wrong", () => {
    expect(
      patch(nested, "if (x) {\n    go();\n}", "        if (z) {\n            go();\n            stop();\n        }"),
    ).toBe(nested.replace("if (x)", "if (z)").replace("go();\n", "go();\n            stop();\n"));
  });
});

describe("line endings and the BOM", () => {
  test("new lines take the file's line ending", () => {
    expect(patch("a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\ny\n")).toBe("a\r\nx\r\ny\r\nc\r\n");
    expect(patch("a\nb\nc\n", "a\r\nb\r\n", "a\r\nx\r\ny\r\n")).toBe("a\nx\ny\nc\n");
    expect(patch("a\r\nb", "b", "b\nc")).toBe("a\r\nb\r\nc");
  });

  test("with mixed endings, every line keeps its own and a new line takes that of the line before", () => {
    expect(patch("a\r\nb\nc\r\nd\n", "a\nb\nc\nd", "a\nnew\nb\nc\nmore\nd")).toBe("a\r\nnew\r\nb\nc\r\nmore\r\nd\n");
    expect(patch("a\nb\r\nc\n", "a\nb", "a\nB")).toBe("a\nB\r\nc\n");
  });

  test("a BOM is kept, whether or not the texts have one", () => {
    expect(patch("\uFEFFa\nb\n", "a\nb", "x\nb")).toBe("\uFEFFx\nb\n");
    expect(patch("\uFEFFa\nb\n", "\uFEFFa\nb", "\uFEFFx\nb")).toBe("\uFEFFx\nb\n");
    expect(patch("a\nb\n", "\uFEFFa", "\uFEFFx")).toBe("x\nb\n");
  });

  test("a last line without a line break stays without one", () => {
    expect(patch("a\nb", "a\nb\n", "a\nb\nc\n")).toBe("a\nb\nc");
    expect(patch("a\nb\nc", "b\nc", "b")).toBe("a\nb");
  });
});

describe("escapes and style", () => {
  test("the new text is unescaped in the same way as the old text", () => {
    expect(patch('a("x");\nb();\n', 'a(\\"x\\");\\nb();', 'a(\\"y\\");\\nc();\\nb();')).toBe('a("y");\nc();\nb();\n');
    expect(patch("if x:\n\tgo()\n", "if x:\\n\\tgo()", "if x:\\n\\tgo()\\n\\tstop()")).toBe(
      "if x:\n\tgo()\n\tstop()\n",
    );
    expect(patch('say("hi");\nleave();\n', 'say(\\"hi\\");\nleave();', 'say(\\"bye\\");\nleave();')).toBe(
      'say("bye");\nleave();\n',
    );
  });

  test("an escape inside quotes is kept", () => {
    expect(patch('print("a\\n")\nprint("b")\n', 'print("a\\n")\\nprint("b")', 'print("a\\n")\\nprint("c\\n")')).toBe(
      'print("a\\n")\nprint("c\\n")\n',
    );
    expect(patch('log("tab\\t");\nend();\n', "end();", 'log("more\\n");')).toBe('log("tab\\t");\nlog("more\\n");\n');
  });

  test("new lines do not get the smart quotes, double spaces and trailing spaces of the patch", () => {
    expect(patch('say("a");\nend();\n', "say(“a”);\nend();", "say(“a”);\nsay(“b”);\nend();")).toBe(
      'say("a");\nsay("b");\nend();\n',
    );
    expect(patch("x = a + b;\nend();\n", "x  =  a  +  b;\nend();", "x  =  a  +  b;\ny  =  a;\nend();")).toBe(
      "x = a + b;\ny = a;\nend();\n",
    );
    expect(patch("one();\ntwo();\n", "one();  \ntwo();  ", "one();  \nnew();  \ntwo();  ")).toBe(
      "one();\nnew();\ntwo();\n",
    );
    expect(patch("f(a, b);\nend();\n", "f(a,b);\nend();", "f(a,b);\ng(c,d);\nend();")).toBe(
      "f(a, b);\ng(c, d);\nend();\n",
    );
  });
});
