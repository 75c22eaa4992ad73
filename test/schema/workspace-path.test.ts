import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseWorkspacePath, pathText } from "../../src/schema/workspace-path.ts";

const reasonFor = (path: string, rules = {}): unknown => {
  const parsed = parseWorkspacePath(path, rules);
  return parsed.ok ? "taken" : parsed.problem.details?.reason;
};

describe("a path in the workspace", () => {
  test.each([
    ["../../etc/shadow", "escapes"],
    ["src/./../..//etc/group", "escapes"],
    ["/workspace-evil/x", "absolute"],
    ["C:\\Windows\\win.ini", "drive"],
    ["c:x", "drive"],
    ["..\\..\\secrets.env", "backslash"],
    ["src/%2e%2e/%2e%2e/etc/hosts", "taken"],
    ["/proc/self/environ", "absolute"],
    ["/dev/stdin", "absolute"],
    ["a\u0000.txt", "control_character"],
    ["a\u0085b", "control_character"],
    ["src/ ../../x", "blank_component"],
    ["src/..\u200d/x", "blank_component"],
    ["src/\u3000/x", "blank_component"],
    ["~root/.bashrc", "home"],
    ["~", "home"],
    ["./~root/x", "home"],
    ["src/../C:/x", "drive"],
    [".git/hooks/pre-commit", "taken"],
    [`${"n".repeat(5_000)}`, "too_long"],
    [`${"é".repeat(128)}`, "too_long"],
    [`${"d/".repeat(400)}x`, "too_deep"],
    ["CON", "device_name"],
    ["dir/Nul", "device_name"],
    ["com1", "device_name"],
    ["file.txt::$DATA", "device_name"],
    ["aux.c", "taken"],
    ["Foo::Bar.3pm", "taken"],
    ["...", "taken"],
    ["a b/ c", "taken"],
  ])("%j is %s", (path, reason) => {
    expect(reasonFor(path, { root: "/workspace" })).toBe(reason);
  });

  test.each([
    ["aux.c", "device_name"],
    ["nul.txt", "device_name"],
    ["name.", "device_name"],
    ["name ", "device_name"],
    ["file.txt:stream", "device_name"],
    ["auxiliary.c", "taken"],
  ])("for Windows %j is %s", (path, reason) => {
    expect(reasonFor(path, { windows: true })).toBe(reason);
  });

  test("an absolute path is accepted only below the root, component by component", () => {
    const below = (path: string) => parseWorkspacePath(path, { root: "/workspace" });
    expect(below("/workspace/src/a.ts")).toEqual({ ok: true, value: ["src", "a.ts"] });
    expect(below("/workspace")).toEqual({ ok: true, value: [] });
    expect(below("//workspace/./a")).toEqual({ ok: true, value: ["a"] });
    expect(below("/workspace/../workspace-evil/x")).toMatchObject({ problem: { details: { reason: "escapes" } } });
    expect(parseWorkspacePath("/workspace/a").ok).toBe(false);
  });

  test("the target of a patch header and the member of an archive are treated like any other path", () => {
    const header = "+++ ../../x".slice(4);
    expect(reasonFor(header)).toBe("escapes");
    expect(reasonFor("b/../../../x")).toBe("escapes");
  });

  test("the message shows a malicious path escaped and shortened", () => {
    const parsed = parseWorkspacePath(`\u001b[2J${"x".repeat(9_000)}`);
    expect(parsed).toMatchObject({ problem: { code: "path_outside_workspace" } });
    if (parsed.ok) return;
    expect(parsed.problem.message).not.toContain("\u001b");
    expect(parsed.problem.message.length).toBeLessThan(300);
  });

  test("an accepted path is normalized: no empty, dotted or slashed component, and parsing it again changes nothing", () => {
    const piece = fc.oneof(
      fc.constantFrom("..", ".", "", " ", "a", "%2e%2e", "..\u200b", "b c"),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const parsed = parseWorkspacePath(pieces.join("/"));
        if (!parsed.ok) return;
        for (const name of parsed.value) {
          expect(name).not.toMatch(/^\.{0,2}$|\/|\\/);
        }
        expect(parseWorkspacePath(pathText(parsed.value))).toEqual(parsed);
      }),
      { numRuns: 20_000 },
    );
  });
});
