import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { minimalEnvironment } from "../support/minimal-environment.ts";
import { CLI_PROGRAM } from "../support/programs.ts";
import { runCli } from "./terminal.ts";

let cwd: string;
let stop = (): unknown => undefined;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "pawl-serve-"));
});
afterEach(() => {
  stop();
  rmSync(cwd, { recursive: true, force: true });
});

async function serve(...args: string[]) {
  const child = spawn(process.execPath, [CLI_PROGRAM, "serve", ...args], {
    cwd,
    env: minimalEnvironment({ PORT: "0" }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  stop = () => child.kill("SIGKILL");
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let output = "";
  for await (const data of child.stdout) {
    output += String(data);
    const url = /Pawl listens on (\S+)/.exec(output)?.[1];
    if (url) return { child, ended, url, client: createClient(url) };
  }
  throw new Error(`It ended before it listened: ${output}`);
}

describe("pawl serve", () => {
  test("serves until it receives a signal, even if its input ends", async () => {
    const { child, ended, client } = await serve();
    child.stdin.end();
    expect(await client.list()).toMatchObject({ ok: true, value: { threads: [] } });
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  test("listens where its options say, before the variables", async () => {
    const { client, ended, child, url } = await serve("--port", "0", "--host", "localhost");
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect(await client.list()).toMatchObject({ ok: true });
    child.kill("SIGTERM");
    await ended;
    const refused = await runCli(["serve", "--host", "0.0.0.0"], { cwd, env: { HOST: "127.0.0.1", PORT: "0" } });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("host: 0.0.0.0 can be reached")]);
    const help = await runCli(["serve", "--help"], { cwd });
    for (const name of ["--port", "--host", "PAWL_DATA", "PAWL_CONFIG", "PAWL_MODEL", "PAWL_API_KEYS"])
      expect(help.out).toContain(name);
  });

  test("with --while-input, ends when its input does, so that no server is left behind", async () => {
    const { child, ended, client } = await serve("--while-input");
    expect(await client.list()).toMatchObject({ ok: true });
    child.stdin.end();
    expect(await ended).toBe(0);
  });
});
