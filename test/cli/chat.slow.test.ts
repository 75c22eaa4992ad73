import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AppProcess, killApps, startApp } from "../support/app-process.ts";
import { startOpenAiStub } from "../support/openai-stub.ts";
import { unwrap } from "../support/runtime.ts";
import { hasPseudoTerminal, killTerminals, runCli, startInteractive } from "./terminal.ts";

const GOAL = "Move the essay outline to Thursday of week 2";
const QUESTION = /Approve the plan\? \[a\]pprove, \[r\]eject: /;
const CONFIRM = /Run it\? \[a\]pprove, \[r\]eject, \[e\]dit: /;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "pawl-chat-"));
});
afterEach(async () => {
  killTerminals();
  await killApps();
  rmSync(cwd, { recursive: true, force: true });
});
afterAll(killApps);

describe.runIf(hasPseudoTerminal())("pawl chat behind a pseudo-terminal", () => {
  test("starts a local server, takes a goal and two approvals, and delivers with proof", async () => {
    const person = startInteractive(["chat"], { cwd });
    await person.waitFor(/demo model/);
    await person.waitFor(/What should be done\? /);
    person.write(`${GOAL}\r`);
    await person.waitFor(/thr_[0-9a-z]{26}/);
    await person.waitFor(QUESTION);
    person.write("maybe\r");
    await person.waitFor(/Also: \/show/);
    await person.waitFor(QUESTION);
    person.write("a\r");
    await person.waitFor(/A tool call is waiting for your approval: move/);
    await person.waitFor(CONFIRM);
    person.write("a\r");
    await person.waitFor(/✓.* move: /);
    await person.waitFor(/Delivered: completed, proven by receipts\./);
    await person.waitFor(/What next\? /);
    person.write("/quit\r");
    expect(await person.ended).toBe(0);
    // A pseudo-terminal gets colors.
    expect(person.screen()).toContain("\u001b[32m");
  });

  test("Ctrl-C leaves a thread waiting, and another terminal continues, rejects with a reason and cancels", async () => {
    const app = await startApp(cwd);
    const one = startInteractive(["chat", "--url", app.url, "--goal", GOAL], { cwd });
    const thread = await one.waitFor(/thr_[0-9a-z]{26}/);
    await one.waitFor(QUESTION);
    one.write("\u0003");
    await one.waitFor(new RegExp(`To continue: pawl chat --thread ${thread}`));
    expect(await one.ended).toBe(0);

    const two = startInteractive(["chat", "--url", app.url, "--thread", thread], { cwd, env: { NO_COLOR: "1" } });
    await two.waitFor(QUESTION);
    two.write("a\r");
    await two.waitFor(CONFIRM);
    two.write("r\r");
    await two.waitFor(/Why not\? /);
    two.write("Friday is better\r");
    await answered(app, thread, /Friday is better/);
    await two.waitFor(CONFIRM);
    two.write("/cancel\r");
    await two.waitFor(/The run ended: cancelled\.[\s\S]*What next\? /);
    two.write("/quit\r");
    expect(await two.ended).toBe(0);
    expect(two.screen()).not.toContain("\u001b[32m");
  });

  test("Ctrl-C during a turn cancels the run once the turn is committed", async () => {
    const stub = await startOpenAiStub();
    const words = "slowly ".repeat(30);
    const thought = JSON.stringify({ action: "continue", speak: words });
    for (let i = 0; i < 3; i++) stub.queue({ kind: "text", text: thought, delay_ms: 60 });
    try {
      const app = await startApp(cwd, { PAWL_MODEL: "slow", OPENAI_BASE_URL: stub.base_url });
      const person = startInteractive(["chat", "--url", app.url, "--goal", "Think", "--direct"], { cwd });
      const thread = await person.waitFor(/thr_[0-9a-z]{26}/);
      await person.waitFor(/slowly slowly/);
      person.write("\u0003");
      await person.waitFor(/The run will be cancelled after this turn/);
      await person.waitFor(/The run ended: cancelled\.[\s\S]*What next\? /);
      person.write("\u0003");
      expect(await person.ended).toBe(0);
      expect(unwrap(await app.client.get(thread)).thread).toMatchObject({ state: "rest", outcome: "cancelled" });
    } finally {
      await stub.close();
    }
  });

  test("sends arguments as the user edited them", async () => {
    const app = await startApp(cwd);
    const person = startInteractive(["chat", "--url", app.url, "--goal", GOAL], { cwd });
    const thread = await person.waitFor(/thr_[0-9a-z]{26}/);
    await person.waitFor(QUESTION);
    person.write("a\r");
    await person.waitFor(CONFIRM);
    const gate = unwrap(await app.client.get(thread)).thread.gate;
    if (gate?.kind !== "confirmation") throw new Error("no call is waiting");
    const edited = { ...gate.call.arguments, new_slot_start: 9 };
    person.write("e\r");
    await person.waitFor(/Arguments as JSON: /);
    // The line is prefilled with the proposed arguments, and Ctrl-U clears it.
    person.write(`\u0015${JSON.stringify(edited)}\r`);
    await person.waitFor(/What next\? /);
    person.write("/quit\r");
    await person.ended;
    const records = unwrap(await app.client.call<object>("GET", `/v1/threads/${thread}/turns?limit=200`));
    expect(JSON.stringify(records)).toContain('"edited_arguments"');
    expect(JSON.stringify(records)).toContain('"new_slot_start":9');
  });
});

async function answered(app: AppProcess, thread: string, what: RegExp): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const records = unwrap(await app.client.call<object>("GET", `/v1/threads/${thread}/turns?limit=200`));
    if (what.test(JSON.stringify(records))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} never appeared in the log`);
}

describe("pawl chat in a pipe", () => {
  test("reads answers line by line, prints no colors, and leaves open gates waiting", async () => {
    const { code, out } = await runCli(["chat", "--goal", GOAL], { cwd, input: "a\n" });
    expect(code).toBe(0);
    expect(out).toMatch(
      /Approve the plan\?[\s\S]*A tool call is waiting for your approval: move[\s\S]*The thread is waiting/,
    );
    expect(out).not.toContain("\u001b[");
  });

  test("names the server that cannot be reached, and exits with 1", async () => {
    const { code, err } = await runCli(["chat", "--url", "http://127.0.0.1:9", "--goal", GOAL], { cwd });
    expect(code).toBe(1);
    expect(err).toMatch(/http:\/\/127\.0\.0\.1:9 cannot be reached: \w/);
  });

  test("does not ask for a goal if the server cannot be reached", async () => {
    const { code, out, err } = await runCli(["chat", "--url", "http://127.0.0.1:9"], { cwd, input: "a goal\n" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("cannot be reached");
  });
});
