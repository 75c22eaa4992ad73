import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { killApps, startApp } from "../support/app-process.ts";
import { unwrap } from "../support/runtime.ts";
import { apiKeyFor } from "../support/server.ts";
import { killTerminals, runCli } from "./terminal.ts";

const UNKNOWN_THREAD = `thr_${"0".repeat(26)}`;
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "pawl-cli-"));
});
afterEach(async () => {
  killTerminals();
  await killApps();
  rmSync(cwd, { recursive: true, force: true });
});
afterAll(killApps);

describe("invalid usage", () => {
  test("exits with 2 and refers to the help", async () => {
    for (const args of [["dance"], ["threads", "--state", "asleep"], ["show"], ["threads", "--limit", "x"], []]) {
      const { code, err } = await runCli(args, { cwd });
      expect(`${args.join(" ")} ${code}`).toBe(`${args.join(" ")} 2`);
      expect(err).toContain("help");
    }
  });

  test("help names every command with examples and exits with 0", async () => {
    const { code, out } = await runCli(["--help"], { cwd });
    expect(code).toBe(0);
    for (const name of [
      "serve",
      "chat",
      "threads",
      "show",
      "run",
      "pause",
      "resume",
      "doctor",
      "export",
      "import",
      "verify",
    ])
      expect(out).toContain(`\n  ${name} `);
    expect(out).toContain("Examples:");
    expect(out).not.toContain("--while-input");
    expect((await runCli(["serve", "--help"], { cwd })).out).not.toContain("--while-input");
    const chinese = (await runCli(["threads", "--help"], { cwd, env: { LC_ALL: "zh_CN.UTF-8" } })).out;
    expect(chinese).toContain("列出会话");
    expect(chinese.replace(/--?[\w-]+|<\w+>|\[\w+\]|\(.*?\)/g, "")).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/i);
  });
});

describe("threads and show", () => {
  test("print the same as text and, with --json, as JSON", async () => {
    const app = await startApp(cwd);
    const goal = "Move the essay outline to \u001b[31mThursday of week 2";
    const { id } = unwrap(await app.client.create({ goal })).thread;
    unwrap(await app.client.advanceUntilPause(id));
    const env = { PAWL_URL: app.url };
    const listed = await runCli(["threads", "--json"], { cwd, env });
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.out)).toMatchObject({ threads: [{ id, state: "plan" }], cursor: null });
    const lines = await runCli(["threads", "--state", "plan"], { cwd, env });
    expect(lines.out).toContain(id);
    expect(lines.out).toContain("waits: plan");
    expect((await runCli(["threads", "--state", "rest"], { cwd, env })).out).not.toContain(id);

    const shown = await runCli(["show", id], { cwd, env });
    expect(shown.out).toMatch(
      /Plan, not approved yet\n[\s\S]*1\. [\s\S]*Waiting \(plan\)[\s\S]*Turns\n[\s\S]*created[\s\S]*plan_done/,
    );
    // Text from models and tools must not control the terminal.
    expect(shown.out).not.toContain("\u001b");
    expect(shown.out).toContain("\\u{1b}[31m");
    const shownJson = JSON.parse((await runCli(["show", id, "--json"], { cwd, env })).out);
    expect(shownJson).toMatchObject({ thread: { id }, next: "confirm" });
    expect(shownJson.records.length).toBe(shownJson.thread.version + 1);
    const missing = await runCli(["show", UNKNOWN_THREAD], { cwd, env });
    expect([missing.code, missing.out]).toEqual([1, ""]);
    expect(missing.err).toContain("thread_not_found");
    expect(missing.err).toContain("Run `pawl threads` to list");
    expect(missing.err).not.toContain("POST");
  });
});

describe("run, pause and resume", () => {
  test("control whether workers advance a thread, and show reports it", async () => {
    const app = await startApp(cwd);
    const env = { PAWL_URL: app.url };
    const { id } = unwrap(await app.client.create({})).thread;
    const early = await runCli(["pause", id], { cwd, env });
    expect([early.code, early.err]).toEqual([1, expect.stringContaining("nothing_to_do")]);
    expect((await runCli(["run", id], { cwd, env })).out).toBe(`${id} background status: on\n`);
    const paused = await runCli(["pause", id, "--json"], { cwd, env });
    expect(JSON.parse(paused.out)).toMatchObject({ thread: { background: { status: "paused" } } });
    expect((await runCli(["show", id], { cwd, env })).out).toContain("background run: paused");
  });
});

describe("doctor", () => {
  test("finds no problems in an empty folder and creates nothing there", async () => {
    const { code, out } = await runCli(["doctor", "--json"], { cwd, env: { PORT: "0" } });
    expect(code).toBe(0);
    const { ok, findings } = JSON.parse(out);
    expect(ok).toBe(true);
    expect(findings.map((one: { about: string }) => one.about)).toEqual([
      "node",
      "config",
      "keys",
      "data",
      "toolkits",
      "port",
      "model",
    ]);
    const toolkits = findings.find((one: { about: string }) => one.about === "toolkits");
    expect(toolkits.found).toContain("; not available: shell (needs process), data (not configured), ");
    expect(toolkits.found).toMatch(/\bcrew\b.*not available:(?!.*\bcrew\b)/);
    const chinese = (await runCli(["doctor"], { cwd, env: { PORT: "0", LC_ALL: "zh_CN.UTF-8" } })).out;
    expect(chinese).toContain("没有发现问题。");
    expect(chinese).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/);
    expect(existsSync(join(cwd, ".pawl"))).toBe(false);
  });

  test("reports a file in place of the data folder, an unreachable model and a missing key, with fixes", async () => {
    writeFileSync(join(cwd, "taken"), "");
    const env = { PORT: "0", PAWL_DATA: "taken", PAWL_MODEL: "m", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
    const { code, out } = await runCli(["doctor"], { cwd, env });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ data .*taken is not a folder\n +Set PAWL_DATA to another folder/);
    expect(out).toMatch(/✗ model .*http:\/\/127\.0\.0\.1:9\/v1 does not respond/);
    expect(out).toContain("Fix the items marked ✗");
    const open = await runCli(["doctor"], { cwd, env: { HOST: "0.0.0.0", PORT: "0" } });
    expect([open.code, open.out]).toEqual([1, expect.stringMatching(/✗ keys .*there are no keys/)]);
    const unset = await runCli(["doctor"], { cwd, env: { PAWL_MODEL: "m" } });
    expect([unset.code, unset.out]).toEqual([1, expect.stringMatching(/✗ config .*PAWL_MODEL: needs OPENAI_API_KEY/)]);
  });

  test("finds a data file that this release cannot open, and the start says the same", async () => {
    mkdirSync(join(cwd, "data"));
    const file = join(cwd, "data/pawl.db");
    const env = { PORT: "0", PAWL_DATA: "data" };
    const outputs = async () => [
      (await runCli(["doctor"], { cwd, env })).out,
      (await runCli(["serve"], { cwd, env })).err,
    ];
    writeFileSync(file, "notes");
    const [damaged, refused] = await outputs();
    expect(damaged).toMatch(/✗ data .*pawl\.db: .*file is not a database\.\n +Restore the file from a backup/);
    expect(refused).toContain("file is not a database");
    rmSync(file);
    const store = new DatabaseSync(file);
    store.exec("CREATE TABLE t (a); PRAGMA user_version = 99");
    store.close();
    const [newer, stopped] = await outputs();
    expect(newer).toMatch(/✗ data .*has schema 99; .*\n +Start the release that wrote it/);
    expect(stopped).toMatch(/^data: .*pawl\.db cannot be opened\. .*has schema 99; .*Start the release that wrote it/);
  });

  test("distinguishes a refused key and a web page from a model, and never prints the key", async () => {
    const provider = createServer((request, response) => {
      const { authorization } = request.headers;
      response.statusCode = authorization === "Bearer wrong-key" ? 401 : 200;
      response.setHeader("content-type", authorization === undefined ? "text/html" : "application/json");
      response.end("{}");
    });
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    const { port } = provider.address() as AddressInfo;
    const base = { PORT: "0", PAWL_MODEL: "m", OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
    try {
      const wrong = await runCli(["doctor"], { cwd, env: { ...base, OPENAI_API_KEY: "wrong-key" } });
      expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining("rejected the key (401)")]);
      const right = await runCli(["doctor"], { cwd, env: { ...base, OPENAI_API_KEY: "right-key" } });
      expect([right.code, right.out]).toEqual([0, expect.stringContaining("responds")]);
      const page = await runCli(["doctor"], { cwd, env: base });
      expect([page.code, page.out]).toEqual([1, expect.stringMatching(/returned an HTML page.*\n +Check the address/)]);
      expect(wrong.out + right.out).not.toMatch(/(wrong|right)-key/);
    } finally {
      provider.close();
    }
  });

  test("reports the caller's identity on a remote server", async () => {
    const key = apiKeyFor("ada");
    const app = await startApp(cwd, { PAWL_API_KEYS: `ada:acme:read:${key}` });
    const known = await runCli(["doctor", "--url", app.url], { cwd, env: { PAWL_KEY: key } });
    expect([known.code, known.out]).toEqual([0, expect.stringContaining("ada may read")]);
    const unknown = await runCli(["doctor", "--url", app.url], { cwd });
    expect([unknown.code, unknown.out]).toEqual([1, expect.stringMatching(/✗ key /)]);
  });
});

describe("export, verify, import", () => {
  test("move a thread from one folder to another and detect tampering", async () => {
    const [from, to] = [await startApp(cwd), await startApp(mkdtempSync(join(cwd, "elsewhere-")))];
    const here = { cwd, env: { PAWL_URL: from.url } };
    const there = { cwd, env: { PAWL_URL: to.url } };
    const goal = "Move the essay outline to Thursday of week 2";
    const chat = await runCli(["chat", "--goal", goal], { ...here, input: "a\n" });
    const id = /thr_[0-9a-z]{26}/.exec(chat.out)?.[0] ?? UNKNOWN_THREAD;
    const out = await runCli(["export", id, "-o", "thread.jsonl"], here);
    expect([out.code, out.err]).toEqual([0, expect.stringContaining(id)]);
    const file = join(cwd, "thread.jsonl");
    const again = await runCli(["export", id, "-o", "thread.jsonl"], here);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("was not written")]);
    const verified = await runCli(["verify", "thread.jsonl"], { cwd });
    expect([verified.code, verified.out]).toEqual([0, expect.stringMatching(/^valid .*records/)]);

    writeFileSync(join(cwd, "changed.jsonl"), readFileSync(file, "utf8").replace("Thursday", "Saturday"));
    const changed = await runCli(["verify", "changed.jsonl", "--json"], { cwd });
    expect(changed.code).toBe(1);
    expect(JSON.parse(changed.out)).toMatchObject({ ok: false, problem: { code: "export_invalid" } });
    expect((await runCli(["verify", "nowhere.jsonl"], { cwd })).code).toBe(1);

    expect((await runCli(["import", "changed.jsonl"], there)).err).toContain("export_invalid");
    const arrived = await runCli(["import", "thread.jsonl", "--json"], there);
    expect([arrived.code, JSON.parse(arrived.out)]).toMatchObject([0, { thread: { id }, next: "confirm" }]);
    expect((await runCli(["import", "thread.jsonl"], there)).err).toContain("thread_moved");
    const finished = await runCli(["chat", "--thread", id], { ...there, input: "a\n" });
    expect(finished.out).toContain("Delivered: completed, proven by receipts.");
  });
});
