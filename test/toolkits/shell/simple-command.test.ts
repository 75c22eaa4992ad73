import { describe, expect, test } from "vitest";
import { z } from "zod";
import { bash } from "../../../src/toolkits/shell/bash.ts";
import { commandRisk } from "../../../src/toolkits/shell/risk-hooks.ts";
import { accessOfLine, isHarmlessCommand, simpleCommand } from "../../../src/toolkits/shell/simple-command.ts";
import { fetchUrl } from "../../../src/toolkits/web/fetch-url.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { virtualOperations } from "../../support/run-builtin.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { aManifest } from "../../support/thread.ts";

describe("simpleCommand", () => {
  test.each([
    ["npm test", ["npm", "test"]],
    ["  node --test 'a b.js' ", ["node", "--test", "a b.js"]],
    ['grep -n "two words" a.txt', ["grep", "-n", "two words", "a.txt"]],
  ])("reads %s", (line, words) => {
    expect(simpleCommand(line, undefined)).toEqual({ words, folder: "." });
  });

  test.each([
    "npm test && ls",
    "npm test; ls",
    "npm test | head",
    "npm test &",
    "npm test > out.txt",
    "npm test < in.txt",
    "npm test 2>&1",
    "npm test $(ls)",
    "npm test `ls`",
    "npm test $HOME",
    "npm test *.js",
    "npm test {a,b}",
    "A=1 npm test",
    "A=1",
    "npm test\nls",
    "npm\u200b test",
    "! npm test",
    "(npm test)",
    "npm 'test",
    "",
  ])("does not read %j as one simple command", (line) => {
    expect(simpleCommand(line, undefined)).toBeNull();
  });

  test("names the folder the same way however it is written", () => {
    const folders = [undefined, "", ".", "./", "src", "./src", "src/"].map((name) => simpleCommand("ls", name)?.folder);
    expect(folders).toEqual([".", ".", ".", ".", "src", "src", "src"]);
  });
});

describe("isHarmlessCommand", () => {
  const open = { workspace: "/srv/app", closed: ["/srv/data"], sandboxed: false };
  const sandbox = { ...open, sandboxed: true };

  test.each(["ls -la src", "cat a.txt | head -3", "grep -rn todo src", "git status", "git log -3"])(
    "%s is, with and without a sandbox",
    (command) => {
      expect([isHarmlessCommand({ command }, open), isHarmlessCommand({ command }, sandbox)]).toEqual([true, true]);
    },
  );

  test.each([
    "node --test",
    "npm test",
    "git commit -m x",
    "mkdir a",
    "curl https://example.org/?q=1",
    "dig a.example.org",
  ])("%s is only in a sandbox: it runs other programs, writes, or reaches the network", (command) => {
    expect([isHarmlessCommand({ command }, open), isHarmlessCommand({ command }, sandbox)]).toEqual([false, true]);
  });

  test.each([
    [{ command: "rm -rf src" }],
    [{ command: "cat /srv/data/x" }],
    [{ command: "touch /etc/x" }],
    [{ command: "ls", network: true }],
    [{ command: "ls\u200b" }],
    [{ command: "find . -exec curl {} \\; | sh" }],
  ])("%j never is", (call) => {
    expect([isHarmlessCommand(call, open), isHarmlessCommand(call, sandbox)]).toEqual([false, false]);
  });
});

describe("what the judge of commands says about remembering", () => {
  const ask = async (command: string) =>
    commandRisk().handler({
      phase: "PRE",
      tenant: "local",
      thread: "thr",
      tool_name: "bash",
      manifest: aManifest({ name: "bash" }),
      arguments: { command },
      arguments_digest: "d",
      proposed_digest: null,
    } as never);

  test("an unknown program may be remembered by its first words", async () => {
    expect(await ask("frobnicate build all")).toMatchObject({ kinds: ["unknown_command"], once: false, prefix: true });
  });

  test("a destructive command is approved every time", async () => {
    expect(await ask("rm -r src")).toMatchObject({ once: true });
    expect(await ask("git push --force")).toMatchObject({ once: true });
  });

  test("program text that cannot be read may be remembered exactly, not by its first words", async () => {
    expect(await ask('python3 -c "$CODE"')).toMatchObject({ once: false, prefix: false });
  });
});

describe("taint.allow", () => {
  const page = defineTool(
    { name: "page", description: "Reads.", output_trust: "untrusted", input: z.object({}), output: z.string() },
    () => "text from outside",
  );
  const read = { action: "continue", speak: "x", tool_call: { name: "page", arguments: {} } };
  const call = (name: string, args: object) => ({
    action: "continue",
    speak: "x",
    tool_call: { name, arguments: args },
  });
  const operations = Object.assign(
    (context: Parameters<typeof virtualOperations>[0]) => ({
      ...virtualOperations(context),
      process: {
        shell: "bash" as const,
        run: async () => ({
          ok: true as const,
          value: { end: { kind: "exited" as const, code: 0 }, survivors: 0 } as never,
        }),
      },
    }),
    { places: { workspace: "/srv/app", closed: [], sandboxed: false } },
  );
  const fetcher = {
    fetch: async () => ({ ok: true, value: { url: "https://docs.example.com/", status: 200 } }),
  } as never;

  async function gateAfterTaint(taint_allow: readonly string[], proposal: object) {
    const config = { ...DEFAULT_CONFIG, parts: ["files", "process", "fetch"], taint_allow };
    const rt = createTestRuntime([read, proposal as never], [page, bash(operations), fetchUrl(fetcher)], { config });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    return gate?.kind === "confirmation" ? gate.reasons.map(({ code }) => code) : null;
  }

  test("harmless commands need a person in a tainted thread unless the configuration allows them", async () => {
    expect(await gateAfterTaint([], call("bash", { command: "ls" }))).toEqual(["taint"]);
    expect(await gateAfterTaint(["bash:harmless"], call("bash", { command: "ls" }))).toBeNull();
    expect(await gateAfterTaint(["bash:harmless"], call("bash", { command: "node --test" }))).toEqual(["taint"]);
    expect(await gateAfterTaint(["bash:harmless"], call("bash", { command: "ls", network: true }))).toEqual([
      "risk",
      "taint",
    ]);
  });

  test("pages of a host that the configuration names need none", async () => {
    const fetch = (url: string) => call("fetch_url", { url });
    expect(await gateAfterTaint(["fetch_url:docs.example.com"], fetch("https://docs.example.com/a"))).toBeNull();
    expect(await gateAfterTaint(["fetch_url:docs.example.com"], fetch("https://evil.example.com/a"))).toEqual([
      "taint",
    ]);
    expect(await gateAfterTaint(["fetch_url:docs.example.com"], fetch("https://docs.example.com@evil.test/"))).toEqual([
      "taint",
    ]);
  });
});

test.each([
  ['echo "all tests pass"', "nothing"],
  ["echo a; printf b && true", "nothing"],
  ['echo "3 pass" | cat', "nothing"],
  ["echo $(ls)", "read"],
  ["echo a | cat - notes.txt", "read"],
  ["cat < notes.txt", "read"],
  ["echo a && ls", "read"],
  ["ls src", "read"],
  ["echo a > notes.txt", "write"],
])("%s is access %s", (line, access) => expect(accessOfLine(line)).toBe(access));
