import { describe, expect, test } from "vitest";
import type {
  OutputChunk,
  ProcessCommand,
  ProcessExit,
  ProcessOperations,
  ProcessReport,
} from "../../../src/ports/operations.ts";
import { ok } from "../../../src/schema/problem.ts";
import { bash } from "../../../src/toolkits/shell/bash.ts";
import { type HookCall, runPreHooks } from "../../../src/tools/hooks.ts";
import { runBuiltin, virtualOperations } from "../../support/run-builtin.ts";
import { createTestClock } from "../../support/runtime.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const NOTHING = { head: bytes(""), tail: bytes(""), omitted: 0, size: 0, sha256: "" };

/** Creates a fake shell with a given output. */
function aShell(
  pieces: readonly OutputChunk[],
  end: ProcessExit = { kind: "exited", code: 0 },
  left: Pick<ProcessReport, "survivors" | "unaccounted"> = { survivors: 0 },
) {
  const commands: ProcessCommand[] = [];
  const process: ProcessOperations = {
    shell: "bash",
    async run(command) {
      commands.push(command);
      for (const piece of pieces) await command.onOutput?.(piece);
      return ok({ end, output: NOTHING, duration_ms: 1, ...left });
    },
  };
  const toolOf = (parts: ProcessOperations) => bash((context) => ({ ...virtualOperations(context), process: parts }));
  return { commands, tool: toolOf(process), sandboxed: toolOf({ ...process, sandboxed: true }) };
}
const out = (text: string): OutputChunk => ({ stream: "stdout", bytes: bytes(text) });

describe("bash", () => {
  test("returns the output of the command and how it ended", async () => {
    const { tool, commands } = aShell([out("one\n"), { stream: "stderr", bytes: bytes("warned\n") }]);
    const ran = await runBuiltin(tool, { command: "ls", folder: "src", timeout_s: 5 });
    expect(ran).toMatchObject({ success: true, text: "one\nwarned\n\nexit code 0" });
    expect(commands[0]).toMatchObject({ command: "ls", folder: "src", timeout_ms: 5_000 });
  });

  test.each<[ProcessExit, string]>([
    [{ kind: "exited", code: 2 }, "exit code 2"],
    [{ kind: "killed", signal: "SIGKILL" }, "killed by SIGKILL"],
    [{ kind: "timeout" }, "stopped after 60 s, its time limit"],
    [{ kind: "aborted" }, "stopped because the call was aborted"],
  ])("%j is no success", async (end, words) => {
    const ran = await runBuiltin(aShell([out("so far")], end).tool, { command: "make" });
    expect(ran).toMatchObject({ success: false, how: "refused", text: `so far\n${words}` });
  });

  test.each<[string, ProcessExit, boolean]>([
    ["node --test", { kind: "exited", code: 1 }, true],
    ["grep -n todo notes.txt", { kind: "exited", code: 1 }, true],
    ["node --test", { kind: "exited", code: 0 }, false],
    ["node --test", { kind: "exited", code: 127 }, false],
    ["node --test", { kind: "timeout" }, false],
    ["mkdir build", { kind: "exited", code: 1 }, false],
  ])("%s that ended with %j failed, and its output is an observation: %s", async (command, end, observed) => {
    expect((await runBuiltin(aShell([out("1 of 3 failed")], end).tool, { command })).more.observed === true).toBe(
      observed,
    );
  });

  test.each([
    ["git log | head -1", true],
    ["git log | head -1 && echo done", false],
    ["git log", false],
  ])("%s: exit code 141 of a pipe whose last stage read enough is a success: %s", async (command, success) => {
    const ran = await runBuiltin(aShell([out("one")], { kind: "exited", code: 141 }).tool, { command });
    expect(ran.success).toBe(success);
  });

  test.each<[ProcessExit, string]>([
    [{ kind: "exited", code: 2 }, "refused"],
    [{ kind: "killed", signal: "SIGKILL" }, "unknown"],
    [{ kind: "timeout" }, "unknown"],
    [{ kind: "aborted" }, "unknown"],
  ])("a risky command that ended by %j: %s whether it happened", async (end, how) => {
    const ran = await runBuiltin(aShell([], end).tool, { command: "git push --force origin main" });
    expect(ran).toMatchObject({ success: false, how });
  });

  test.each([
    [{ survivors: 2 }, ". 2 of its processes could not be ended."],
    [
      { survivors: 0, unaccounted: 1 },
      ". 1 process without a parent started meanwhile; whether the command started it cannot be known.",
    ],
    [{ survivors: 0, unaccounted: 0 }, ""],
  ])("says of %j what is known about processes that are left", async (left, note) => {
    const { tool } = aShell([], { kind: "exited", code: 0 }, left);
    expect((await runBuiltin(tool, { command: "ls" })).text.trim()).toBe(`exit code 0${note}`);
  });

  test.each([
    ["curl: (6) Could not resolve host: example.com", true, {}],
    ["npm error network getaddrinfo EAI_AGAIN packages.example.com", true, {}],
    ["1 test failed", false, {}],
    ["curl: (6) Could not resolve host: example.com", false, { network: true }],
  ])("a failure with %j mentions the missing network: %s", async (said, mentioned, more) => {
    const middle = Math.floor(said.length / 2);
    const shell = aShell([out(said.slice(0, middle)), out(said.slice(middle))], { kind: "exited", code: 1 });
    const note = mentioned ? ". It ran without network; set network if it needs one." : "";
    const ran = await runBuiltin(shell.sandboxed, { command: "make", ...more });
    expect(ran).toMatchObject({ success: false, text: `${said}\nexit code 1${note}` });
  });

  test("a character cut in two by the pipe comes out whole", async () => {
    const whole = bytes("Grüße 🎉");
    const pieces = Array.from(whole, (byte) => ({ stream: "stdout" as const, bytes: Uint8Array.of(byte) }));
    expect((await runBuiltin(aShell(pieces).tool, { command: "ls" })).text).toBe("Grüße 🎉\nexit code 0");
  });

  test("a command that never runs is not run, also by a host that forgot the hook", async () => {
    const { tool, commands } = aShell([]);
    const ran = await runBuiltin(tool, { command: "rm -rf /" });
    expect(ran).toMatchObject({ success: false, text: "\nThis command never runs." });
    expect(commands).toEqual([]);
  });

  test("reports that the host cannot run commands", async () => {
    expect((await runBuiltin(bash(virtualOperations), { command: "ls" })).text).toContain("cannot run commands");
  });
});

describe("the hook that comes with bash", () => {
  const asked = async (command: string) => {
    const { tool } = aShell([]);
    const { manifest } = tool;
    const call: HookCall = {
      tenant: "local",
      thread: "thr",
      tool_name: "bash",
      manifest,
      arguments: { command },
      arguments_digest: "d",
      proposed_digest: null,
    };
    return runPreHooks(tool.hooks, call, createTestClock());
  };

  test.each(["ls -la", 'echo "rm"', "grep 'rm -rf' notes.txt", "npm run format"])("%s is quiet", async (command) => {
    expect(await asked(command)).toMatchObject({ denied: null, asks: [] });
  });

  test.each(["ls && rm -rf build", "git push --force", "sudo id", "git reset --hard"])(
    "%s asks a person",
    async (command) => {
      expect(await asked(command)).toMatchObject({ denied: null, asks: [{ code: "risk" }] });
    },
  );

  test.each(["rm -rf /", "sh -c 'rm -rf /'", "mkfs.ext4 /dev/sda1", ":(){ :|:& };:"])(
    "%s is denied",
    async (command) => {
      const { denied, asks } = await asked(command);
      expect(denied).toContain("this never runs, whoever approves it");
      expect(asks).toEqual([]);
    },
  );
});
