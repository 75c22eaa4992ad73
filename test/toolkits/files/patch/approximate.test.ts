import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../../src/toolkits/files/patch/apply-patch.ts";

const HANDLERS = `
function openDoor(door) {
  // Locked doors stay shut
  if (door.locked) return false;
  door.open = true;
  notify("The door is open now");
  return true;
}

function paintWall(wall, colour) {
  prepare(wall);
  wall.colour = colour;
  wall.layers = 2;
  return wall;
}
`;

const outcome = (content: string, old: string, newText: string): string => {
  const result = applyPatch(content, old, newText);
  return result.ok ? result.strategy : result.problem.code;
};

/** Returns the block with one line rewritten in both texts. The new text also has an additional line. */
function misquote(block: string, rewrite: (text: string) => string): [old: string, newText: string] {
  const old = rewrite(block);
  expect(old).not.toBe(block);
  return [old, old.replace(/\n {2}return/, "\n  count += 1;\n  return")];
}

const DOOR = HANDLERS.slice(HANDLERS.indexOf("function openDoor"), HANDLERS.indexOf("function paintWall")).trim();
const WALL = HANDLERS.slice(HANDLERS.indexOf("function paintWall")).trim();

describe("slightly misquoted block", () => {
  test.each([
    ["a missing semicolon", (text: string) => text.replace("door.open = true;", "door.open = true")],
    ["different quotes", (text: string) => text.replaceAll('"', "'")],
    ["a typo in a name", (text: string) => text.replace('notify("', 'notfiy("')],
    ["a name in different case", (text: string) => text.replace("openDoor", "open_door")],
    [
      "a reworded comment",
      (text: string) => text.replace("Locked doors stay shut", "Doors that are locked stay that way"),
    ],
    [
      "different word order in a message",
      (text: string) => text.replace("The door is open now", "The door is now open"),
    ],
    ["a missing line", (text: string) => text.replace("  door.open = true;\n", "")],
  ])("is found with %s, and only the change is applied", (_name, rewrite) => {
    const [old, newText] = misquote(DOOR, rewrite);
    const result = applyPatch(HANDLERS, old, newText);
    expect(result.ok && result.content).toBe(HANDLERS.replace("\n  return true;", "\n  count += 1;\n  return true;"));
    expect(result.ok && result.strategy).toMatch(/^(block_anchor|context_aware)$/);
  });

  test("is found with typos in two lines", () => {
    const [old, newText] = misquote(WALL, (text) =>
      text.replace("prepare(wall);", "prepaer(wall)").replace("colour;", "colour"),
    );
    expect(outcome(HANDLERS, old, newText)).toBe("block_anchor");
  });
});

describe("different block", () => {
  test.each([
    ["a different number", (text: string) => text.replace("layers = 2", "layers = 3")],
    ["a different name", (text: string) => text.replace("prepare(wall)", "sandpaper(wall)")],
    ["a different member", (text: string) => text.replace("wall.colour", "wall.texture")],
    ["a different quoted key", (text: string) => text.replace("return wall", 'return "fence"')],
    ["a replaced line", (text: string) => text.replace("  prepare(wall);", "  const room = roomOf(wall);")],
    ["a name that the file uses elsewhere", (text: string) => text.replace("paintWall", "openDoor")],
  ])("is rejected because of %s", (_name, rewrite) => {
    const [old, newText] = misquote(WALL, rewrite);
    expect(outcome(HANDLERS, old, newText)).toBe("patch_not_found");
  });

  test("is rejected although a similar block exists", () => {
    const sibling = WALL.replaceAll("Wall", "Fence").replaceAll("wall", "fence");
    const [old, newText] = misquote(WALL, (text) => text.replaceAll("Wall", "Roof").replaceAll("wall", "roof"));
    expect(outcome(`${HANDLERS}\n${sibling}\n`, old, newText)).toBe("patch_not_found");
  });

  test("is rejected if one of four lines is unrelated", () => {
    const content = "alpha(one);\nbeta(two);\ngamma(three);\ndelta(four);\n";
    const old = "alpha(one);\nbeta(two);\nthrow new Error('no');\ndelta(four)";
    expect(outcome(content, old, "x")).toBe("patch_not_found");
  });

  test("is rejected if a single line has the opposite condition", () => {
    expect(outcome("  if (!win && verbose) {\n", "if (win && !verbose) {", "if (mac) {")).toBe("patch_not_found");
  });

  test("is rejected if names differ in a final letter or digit", () => {
    expect(outcome("start(rowA);\nmove(rowA, 4);\nend(rowA);\n", "start(rowA);\nmove(rowB, 4);\nend(rowA);", "x")).toBe(
      "patch_not_found",
    );
    expect(outcome("start(item1);\nmove(item1);\nend(item1);\n", "start(item1);\nmove(item2);\nend(item1);", "x")).toBe(
      "patch_not_found",
    );
  });
});

describe("uncertain position", () => {
  const step = (name: string) => `begin(${name});\n  work(hard, ${name});\nfinish(${name});\n`;

  test("is rejected if two regions match nearly as well, and both are reported", () => {
    const content = `${step("alpha")}x();\n${step("alpha")}`;
    const result = applyPatch(content, "begin(alpha);\n  work(hard, alpha)\nfinish(alpha);", "x");
    expect(result.ok).toBe(false);
    expect(!result.ok && result.problem).toMatchObject({ code: "patch_ambiguous", details: { lines: [1, 5] } });
    expect(!result.ok && result.problem.message).not.toMatch(/replace_all to true/);
  });

  test("is rejected if the misquoted line is the only difference between two regions", () => {
    const content = "open(box);\nset(size, 1);\nclose(box);\n\nopen(box);\nset(size, 2);\nclose(box);\n";
    expect(outcome(content, "open(box);\nset(size, 3);\nclose(box);", "x")).toBe("patch_not_found");
  });

  test("is accepted if the other region lacks a name of the text", () => {
    const content = `${step("alpha")}x();\n${step("omega")}`;
    const result = applyPatch(content, "begin(omega);\n  work(hard, omega)\nfinish(omega);", "done(omega);");
    expect(result.ok && result.content).toBe(`${step("alpha")}x();\ndone(omega);\n`);
  });

  test("is rejected if the change affects a line that the old text omits", () => {
    const content = "first();\nsecond();\nthird();\nfourth();\nfifth();\nsixth();\n";
    const old = "first();\nsecond();\nfourth();\nfifth();\nsixth();";
    expect(outcome(content, old, "first();\nfifth();\nsixth();")).toBe("patch_not_found");
    expect(outcome(content, old, "first();\nsecond();\nnew();\nfourth();\nfifth();\nsixth();")).toBe("patch_not_found");
    const safe = applyPatch(content, old, "first();\nsecond();\nfourth();\nfifth();\nlast();");
    expect(safe.ok && safe.content).toBe(content.replace("sixth", "last"));
  });

  test("does not duplicate a line that the old text omits and the new text has", () => {
    const content = "first();\nsecond();\nthird();\nfourth();\n";
    const result = applyPatch(
      content,
      "first();\nsecond();\nfourth();",
      "first();\nsecond();\nthird();\nextra();\nfourth();",
    );
    expect(result.ok && result.content).toBe("first();\nsecond();\nthird();\nextra();\nfourth();\n");
  });
});

describe("block that resembles a missing one", () => {
  const docComment = (summary: string) => ["/**", ` * ${summary}`, " * @example", " * compare(one);", " */"];
  const functionWith = (line: string) =>
    ["function next(n) {", "  // steps on", `  ${line}`, "  log(n);", "}"].join("\n");
  const edited = (text: string) => `${text}\n`.replace("log(n)", "log(n, 1)").trimEnd();

  test.each([
    ["increments a value", "return { at: n };", "return { at: ++n };"],
    ["has a different sign", "const far = Infinity;", "const far = -Infinity;"],
    ["adds instead of subtracting", "return n + step;", "return n - step;"],
    ["has an optional parameter", "options: Options,", "options?: Options,"],
  ])("is rejected if it %s", (_name, existing, wanted) => {
    expect(outcome(`${functionWith(existing)}\n`, functionWith(wanted), edited(functionWith(wanted)))).toBe(
      "patch_not_found",
    );
  });

  test("is rejected if its first line describes something else", () => {
    const [first, ...rest] = ["Mean latency, lower is faster.", "Mean latency, higher is slower."].map((summary) =>
      docComment(summary).slice(1).join("\n"),
    );
    expect(outcome(`${first}\n`, rest.join(), `${rest.join()}\n// more`)).toBe("patch_not_found");
  });

  test.each([
    ["a hyphen", "a well-known place to start", "a well known place to start"],
    ["a dash", "one place — and another", "one place -- and another"],
    ["a question mark", "is it there?", "is it there"],
    ["a shortened comment at its edge", "// Reads the whole file at once", "// Reads the file at once"],
  ])("is accepted in prose that differs in %s", (_name, existing, wanted) => {
    const page = (line: string) =>
      [line, "The second line is the same.", "And so is the third.", "The end."].join("\n");
    const [old, newText] = [page(wanted), page(wanted).replace("The end.", "The very end.")];
    const result = applyPatch(`${page(existing)}\n`, old, newText);
    expect(result.ok && result.content).toBe(`${page(existing)}\n`.replace("The end.", "The very end."));
  });
});

describe("likeness: seed", () => {
  const file = [
    "function total(items) {",
    "  let sum = 0;",
    "  for (const item of items) sum += item.price;",
    "  return sum;",
    "}",
  ].join("\n");
  const old = file.replace("item.price", "entry.cost * rate").replace("let sum", "let result");
  const replacement = old.replace("return sum;", "return round(sum);");

  test("finds a block by similarity alone, which the default refuses", () => {
    expect(applyPatch(file, old, replacement)).toMatchObject({ ok: false });
    const patched = applyPatch(file, old, replacement, { likeness: "seed" });
    expect(patched).toMatchObject({ ok: true, strategy: "block_anchor" });
    expect(patched.ok && patched.content).toContain("return round(sum);");
  });

  test("finds half of the lines at 80 %, and refuses less", () => {
    const edges = file
      .replace("function total(items) {", "function totals(items) {")
      .replace("let sum = 0", "var x = null");
    const edit = { likeness: "seed" } as const;
    expect(applyPatch(file, edges, edges.replace("return sum;", "return 0;"), edit)).toMatchObject({
      ok: true,
      strategy: "context_aware",
    });
    const other = [
      "class Queue {",
      "  push(one) {}",
      "  for (const item of items) sum += item.price;",
      "  pop() {}",
      "};",
    ];
    expect(applyPatch(file, other.join("\n"), "nothing", edit)).toMatchObject({ ok: false });
  });

  test("still refuses two similar blocks", () => {
    const two = `${file}\n\n${file.replace("total", "totalNet")}`;
    const edit = old.replace("function total(", "function totalGross(");
    expect(applyPatch(two, edit, replacement, { likeness: "seed" })).toMatchObject({
      ok: false,
      problem: { code: "patch_ambiguous" },
    });
  });
});
