import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createLocalOperations } from "../../../src/adapters/operations-local/local-operations.ts";
import { lazySearch } from "../../../src/hosts/shared/lazy-adapters.ts";
import { readFindings } from "../../../src/toolkits/code/findings.ts";
import { code } from "../../../src/toolkits/code/toolkit.ts";
import { problemCode, unwrap } from "../../support/runtime.ts";
import { plugToolkit } from "../../support/toolkit.ts";

const root = mkdtempSync(join(tmpdir(), "pawl-lint-"));
afterAll(() => rmSync(root, { recursive: true }));
const ESLINT = [
  {
    filePath: "/w/a.ts",
    messages: [
      { ruleId: "no-var", severity: 2, message: "Use let.", line: 3, column: 7 },
      { ruleId: null, severity: 1, message: "Parsing.", line: null },
    ],
  },
];
const SARIF = {
  runs: [
    {
      results: [
        {
          ruleId: "R1",
          level: "error",
          message: { text: "Bad." },
          locations: [
            { physicalLocation: { artifactLocation: { uri: "src/b.ts" }, region: { startLine: 9, startColumn: 2 } } },
          ],
        },
        { message: {} },
      ],
    },
    {},
  ],
};

describe("reports of linters", () => {
  test("ESLint", () => {
    expect(unwrap(readFindings("eslint", `> eslint\n${JSON.stringify(ESLINT)}\n`))).toEqual([
      { file: "/w/a.ts", line: 3, column: 7, severity: "error", rule: "no-var", message: "Use let." },
      { file: "/w/a.ts", line: null, column: null, severity: "warning", rule: null, message: "Parsing." },
    ]);
  });

  test("SARIF", () => {
    expect(unwrap(readFindings("sarif", JSON.stringify(SARIF)))).toEqual([
      { file: "src/b.ts", line: 9, column: 2, severity: "error", rule: "R1", message: "Bad." },
      { file: "", line: null, column: null, severity: "warning", rule: null, message: "" },
    ]);
  });

  const sarif = (...results: readonly unknown[]) =>
    unwrap(readFindings("sarif", JSON.stringify({ runs: [{ results }] })));
  const at = (uri: unknown, startLine: unknown) => ({
    ruleId: "r",
    message: { text: "m" },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
  });
  const found = { file: "a", line: 1, column: null, severity: "warning", rule: "r", message: "m" };

  test("an invalid finding does not affect the others", () => {
    const odd = [7, null, at(7, "x"), { ...at("a", 1), locations: null, message: null }, { locations: [null, 1] }];
    expect(sarif(...odd, at("a", 1)).at(-1)).toEqual(found);
    const messages = [null, { ruleId: 7, severity: 2, message: null, line: -1 }, ...(ESLINT[0]?.messages ?? [])];
    expect(unwrap(readFindings("eslint", JSON.stringify([{ filePath: "a", messages }])))).toHaveLength(3);
  });

  test("names are short and on one line, so that none looks like another finding", () => {
    const [issue] = sarif({
      ...at("a\n9:9 error x: y", 1),
      ruleId: "r".repeat(9_000),
      message: { text: "m\n\u001b[31mz" },
    });
    expect(issue).toMatchObject({ file: "a 9:9 error x: y", rule: "r".repeat(200), message: "m [31mz" });
  });

  test("suppressed and passed results are not findings, and a rule may be given as an object", () => {
    const suppressed = { ...at("a", 1), suppressions: [{ kind: "inSource" }] };
    const refused = { ...at("a", 1), suppressions: [{ kind: "external", status: "rejected" }] };
    expect(sarif(suppressed, { ...at("a", 1), kind: "pass" }, refused)).toEqual([found]);
    expect(sarif({ ...at("a", 1), ruleId: undefined, rule: { id: "R9" }, level: "none" })).toEqual([
      { ...found, rule: "R9", severity: "note" },
    ]);
  });

  test("a report is found between notes with brackets, and not in a part of one that is cut", () => {
    const notes = `warning: [x] {y}\n${JSON.stringify(SARIF, null, 2)}\ndone [1]\n`;
    expect(unwrap(readFindings("sarif", notes))).toHaveLength(2);
    const cutOff = JSON.stringify([{ filePath: "a", messages: [] }, ...ESLINT], null, 2).slice(0, -20);
    expect(problemCode(readFindings("eslint", cutOff))).toBe("tool_refused");
  });

  test.each(["", "error: not found", "{", "[[", '{"runs": 1}', "null", "[1]", "]["])("%j is not a report", (text) => {
    expect(problemCode(readFindings("eslint", text))).toBe("tool_refused");
    expect(problemCode(readFindings("sarif", text))).toBe("tool_refused");
  });
});

describe("the tool lint", () => {
  const plugged = (loads_workspace_code: boolean, sandboxed = true) => {
    writeFileSync(join(root, "report.json"), JSON.stringify(ESLINT));
    const env = { PATH: process.env.PATH ?? "" };
    const operations = unwrap(createLocalOperations({ root, search: lazySearch, process: { env } }));
    const settings = { command: "cat report.json; exit 1", format: "eslint" as const, loads_workspace_code };
    const places = { workspace: root, closed: [], sandboxed };
    const commands = Object.assign(() => operations, { places });
    return plugToolkit(code, { process: commands, code: { lint: settings, lsp: null } });
  };

  test("runs the configured command and shows what it found", async () => {
    const { call } = plugged(true);
    expect((await call("lint", {})).value).toMatchObject({ total: 2 });
    expect((await call("lint", { file: "other" })).value).toEqual({ findings: [], total: 0 });
  });

  test("asks a person unless it runs in a sandbox and, as the operator says, loads no code of the workspace", () => {
    expect(plugged(true).find("lint").manifest.requires_confirmation).toBe(true);
    expect(plugged(false).find("lint").manifest.requires_confirmation).toBe(false);
    expect(plugged(false, false).find("lint").manifest.requires_confirmation).toBe(true);
  });

  test("is absent without a configured linter", () => {
    const { tools } = plugToolkit(code, { process: () => ({}) as never });
    expect(tools.map(({ manifest }) => manifest.name)).toEqual(["git"]);
  });
});
