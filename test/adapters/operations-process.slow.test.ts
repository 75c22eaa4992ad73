import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLocalOperations } from "../../src/adapters/operations-local/local-operations.ts";
import type { ProcessOptions } from "../../src/adapters/operations-local/run-command.ts";
import { createLinearSearch } from "../../src/adapters/search-linear/linear-search.ts";
import type { ProcessCommand, ProcessOperations, ProcessReport } from "../../src/ports/operations.ts";
import { afterFirstThread, hasThreadedPerl } from "../support/threaded-perl.ts";

const base = mkdtempSync(join(tmpdir(), "pawl-process-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(base, "case-"));
});

function operate(options: ProcessOptions = {}): ProcessOperations {
  const created = createLocalOperations({ root, search: createLinearSearch(), process: options });
  if (!created.ok || !created.value.process) throw new Error("no processes");
  return created.value.process;
}

async function run(
  command: string,
  more: Partial<ProcessCommand> = {},
  options: ProcessOptions = {},
): Promise<ProcessReport> {
  const result = await operate(options).run({ command, timeout_ms: 30_000, ...more });
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

const text = (report: ProcessReport): string => Buffer.concat([report.output.head, report.output.tail]).toString();

/** Returns the running processes, without zombies, whose command line contains this word. */
function alive(word: string): readonly string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => {
    try {
      const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.charAt(0);
      return state !== "Z" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  });
}

describe("a command", () => {
  test("runs in the shell in the workspace, and its exit is reported", async () => {
    const report = await run("pwd; echo err >&2; exit 3");
    expect(report.end).toEqual({ kind: "exited", code: 3 });
    expect(text(report)).toContain(`${root}\n`);
    expect(text(report)).toContain("err\n");
    expect(report.survivors).toBe(0);
    expect(report.output.sha256).toBe(createHash("sha256").update(report.output.head).digest("hex"));
  });

  test.skipIf(!existsSync("/bin/bash"))("in a pipe, a stage that fails is the failure of the pipe", async () => {
    expect((await run("false | cat")).end).toEqual({ kind: "exited", code: 1 });
    expect((await run("echo a | cat")).end).toEqual({ kind: "exited", code: 0 });
    expect((await run("yes | head -1")).end).toEqual({ kind: "exited", code: 141 });
  });

  test("that is killed reports the signal", async () => {
    expect((await run("kill -USR1 $$")).end).toEqual({ kind: "killed", signal: "SIGUSR1" });
  });

  test("has no input and sees none of the server's secrets", async () => {
    process.env.PAWL_TEST_SECRET = "canary-4711";
    const report = await run("cat; env");
    delete process.env.PAWL_TEST_SECRET;
    expect(text(report)).toContain("PATH=");
    expect(text(report)).not.toContain("canary-4711");
  });

  test("runs only in folders of the workspace", async () => {
    mkdirSync(join(root, "sub"));
    symlinkSync("/", join(root, "away"));
    writeFileSync(join(root, "file"), "");
    const process = operate();
    expect(text(await run("basename $(pwd)", { folder: "sub" }))).toBe("sub\n");
    const refused = async (folder: string) => process.run({ command: "pwd", folder, timeout_ms: 1_000 });
    expect(await refused("..")).toMatchObject({ problem: { code: "path_outside_workspace" } });
    expect(await refused("away")).toMatchObject({ problem: { code: "path_outside_workspace" } });
    expect(await refused("file")).toMatchObject({ problem: { code: "not_a_folder" } });
    expect(await refused("none")).toMatchObject({ problem: { code: "file_not_found" } });
  });

  test("that cannot be started gives a problem", async () => {
    expect(await operate().run({ command: "echo \0", timeout_ms: 1_000 })).toMatchObject({
      problem: { code: "process_unavailable" },
    });
    expect(await operate().run({ command: "x".repeat(300_000), timeout_ms: 1_000 })).toMatchObject({
      problem: { code: "process_unavailable", details: { reason: "E2BIG" } },
    });
  });

  test("streams its output as it arrives", async () => {
    const pieces: string[] = [];
    const report = await run("printf one; sleep 0.2; printf two >&2; sleep 0.2; printf three", {
      onOutput: ({ stream, bytes }) => void pieces.push(`${stream}:${Buffer.from(bytes).toString()}`),
    });
    expect(pieces).toEqual(["stdout:one", "stderr:two", "stdout:three"]);
    expect(text(report)).toBe("onetwothree");
  });

  test("waits for a slow listener instead of filling the memory", async () => {
    let seen = 0;
    let open = 0;
    let most = 0;
    const report = await run("head -c 2000000 /dev/zero", {
      onOutput: async ({ bytes }) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 2));
        seen += bytes.length;
        open--;
      },
    });
    expect(report.end).toEqual({ kind: "exited", code: 0 });
    expect([seen, most]).toEqual([2_000_000, 1]);
  });

  test("is ended when its listener fails", async () => {
    const failing = run("echo x; sleep 4242.1", {
      onOutput: () => {
        throw new Error("a bug in the listener");
      },
    });
    await expect(failing).rejects.toThrow("a bug in the listener");
    expect(alive("4242.1")).toEqual([]);
  });
});

describe("output", () => {
  beforeAll(async () => {
    root = mkdtempSync(join(base, "warm-"));
    await run("head -c 5000000 /dev/zero");
  });

  test.each([
    ["zeros without a line break", "head -c 104857600 /dev/zero"],
    ["lines", "yes | head -c 104857600"],
    ["binary data", "head -c 104857600 /dev/zero | tr '\\000' '\\377'"],
  ])("of 100 MB of %s is truncated while streaming, and counted and hashed completely", async (_what, command) => {
    let peak = 0;
    const before = process.memoryUsage().rss;
    const report = await run(command, {
      timeout_ms: 100_000,
      onOutput: () => {
        peak = Math.max(peak, process.memoryUsage().rss);
      },
    });
    const { head, tail, size, omitted } = report.output;
    expect([head.length, tail.length, size]).toEqual([262_144, 65_536, 104_857_600]);
    expect(omitted).toBe(104_857_600 - 262_144 - 65_536);
    expect(peak - before).toBeLessThan(64 * 1_048_576);
    const expected = createHash("sha256");
    const block = command.startsWith("yes")
      ? Buffer.from("y\n".repeat(524_288))
      : Buffer.alloc(1_048_576, command.includes("377") ? 255 : 0);
    for (let i = 0; i < 100; i++) expected.update(block);
    expect(report.output.sha256).toBe(expected.digest("hex"));
  });
});

describe("time and abort", () => {
  test("a command that is aborted while it is being started ends", async () => {
    const stop = new AbortController();
    const running = run("sleep 20", { signal: stop.signal });
    stop.abort();
    expect((await running).end).toEqual({ kind: "aborted" });
  });

  test("an aborted command ends, and one aborted before its start never runs", async () => {
    const stop = new AbortController();
    const running = run("echo up; sleep 4242.2", { signal: stop.signal, onOutput: () => stop.abort() });
    expect((await running).end).toEqual({ kind: "aborted" });
    expect(alive("4242.2")).toEqual([]);
    const never = await run("touch never", { signal: AbortSignal.abort() });
    expect(never.end).toEqual({ kind: "aborted" });
    expect(existsSync(join(root, "never"))).toBe(false);
  });

  test("a command that handles SIGTERM can clean up", async () => {
    const report = await run("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.05; done", {
      timeout_ms: 300,
    });
    expect(report.end).toEqual({ kind: "timeout" });
    expect(text(report)).toContain("bye\n");
  });

  test("20 times: a command that ignores SIGTERM and forks is ended with all its children", async () => {
    for (let i = 0; i < 20; i++) {
      const mark = `4243.${i}7`;
      const command = `trap "" TERM; sleep ${mark} & sleep ${mark}`;
      const report = await run(command, { timeout_ms: 150 }, { graceMs: 150 });
      expect(report.end).toEqual({ kind: "timeout" });
      expect([report.survivors, alive(mark)]).toEqual([0, []]);
    }
  });

  test.each([
    ["leaves the group", "setsid sleep MARK & sleep MARK"],
    ["leaves the group and its parent", "(setsid sh -c 'sleep MARK & sleep MARK' &) ; sleep MARK"],
    ["leaves the group and clears its environment", "env -i setsid sleep MARK & sleep MARK"],
    ["uses its own groups in the session", "set -m; sleep MARK & sleep MARK & sleep MARK"],
    ["outlives its shell", "nohup sleep MARK >/dev/null 2>&1 & setsid nohup sleep MARK & echo done"],
    ["keeps the pipe open after its shell has exited", "sleep MARK & echo done"],
    ["forks repeatedly", "f() { sleep MARK & sleep 0.01; f; }; trap '' TERM; f"],
    [
      "leaves group, parent and environment",
      "env -i setsid sh -c '(setsid sleep MARK &)' >/dev/null 2>&1 </dev/null; echo done",
    ],
    [
      "closes what it inherited and leaves group and environment, but not at once",
      "env -i setsid sh -c 'exec 3>&-; sleep MARK & sleep 0.2' >/dev/null 2>&1 & sleep MARK",
    ],
    [
      "forks and leaves the session again and again without its environment",
      `perl -e 'use POSIX; %ENV = (); for (1..20) { fork and exit; POSIX::setsid(); } exec "/bin/sleep", "MARK"' >/dev/null 2>&1; echo done`,
    ],
  ])("a command that %s leaves nothing behind", async (_what, template) => {
    const mark = `4244.${Math.floor(Math.random() * 1e9)}`;
    const report = await run(template.replaceAll("MARK", mark), { timeout_ms: 400 }, { graceMs: 200 });
    expect([report.survivors, alive(mark)]).toEqual([0, []]);
    if (template.includes("echo done")) expect(report.end).toEqual({ kind: "exited", code: 0 });
    else expect(report.end).toEqual({ kind: "timeout" });
  });

  const detached = (mark: string): string =>
    `env -i setsid sh -c 'exec 3>&-; (sleep ${mark} &)' >/dev/null 2>&1 </dev/null`;

  test.skipIf(!existsSync("/usr/bin/perl"))(
    "a process that gives up everything it inherited at once is ended",
    async () => {
      const mark = `4245.${Math.floor(Math.random() * 1e9)}`;
      expect(await run(`${detached(mark)}; echo done`)).toMatchObject({
        end: { kind: "exited", code: 0 },
        survivors: 0,
        unaccounted: 0,
      });
      expect(alive(mark)).toEqual([]);
    },
  );

  test("a process that gives up everything after its keeper was killed is at least counted", async () => {
    const mark = `4246.${Math.floor(Math.random() * 1e9)}`;
    const report = await run(`kill -9 $PPID; ${detached(mark)}; sleep 0.5`);
    const left = alive(mark);
    for (const pid of left) process.kill(Number(pid), "SIGKILL");
    expect(report.survivors + (report.unaccounted ?? 0)).toBeGreaterThanOrEqual(left.length);
  });

  test.skipIf(!existsSync("/usr/bin/perl"))(
    "a command that writes an end of its own, or stops its keeper, is ended",
    async () => {
      const mark = `4247.${Math.floor(Math.random() * 1e9)}`;
      for (const trick of ["echo 'ended 0' >&3", "kill -STOP $PPID", "cat <&3 &", "yes >&3 &"]) {
        const report = await run(
          `${trick}\n(setsid sleep ${mark} &); sleep ${mark}`,
          { timeout_ms: 300 },
          { graceMs: 100 },
        );
        expect([trick, report.survivors, alive(mark)]).toEqual([trick, 0, []]);
      }
    },
  );

  test.runIf(hasThreadedPerl).each([
    ["", (perl: string) => perl],
    [
      ", also if it gave up what it inherited",
      (perl: string) => `env -i setsid ${perl} 3>&- >/dev/null 2>&1 </dev/null`,
    ],
  ])("a process that goes on in a thread after its first one ended is ended%s", async (_what, form) => {
    const file = join(root, "file");
    const write =
      'for (1..100) { open my $out, ">>", "file"; print $out "x"; close $out; select undef, undef, undef, 0.05 }';
    const report = await run(`${form(afterFirstThread(write))} & while ! test -e file; do sleep 0.05; done`);
    const size = readFileSync(file).length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([report.survivors, readFileSync(file).length]).toEqual([0, size]);
  });

  test("an ordinary command leaves nothing that is unaccounted for", async () => {
    expect(await run("ls / | sort | tail -1; sleep 0.1")).toMatchObject({ survivors: 0, unaccounted: 0 });
  });
});
