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

const outcome = (content: string, old: string, fresh: string): string => {
  const result = applyPatch(content, old, fresh);
  return result.ok ? result.strategy : result.problem.code;
};

/** The block with one line rewritten, in the old and in the new text; the new one also has a line more. */
function misquote(block: string, rewrite: (text: string) => string): [old: string, fresh: string] {
  const old = rewrite(block);
  expect(old).not.toBe(block);
  return [old, old.replace(/\n {2}return/, "\n  count += 1;\n  return")];
}

const DOOR = HANDLERS.slice(HANDLERS.indexOf("function openDoor"), HANDLERS.indexOf("function paintWall")).trim();
const WALL = HANDLERS.slice(HANDLERS.indexOf("function paintWall")).trim();

describe("a block that is slightly misquoted", () => {
  test.each([
    ["a semicolon less", (text: string) => text.replace("door.open = true;", "door.open = true")],
    ["other quotes", (text: string) => text.replaceAll('"', "'")],
    ["a slip in a name", (text: string) => text.replace('notify("', 'notfiy("')],
    ["a name in another case", (text: string) => text.replace("openDoor", "open_door")],
    [
      "a comment reworded",
      (text: string) => text.replace("Locked doors stay shut", "Doors that are locked stay that way"),
    ],
    ["a small word more in a message", (text: string) => text.replace("The door is open now", "The door is now open")],
    ["a line forgotten", (text: string) => text.replace("  door.open = true;\n", "")],
  ])("is found with %s, and only the change lands", (_name, rewrite) => {
    const [old, fresh] = misquote(DOOR, rewrite);
    const result = applyPatch(HANDLERS, old, fresh);
    expect(result.ok && result.content).toBe(HANDLERS.replace("\n  return true;", "\n  count += 1;\n  return true;"));
    expect(result.ok && result.strategy).toMatch(/^(block_anchor|context_aware)$/);
  });

  test("is found with two slips in two lines", () => {
    const [old, fresh] = misquote(WALL, (text) =>
      text.replace("prepare(wall);", "prepaer(wall)").replace("colour;", "colour"),
    );
    expect(outcome(HANDLERS, old, fresh)).toBe("block_anchor");
  });
});

describe("a block that is another one", () => {
  test.each([
    ["another number", (text: string) => text.replace("layers = 2", "layers = 3")],
    ["another name", (text: string) => text.replace("prepare(wall)", "sandpaper(wall)")],
    ["another member", (text: string) => text.replace("wall.colour", "wall.texture")],
    ["another quoted key", (text: string) => text.replace("return wall", 'return "fence"')],
    ["a line replaced", (text: string) => text.replace("  prepare(wall);", "  const room = roomOf(wall);")],
    ["a name that the file knows", (text: string) => text.replace("paintWall", "openDoor")],
  ])("is refused for %s", (_name, rewrite) => {
    const [old, fresh] = misquote(WALL, rewrite);
    expect(outcome(HANDLERS, old, fresh)).toBe("patch_not_found");
  });

  test("is refused though a sibling of it is there", () => {
    const sibling = WALL.replaceAll("Wall", "Fence").replaceAll("wall", "fence");
    const [old, fresh] = misquote(WALL, (text) => text.replaceAll("Wall", "Roof").replaceAll("wall", "roof"));
    expect(outcome(`${HANDLERS}\n${sibling}\n`, old, fresh)).toBe("patch_not_found");
  });

  test("is refused where one of four lines has nothing to do with it", () => {
    const content = "alpha(one);\nbeta(two);\ngamma(three);\ndelta(four);\n";
    const old = "alpha(one);\nbeta(two);\nthrow new Error('no');\ndelta(four)";
    expect(outcome(content, old, "x")).toBe("patch_not_found");
  });

  test("is refused for a single line that asks the opposite", () => {
    expect(outcome("  if (!win && verbose) {\n", "if (win && !verbose) {", "if (mac) {")).toBe("patch_not_found");
  });

  test("tells names apart that differ in a letter or a digit at the end", () => {
    expect(outcome("start(rowA);\nmove(rowA, 4);\nend(rowA);\n", "start(rowA);\nmove(rowB, 4);\nend(rowA);", "x")).toBe(
      "patch_not_found",
    );
    expect(outcome("start(item1);\nmove(item1);\nend(item1);\n", "start(item1);\nmove(item2);\nend(item1);", "x")).toBe(
      "patch_not_found",
    );
  });
});

describe("a place that is not sure", () => {
  const step = (name: string) => `begin(${name});\n  work(hard, ${name});\nfinish(${name});\n`;

  test("is refused when two stretches are nearly as good, with the lines of both", () => {
    const content = `${step("alpha")}x();\n${step("alpha")}`;
    const result = applyPatch(content, "begin(alpha);\n  work(hard, alpha)\nfinish(alpha);", "x");
    expect(result.ok).toBe(false);
    expect(!result.ok && result.problem).toMatchObject({ code: "patch_ambiguous", details: { lines: [1, 5] } });
    expect(!result.ok && result.problem.message).not.toMatch(/replace_all to true/);
  });

  test("is refused when the misquoted line is the one that tells two siblings apart", () => {
    const content = "open(box);\nset(size, 1);\nclose(box);\n\nopen(box);\nset(size, 2);\nclose(box);\n";
    expect(outcome(content, "open(box);\nset(size, 3);\nclose(box);", "x")).toBe("patch_not_found");
  });

  test("is taken when the rival lacks a name that the text has", () => {
    const content = `${step("alpha")}x();\n${step("omega")}`;
    const result = applyPatch(content, "begin(omega);\n  work(hard, omega)\nfinish(omega);", "done(omega);");
    expect(result.ok && result.content).toBe(`${step("alpha")}x();\ndone(omega);\n`);
  });

  test("is refused where the change touches a line that the old text does not show", () => {
    const content = "first();\nsecond();\nthird();\nfourth();\nfifth();\nsixth();\n";
    const old = "first();\nsecond();\nfourth();\nfifth();\nsixth();";
    expect(outcome(content, old, "first();\nfifth();\nsixth();")).toBe("patch_not_found");
    expect(outcome(content, old, "first();\nsecond();\nnew();\nfourth();\nfifth();\nsixth();")).toBe("patch_not_found");
    const safe = applyPatch(content, old, "first();\nsecond();\nfourth();\nfifth();\nlast();");
    expect(safe.ok && safe.content).toBe(content.replace("sixth", "last"));
  });

  test("a line the old text left out and the new one has is not doubled", () => {
    const content = "first();\nsecond();\nthird();\nfourth();\n";
    const result = applyPatch(
      content,
      "first();\nsecond();\nfourth();",
      "first();\nsecond();\nthird();\nextra();\nfourth();",
    );
    expect(result.ok && result.content).toBe("first();\nsecond();\nthird();\nextra();\nfourth();\n");
  });
});

describe("a block that only looks like the one that is gone", () => {
  const bench = (said: string) => ["/**", ` * ${said}`, " * @example", " * compare(one);", " */"];
  const reckon = (line: string) => ["function next(n) {", "  // steps on", `  ${line}`, "  log(n);", "}"].join("\n");
  const plus = (text: string) => `${text}\n`.replace("log(n)", "log(n, 1)").trimEnd();

  test.each([
    ["counts another way", "return { at: n };", "return { at: ++n };"],
    ["has another sign", "const far = Infinity;", "const far = -Infinity;"],
    ["adds instead of taking away", "return n + step;", "return n - step;"],
    ["may do without", "options: Options,", "options?: Options,"],
  ])("is refused where it %s", (_name, standing, wanted) => {
    expect(outcome(`${reckon(standing)}\n`, reckon(wanted), plus(reckon(wanted)))).toBe("patch_not_found");
  });

  test("is refused where its first line tells of something else", () => {
    const [first, ...rest] = ["Mean latency, lower is faster.", "Mean latency, higher is slower."].map((said) =>
      bench(said).slice(1).join("\n"),
    );
    expect(outcome(`${first}\n`, rest.join(), `${rest.join()}\n// more`)).toBe("patch_not_found");
  });

  test.each([
    ["a hyphen", "a well-known place to start", "a well known place to start"],
    ["a dash", "one place — and another", "one place -- and another"],
    ["a question mark", "is it there?", "is it there"],
    ["a comment told with fewer words at its edge", "// Reads the whole file at once", "// Reads the file at once"],
  ])("is not told by %s in prose", (_name, standing, wanted) => {
    const page = (line: string) =>
      [line, "The second line is the same.", "And so is the third.", "The end."].join("\n");
    const [old, fresh] = [page(wanted), page(wanted).replace("The end.", "The very end.")];
    const result = applyPatch(`${page(standing)}\n`, old, fresh);
    expect(result.ok && result.content).toBe(`${page(standing)}\n`.replace("The end.", "The very end."));
  });
});
