import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLanguageServer } from "../../../src/adapters/language-server/language-server.ts";
import { createLocalOperations } from "../../../src/adapters/operations-local/local-operations.ts";
import { createBubblewrap } from "../../../src/adapters/operations-local/sandbox/bubblewrap.ts";
import { findBubblewrap, probeSandbox } from "../../../src/adapters/operations-local/sandbox/probe.ts";
import { lazyLanguageServer } from "../../../src/hosts/node/code/lazy-language-server.ts";
import { lazySearch } from "../../../src/hosts/shared/lazy-adapters.ts";
import { proposedPatch } from "../../../src/toolkits/code/proposed-patch.ts";
import { code } from "../../../src/toolkits/code/toolkit.ts";
import { problemCode, unwrap } from "../../support/runtime.ts";
import { aContext } from "../../support/tool-context.ts";
import { plugToolkit } from "../../support/toolkit.ts";

const repository = process.cwd();
const require = createRequire(import.meta.url);
/** The TypeScript of another package, because the compiler of this repository has no tsserver. */
const typescript = join(repository, "node_modules/@arethetypeswrong/core/node_modules/typescript");
const LANGUAGES = { ts: "typescript" };

const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-lsp-")));
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const program = findBubblewrap();
const found =
  program === null
    ? null
    : createBubblewrap({ program, workspace: root, hidden: [], readable: [repository], home: undefined });
const sandbox = found !== null && probeSandbox(found, root).ok ? found : null;

const open = (command: string, loads_workspace_code = false) => {
  const env = { PATH: process.env.PATH ?? "" };
  const local = unwrap(createLocalOperations({ root, search: lazySearch, process: { env, sandbox } }));
  const places = { workspace: root, closed: [], sandboxed: sandbox !== null };
  const server = createLanguageServer({
    command,
    initialization_options: {
      // There is no second server, which would answer from single files while the project is loading.
      tsserver: { path: join(typescript, "lib/tsserver.js"), useSyntaxServer: "never" },
      disableAutomaticTypingAcquisition: true,
    },
  });
  const settings = { lint: null, lsp: { command, languages: LANGUAGES, loads_workspace_code } };
  const toolkit = plugToolkit(code, {
    process: Object.assign(() => local, { places }),
    code: settings,
    language: server,
  });
  const ask = async (input: object): Promise<unknown> => (await toolkit.call("lsp", input)).value;
  return { toolkit, server, ask };
};

const cli = join(dirname(require.resolve("typescript-language-server/package.json")), "lib/cli.mjs");
const { toolkit, server, ask } = open(`'${process.execPath}' '${cli}' --stdio`);

beforeAll(() => {
  put("src/greet.ts", "export function greet(name: string): string {\n  return name + 1;\n}\n");
  put("src/main.ts", 'import { greet } from "./greet.ts";\n\nconst text: number = greet("Ann");\ngreet("Bob");\n');
  // The workspace tries to run its own programs.
  const hostile = 'require("node:fs").writeFileSync(process.cwd() + "/ran.txt", "x"); module.exports = () => ({});\n';
  put("node_modules/typescript/package.json", '{"name":"typescript","version":"5.0.0","main":"lib/tsserver.js"}');
  put("node_modules/typescript/lib/tsserver.js", hostile);
  put("node_modules/evil/index.js", hostile);
  put(
    "tsconfig.json",
    '{"compilerOptions":{"strict":true,"allowImportingTsExtensions":true,"noEmit":true,"plugins":[{"name":"evil"}]},"include":["src"]}',
  );
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

describe("lsp with typescript-language-server", () => {
  test("finds the definition in another file", async () => {
    const answer = await ask({ action: "definition", path: "src/main.ts", line: 4, symbol: "greet" });
    expect(answer).toBe("src/greet.ts:1:17 export function greet(name: string): string {");
  }, 90_000);

  test("finds all references", async () => {
    const answer = String(await ask({ action: "references", path: "src/greet.ts", line: 1, symbol: "greet" }));
    expect(answer.split("\n").map((line) => line.split(" ")[0])).toEqual([
      "src/greet.ts:1:17",
      "src/main.ts:1:10",
      "src/main.ts:3:22",
      "src/main.ts:4:1",
    ]);
  }, 90_000);

  test("shows types and problems", async () => {
    const hover = await ask({ action: "hover", path: "src/main.ts", line: 4, symbol: "greet" });
    expect(hover).toContain("greet(name: string): string");
    const problems = await ask({ action: "diagnostics", path: "src/main.ts" });
    expect(problems).toContain("3:7 error 2322: Type 'string' is not assignable to type 'number'.");
    expect(await ask({ action: "diagnostics", path: "src/greet.ts" })).toBe("no problems");
  }, 90_000);

  test("a rename is a patch that git applies, and writes nothing", async () => {
    const input = { action: "rename", path: "src/greet.ts", line: 1, symbol: "greet", new_name: "welcome" };
    const patch = String(await ask(input));
    expect(patch).toContain("+++ b/src/main.ts");
    expect(execFileSync("cat", [join(root, "src/greet.ts")], { encoding: "utf8" })).toContain("greet");
    const applied = mkdtempSync(join(tmpdir(), "pawl-lsp-patch-"));
    try {
      execFileSync("cp", ["-r", join(root, "src"), applied]);
      execFileSync("git", ["apply", "-"], { cwd: applied, input: `${patch}\n` });
      expect(execFileSync("cat", ["src/main.ts"], { cwd: applied, encoding: "utf8" })).toBe(
        'import { welcome } from "./greet.ts";\n\nconst text: number = welcome("Ann");\nwelcome("Bob");\n',
      );
    } finally {
      rmSync(applied, { recursive: true });
    }
  }, 90_000);

  test("sees a file as it is now", async () => {
    put("src/late.ts", "const a = 1;\nexport const b = a;\n");
    const input = { action: "definition", path: "src/late.ts", line: 2, symbol: "a;" };
    expect(await ask(input)).toContain("src/late.ts:1:7");
    put("src/late.ts", "\n\nconst a = 1;\nexport const b = a;\n");
    expect(await ask({ ...input, line: 4 })).toContain("src/late.ts:3:7");
  }, 90_000);

  test("no program of the workspace has run", () => expect(existsSync(join(root, "ran.txt"))).toBe(false));

  test.each([
    [{ action: "definition", path: "src/main.ts" }, "tool_refused"],
    [{ action: "definition", path: "src/main.ts", line: 99, symbol: "greet" }, "tool_refused"],
    [{ action: "definition", path: "src/main.ts", line: 1, symbol: "nothing" }, "tool_refused"],
    [{ action: "rename", path: "src/main.ts", line: 4, symbol: "greet" }, "tool_refused"],
    [{ action: "hover", path: "tsconfig.json", line: 1, symbol: "strict" }, "tool_refused"],
    [{ action: "diagnostics", path: "../../etc/passwd.ts" }, "path_outside_workspace"],
    [{ action: "diagnostics", path: "src/missing.ts" }, "file_not_found"],
  ])("refuses %j, before a person is asked", async (input, problem) => {
    expect(problemCode((await ask(input)) as never)).toBe(problem);
    const beforehand = await toolkit.find("lsp").check?.(input as never, aContext());
    expect(problemCode(beforehand as never)).toBe(problem);
  });

  test("a person is asked unless the server is sandboxed and loads nothing of the workspace", () => {
    expect(toolkit.find("lsp").manifest).toMatchObject({
      permission: "EXTERNAL",
      requires_confirmation: sandbox === null,
      output_trust: "untrusted",
    });
    expect(open("true", true).toolkit.find("lsp").manifest.requires_confirmation).toBe(true);
  });
});

describe("a server that misbehaves", () => {
  test.each(["exit 1", "echo hello", "printf 'Content-Length: 2\\r\\n\\r\\n[]'", "definitely-not-a-program"])(
    "%s",
    async (command) => {
      const broken = open(command);
      expect(problemCode((await broken.ask({ action: "diagnostics", path: "src/main.ts" })) as never)).toBe(
        "tool_refused",
      );
      await broken.server.close();
    },
    30_000,
  );

  test.each([
    ["never says that it is ready", "cat > /dev/null"],
    ["sends without an end", "cat /dev/zero"],
    ["promises a message that never ends", "printf 'Content-Length: 99999999999\\r\\n\\r\\n'; cat /dev/zero"],
  ])(
    "one that %s is ended with the call, and holds up no other",
    async (_what, command) => {
      const stuck = open(command);
      const input = { action: "diagnostics", path: "src/main.ts" };
      const call = async () => (await stuck.toolkit.call("lsp", input, { signal: AbortSignal.timeout(2_000) })).value;
      for (const answer of await Promise.all([call(), call()]))
        expect(problemCode(answer as never)).toBe("tool_refused");
      await stuck.server.close();
    },
    30_000,
  );
});

describe("the optional package", () => {
  const options = { command: "true", initialization_options: {} };

  test("a host without vscode-jsonrpc names it with every question, and can be closed", () => {
    const host = realpathSync(mkdtempSync(join(tmpdir(), "pawl-lsp-host-")));
    try {
      cpSync(join(repository, "src"), join(host, "src"), { recursive: true });
      mkdirSync(join(host, "node_modules"));
      symlinkSync(join(repository, "node_modules/zod"), join(host, "node_modules/zod"));
      const script = `
        import { lazyLanguageServer } from "./src/hosts/node/code/lazy-language-server.ts";
        const server = lazyLanguageServer(${JSON.stringify(options)});
        const asking = { signal: AbortSignal.abort() };
        const answers = [await server.ask(asking), await server.ask(asking)];
        await server.close();
        console.log(JSON.stringify(answers));`;
      writeFileSync(join(host, "ask.mts"), script);
      const answers = JSON.parse(execFileSync(process.execPath, ["ask.mts"], { cwd: host, encoding: "utf8" }));
      const missing = { code: "package_missing", details: { package: "vscode-jsonrpc" } };
      expect(answers).toMatchObject([{ problem: missing }, { problem: missing }]);
    } finally {
      rmSync(host, { recursive: true });
    }
  }, 30_000);

  test("a load that failed is tried again with the next question", async () => {
    let loads = 0;
    const server = lazyLanguageServer(options, async () => {
      loads += 1;
      if (loads === 1) throw new Error("too many open files");
      return { createLanguageServer };
    });
    const asking = { signal: AbortSignal.abort() } as never;
    await expect(server.ask(asking)).rejects.toThrow("too many open files");
    expect(problemCode(await server.ask(asking))).toBe("tool_refused");
    await server.close();
  });
});

describe("a proposed patch", () => {
  const edit = (line: number, from: number, to: number, new_text: string) => ({
    range: { start: { line, character: from }, end: { line, character: to } },
    new_text,
  });
  test("joins near changes, and counts lines", () => {
    const text = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
    const patch = proposedPatch("a.txt", text, [edit(15, 0, 4, "x"), edit(1, 0, 4, "a\nb"), edit(2, 0, 4, "c")]);
    expect(patch?.match(/^@@.*$/gm)).toEqual(["@@ -1,6 +1,7 @@", "@@ -13,7 +14,7 @@"]);
    expect(patch).toContain("-line 1\n-line 2\n+a\n+b 1\n+c 2");
  });

  const whole = (lines: number, new_text: string) => ({
    range: { start: { line: 0, character: 0 }, end: { line: lines, character: 0 } },
    new_text,
  });
  const at = (line: number, from: number, to: number, end = line) => ({
    range: { start: { line, character: from }, end: { line: end, character: to } },
    new_text: "x",
  });
  test.each([
    ["a whole file is replaced", "a\nb\nc\n", [whole(3, "a\nx\nc\n")], "a\nx\nc\n"],
    ["the end of a file gets a line", "a\nb\n", [{ ...at(2, 0, 0), new_text: "c\n" }], "a\nb\nc\n"],
    ["a line break at the end is lost", "a\nb\n", [whole(2, "a\nb")], "a\nb"],
    ["a file without one gets longer", "a\nb", [{ ...at(1, 9, 9), new_text: "\nc" }], "a\nb\nc"],
    ["an empty file is written", "", [{ ...at(0, 0, 0), new_text: "a\n" }], "a\n"],
    ["a file is emptied", "a\nb\n", [whole(2, "")], ""],
    ["lines are joined", "a\nb\nc\n", [{ ...at(0, 1, 0, 1), new_text: " " }], "a b\nc\n"],
  ])("git applies it where %s", (_what, before, edits, after) => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-patch-"));
    try {
      writeFileSync(join(folder, "a.txt"), before);
      execFileSync("git", ["apply", "-"], { cwd: folder, input: `${proposedPatch("a.txt", before, edits)}\n` });
      expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe(after);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    ["outside of the text", [at(9, 0, 1)]],
    ["that end before they begin", [at(1, 1, 0, 0)]],
    ["that overlap", [at(0, 0, 3), at(0, 2, 1, 1)]],
  ])("there is none for edits %s", (_what, edits) =>
    expect(proposedPatch("a.txt", "line 0\nline 1\n", edits)).toBeNull(),
  );

  test("twenty thousand edits of one long line take no time", () => {
    const edits = Array.from({ length: 20_000 }, (_, index) => at(0, 2 * index, 2 * index + 1));
    const before = process.cpuUsage();
    expect(proposedPatch("a.txt", "a".repeat(500_000), edits)).toContain(`+${"xa".repeat(20_000)}`);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
