// Tests commands in the background: they are owned by a thread, limited, judged as for bash, and ended with the thread.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/adapters/clock-system.ts";
import { createLocalOperations } from "../../../src/adapters/operations-local/local-operations.ts";
import { lazySearch } from "../../../src/hosts/shared/lazy-adapters.ts";
import { LOCAL_TENANT, ThreadId } from "../../../src/schema/ids.ts";
import { crashMatrix, crashTable } from "../../../src/testing/crash-matrix.ts";
import { processes } from "../../../src/toolkits/shell/processes-toolkit.ts";
import { unwrap } from "../../support/runtime.ts";
import { aContext } from "../../support/tool-context.ts";
import { plugToolkit } from "../../support/toolkit.ts";

const root = mkdtempSync(join(tmpdir(), "pawl-process-"));
afterAll(() => rmSync(root, { recursive: true }));

function plugged() {
  const env = { PATH: process.env.PATH ?? "" };
  const operations = unwrap(createLocalOperations({ root, search: lazySearch, process: { env, graceMs: 100 } }));
  const part = () => operations;
  const kit = plugToolkit(processes, { process: part });
  const call = async (args: object, thread?: string): Promise<unknown> =>
    (await kit.call("process", args, thread ? { thread } : {})).value;
  return { ...kit, call, part };
}
const until = async (look: () => Promise<unknown>, text: string): Promise<void> => {
  await expect.poll(look, { timeout: 10_000 }).toContain(text);
};

describe("the tool process", () => {
  test("starts, lists, reads and stops a command", async () => {
    const { call } = plugged();
    expect(await call({ action: "list" })).toBe("Nothing was started.");
    expect(await call({ action: "start", command: "echo ready; sleep 60" })).toBe("1 running: echo ready; sleep 60");
    await until(() => call({ action: "output", id: 1 }), "ready");
    expect(await call({ action: "stop", id: 1 })).toBe("1 aborted: echo ready; sleep 60");
    await call({ action: "start", command: "exit 3" });
    await until(() => call({ action: "list" }), "2 exit code 3");
  });

  test.each([
    [{ action: "start" }, "start needs a command"],
    [{ action: "stop" }, "stop needs an id"],
    [{ action: "output", id: 7 }, "no command with the number 7"],
  ])("says beforehand what must fail: %j", async (args, words) => {
    const [tool] = processes.tools({ process: plugged().part } as never);
    const refused = await tool?.check?.(args, aContext());
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(words) } });
    expect(await tool?.check?.({ action: "list" }, aContext())).toBeNull();
  });

  test("belongs to its thread", async () => {
    const { call } = plugged();
    await call({ action: "start", command: "sleep 60" });
    expect(await call({ action: "list" }, "thr_other")).toBe("Nothing was started.");
    expect(await call({ action: "stop", id: 1 }, "thr_other")).toMatchObject({ ok: false });
    expect(await call({ action: "output", id: 1 }, "thr_other")).toMatchObject({ ok: false });
    await call({ action: "stop", id: 1 });
  });

  test("runs at most four at once, and ends them with the thread", async () => {
    const { call, part } = plugged();
    const thread = ThreadId.parse("thr_00000000000000000000000009");
    const at = { tenant: LOCAL_TENANT, thread };
    for (let n = 0; n < 4; n += 1) await call({ action: "start", command: `sleep ${60 + n}` }, thread);
    expect(await call({ action: "start", command: "sleep 1" }, thread)).toMatchObject({ ok: false });
    await processes.threads?.removed?.({ clock: systemClock, process: part } as never, at);
    expect(await call({ action: "list" }, thread)).toBe("Nothing was started.");
  });

  test.each([
    { action: "start" },
    { action: "stop" },
    { action: "output" },
    { action: "stop", id: 99 },
    { action: "output", id: 99 },
    { action: "start", command: "true", folder: "../.." },
  ])("refuses %j", async (args) => {
    const { call } = plugged();
    const result = await call(args);
    if (args.action === "start" && "command" in args) await until(() => call({ action: "list" }), "failed");
    else expect(result).toMatchObject({ ok: false });
  });

  test("is unkeyed as declared", async () => {
    const file = join(root, "lines.txt");
    writeFileSync(file, "");
    const effects = async (): Promise<number> => {
      await sleep(300);
      return readFileSync(file, "utf8").split("\n").length - 1;
    };
    const args = { action: "start", command: "echo line >> lines.txt" };
    const report = await crashMatrix({ tool: plugged().find("process"), arguments: args, effects });
    expect(report.honest, crashTable(report)).toBe(true);
    expect(report.rows.at(-1)?.effects).toBe(1);
  });

  test.each([{ action: "run" }, { action: "stop", id: 0 }, { action: "start", command: "" }])(
    "%j is no call",
    (args) => {
      expect(plugged().find("process").input.safeParse(args).success).toBe(false);
    },
  );

  test.each([
    [{ action: "start", command: "rm -rf /" }, "DENY"],
    [{ action: "start", command: "git push --force" }, "ASK"],
    [{ action: "start", command: "ls", network: true }, "ASK"],
    [{ action: "start", command: "ls" }, "ALLOW"],
    [{ action: "stop", id: 1 }, "ALLOW"],
  ])("%j is judged as for bash: %s", async (args, expected) => {
    const { find } = plugged();
    const { manifest, hooks } = find("process");
    const shared = { tenant: "local", thread: "thr", tool_name: "process", manifest, arguments: args };
    const call = { ...shared, arguments_digest: "d", proposed_digest: null, phase: "PRE" as const };
    const actions: string[] = [];
    for (const hook of hooks) if (hook.hook_type === "PRE_TOOL_USE") actions.push((await hook.handler(call)).action);
    expect(["DENY", "ASK", "ALLOW"].find((action) => actions.includes(action))).toBe(expected);
  });
});
