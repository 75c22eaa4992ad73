import { describe, expect, test } from "vitest";
import { fileTools } from "../../../src/toolkits/all.ts";
import { sensitivePaths } from "../../../src/toolkits/files/sensitive-path.ts";
import { bash } from "../../../src/toolkits/shell/bash.ts";
import { commandRisk } from "../../../src/toolkits/shell/risk-hooks.ts";
import { type HookCall, runPreHooks } from "../../../src/tools/hooks.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { virtualOperations } from "../../support/run-builtin.ts";
import { createTestClock, createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { aManifest } from "../../support/thread.ts";

const call = (tool_name: string, args: Record<string, unknown>): HookCall => ({
  tenant: "local",
  thread: "thr",
  tool_name,
  manifest: aManifest({ name: tool_name }),
  arguments: args,
  arguments_digest: "d",
  proposed_digest: null,
});
const asked = (hook: ReturnType<typeof commandRisk>, tool: string, args: Record<string, unknown>) =>
  runPreHooks([hook], call(tool, args), createTestClock());

describe("writes to sensitive files", () => {
  test.each([
    ".git/hooks/pre-commit",
    "sub/.git/config",
    ".github/workflows/ci.yml",
    ".env",
    "deploy/.env.production",
    ".npmrc",
    ".bashrc",
    ".vscode/tasks.json",
    "keys/id_rsa",
    "/somewhere/workspace/.git/hooks/post-merge",
    "src/../.env",
  ])("%s is asked of a person", async (path) => {
    for (const tool of ["write_file", "edit", "patch"]) {
      expect((await asked(sensitivePaths(), tool, { path })).asks).toMatchObject([{ code: "path" }]);
    }
  });

  test.each(["src/app.ts", "environment.ts", "docs/git.md", "hooks/pre-commit.ts"])("%s is not", async (path) => {
    expect(await asked(sensitivePaths(), "write_file", { path })).toMatchObject({ asks: [], denied: null });
  });

  test("reading them is not asked by this hook", async () => {
    expect((await asked(sensitivePaths(), "read_file", { path: ".env" })).asks).toEqual([]);
  });

  test("also where policy approves the tool", async () => {
    const write = (path: string) => ({
      action: "continue",
      speak: "On it.",
      tool_call: { name: "write_file", arguments: { path, content: "x" } },
    });
    const rt = createTestRuntime([write("a.txt"), write(".git/hooks/pre-commit")], fileTools(virtualOperations), {
      config: { ...DEFAULT_CONFIG, parts: ["files"] },
    });
    const thread = await createTestThread(rt, { goal: "x", mode: "direct", auto_approve: ["write_file"] });
    expect(unwrap(await thread.turn()).outcome.turn?.receipts.at(-1)).toMatchObject({ success: true, actor: "policy" });
    const gated = unwrap(await thread.turn());
    expect(gated.outcome.thread.gate).toMatchObject({
      kind: "confirmation",
      reasons: [{ code: "path", text: expect.stringContaining("git runs it automatically") }],
    });
  });
});

test("a call without a command to look at is denied", async () => {
  expect((await asked(commandRisk(), "bash", {})).denied).toContain("there is no command to check");
  expect((await asked(commandRisk(["run"]), "run", { command: "sudo id" })).asks).toMatchObject([{ code: "risk" }]);
});

describe("the place that commands run in", () => {
  const places = { workspace: "/srv/app", closed: ["/srv/data", "/srv/app/pawl.config.ts"], sandboxed: false };
  const hook = commandRisk(["bash"], places);
  const asksOf = async (command: string, folder?: string) =>
    (await asked(hook, "bash", { command, ...(folder === undefined ? {} : { folder }) })).asks.map(({ text }) => text);

  test("decides which paths are closed", async () => {
    expect(await asksOf("cat pawl.config.ts")).toEqual([expect.stringContaining("protected files")]);
    expect(await asksOf("cat /srv/data/pawl.db")).toEqual([expect.stringContaining("protected files")]);
    expect(await asksOf("cat /srv/app/src/a.ts")).toEqual([]);
  });

  test("starts in the folder of the call", async () => {
    expect(await asksOf("cat ../pawl.config.ts", "src")).toEqual([expect.stringContaining("protected files")]);
    expect(await asksOf("cat ../package.json", "src")).toEqual([]);
    expect(await asksOf("touch ../../x", "src/deep")).toEqual([]);
    expect(await asksOf("touch ../../x", "src")).toEqual([expect.stringContaining("outside the workspace")]);
  });

  test("is what the shell tool passes to its judge", async () => {
    const operations = Object.assign((context: Parameters<typeof virtualOperations>[0]) => virtualOperations(context), {
      places,
    });
    const [risk] = bash(operations).hooks;
    if (!risk) throw new Error("no hook");
    expect((await asked(risk, "bash", { command: "cat pawl.config.ts" })).asks).toHaveLength(1);
  });
});
