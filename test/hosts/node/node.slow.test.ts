import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createClient } from "../../../src/client/client.ts";
import { type AppProcess, killApps, startApp } from "../../support/app-process.ts";
import { minimalEnvironment } from "../../support/minimal-environment.ts";
import { type OpenAiStub, startOpenAiStub } from "../../support/openai-stub.ts";
import { HOST_PROGRAM } from "../../support/programs.ts";
import { problemCode, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor } from "../../support/server.ts";

let folder: string;
let stub: OpenAiStub | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-node-"));
});
afterEach(async () => {
  await killApps();
  await stub?.close();
  stub = null;
  rmSync(folder, { recursive: true, force: true });
});
afterAll(killApps);

const sh = (command: string, env: Record<string, string> = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile("sh", ["-c", command], { env: { PATH: process.env.PATH ?? "", ...env } }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
  });
const printedCall = (app: AppProcess): string => /^ *(curl .*)$/m.exec(app.output())?.[1] ?? "no call was printed";
/** Ends the remaining processes of the process group. */
function endFamily(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have already ended.
  }
}
/** Waits until the first turn is in flight. */
const modelAsked = () => vi.waitFor(() => expect(stub?.requests).toHaveLength(1), { timeout: 20_000, interval: 5 });

/** Starts the app with a model that writes so slowly that a signal arrives in the meantime. */
async function withSlowModel(replies: readonly object[]): Promise<AppProcess> {
  stub = await startOpenAiStub();
  for (const reply of replies) stub.queue({ kind: "text", text: JSON.stringify(reply), delay_ms: 60 });
  return startApp(folder, { PAWL_MODEL: "slow", OPENAI_BASE_URL: stub.base_url });
}
const thoughts = (n: number) => Array.from({ length: n }, (_, i) => ({ action: "continue", speak: `Thought ${i}.` }));

describe("the start", () => {
  test("prints its address, who may call it, and a request that works as printed", async () => {
    const app = await startApp(folder);
    expect(app.output()).toContain(`Pawl listens on ${app.url}`);
    expect(app.output()).toContain(join(folder, ".pawl", "pawl.db"));
    expect(app.output()).toMatch(/access {1,3}this machine only/);
    expect(app.output()).toMatch(/model {1,3}demo/);
    const answer = JSON.parse(await sh(printedCall(app)));
    expect(answer).toMatchObject({ thread: { version: 0, state: "plan" }, next: "advance" });
  });

  test("serves everything else when the list of calendars is damaged, and says so", async () => {
    await (await startApp(folder)).stop();
    const db = new DatabaseSync(join(folder, ".pawl", "pawl.db"));
    db.exec("UPDATE documents_calendar_index SET document = '{'");
    db.close();
    const app = await startApp(folder);
    expect(app.output()).toContain("The sample data was not added");
    expect((await fetch(`${app.url}/v1/threads`)).status).toBe(200);
    expect(await (await fetch(`${app.url}/v1/calendars`)).json()).toMatchObject({ code: "state_corrupt" });
  });

  test("with keys says so, and the call works with one of them", async () => {
    const key = apiKeyFor("ada");
    const app = await startApp(folder, { PAWL_API_KEYS: `ada:acme:read+advance:${key}` });
    expect(app.output()).toMatch(/access {1,3}named keys/);
    expect(app.output()).not.toContain(key);
    expect(JSON.parse(await sh(printedCall(app), { PAWL_KEY: key }))).toMatchObject({ next: "advance" });
    expect(JSON.parse(await sh(printedCall(app)))).toMatchObject({ code: "unauthorized" });
  });

  test("is refused if anybody could call without a key", async () => {
    await expect(startApp(folder, { HOST: "0.0.0.0" })).rejects.toThrow(/ended \(1\)[\s\S]*there are no keys/);
  });

  test("is refused if another program listens, with advice", async () => {
    const app = await startApp(folder);
    const { port } = new URL(app.url);
    await expect(startApp(folder, { PORT: port })).rejects.toThrow(/another program listens there[\s\S]*Set PORT/);
  });
});

describe("a data folder", () => {
  test("that is blocked by a file is named, with advice", async () => {
    writeFileSync(join(folder, "taken"), "");
    await expect(startApp(folder, { PAWL_DATA: "taken" })).rejects.toThrow(
      /ended \(1\)[\s\S]*data: \S*taken[\s\S]*cannot be opened[\s\S]*Set PAWL_DATA/,
    );
  });

  test("whose store is not a database is named, too", async () => {
    writeFileSync(join(folder, "pawl.db"), "This is no database. ".repeat(100));
    await expect(startApp(folder, { PAWL_DATA: "." })).rejects.toThrow(/data: \S*pawl.db cannot be opened/);
  });

  test("that cannot be created does not make the server hang", async () => {
    await expect(startApp(folder, { PAWL_DATA: "/proc/pawl/data" })).rejects.toThrow(/data: \/proc\/pawl/);
  });

  test("is private to its user", async () => {
    await startApp(folder, { PAWL_DATA: "of/mine" });
    expect(statSync(join(folder, "of", "mine")).mode & 0o077).toBe(0);
  });
});

describe("a signal to stop", () => {
  test("lets the turn in flight finish and respond, then exits with 0", async () => {
    const app = await withSlowModel(thoughts(1));
    const thread = unwrap(await app.client.create({ goal: "Look", mode: "direct" })).thread.id;
    const turn = app.client.advance(thread, null, { key: "one" });
    await modelAsked();
    const ended = app.stop();
    const answer = unwrap(await turn);
    expect(answer).toMatchObject({ thread: { version: 1 }, turn: { speak: "Thought 0." } });
    expect(await ended).toBe("0");
    const next = await startApp(folder);
    expect(unwrap(await next.client.advance(thread, null, { key: "one" }))).toEqual(answer);
  });

  test("also lets a streamed turn finish", async () => {
    const app = await withSlowModel(thoughts(1));
    const thread = unwrap(await app.client.create({ goal: "Look", mode: "direct" })).thread.id;
    const types: string[] = [];
    let ended: Promise<string> | null = null;
    for await (const event of app.client.stream(thread)) {
      types.push(event.type);
      ended ??= app.stop();
    }
    expect(types.at(-1)).toBe("response");
    expect(await ended).toBe("0");
  });

  test("ends a call of several turns after the one in flight, and the next server goes on with it", async () => {
    const app = await withSlowModel(thoughts(2));
    const thread = unwrap(await app.client.create({ goal: "Look", mode: "direct" })).thread.id;
    const call = app.client.advanceUntilPause(thread, null, { key: "run", max_turns: 2 });
    await modelAsked();
    const ended = app.stop();
    expect(unwrap(await call)).toMatchObject({ stopped: "time", turns: [{ number: 1 }] });
    expect(await ended).toBe("0");
    const next = await startApp(folder, { PAWL_MODEL: "slow", OPENAI_BASE_URL: stub?.base_url ?? "" });
    const rest = unwrap(await next.client.advanceUntilPause(thread, null, { key: "run", max_turns: 2 }));
    expect(rest.turns.map((turn) => turn.number)).toEqual([1, 2]);
  });

  test("does not wait for listeners", async () => {
    const app = await startApp(folder);
    const thread = unwrap(await app.client.create({})).thread.id;
    const events = app.client.events(thread);
    await events.next();
    const socket = new WebSocket(`${app.url.replace("http", "ws")}/v1/threads/${thread}/live`);
    await new Promise((resolve) => socket.on("open", resolve));
    const closed = new Promise<number>((resolve) => socket.on("close", resolve));
    expect(await app.stop()).toBe("0");
    expect(await closed).toBe(1001);
    for await (const event of events) expect(event.type).toBe("turn.committed");
  });

  test("that reaches only the shell of npm ends the server as well", async () => {
    const shell = spawn("sh", ["-c", `"${process.execPath}" "${HOST_PROGRAM}"; true`], {
      cwd: folder,
      env: minimalEnvironment({ PORT: "0", npm_lifecycle_event: "start" }),
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    try {
      const url = await new Promise<string>((resolve) => {
        shell.stdout.on("data", (text) => {
          const found = /Pawl listens on (\S+)/.exec(String(text))?.[1];
          if (found) resolve(found);
        });
      });
      unwrap(await createClient(url).list());
      shell.kill("SIGKILL");
      await expect
        .poll(async () => problemCode(await createClient(url).list()), { timeout: 20_000 })
        .toBe("store_unavailable");
    } finally {
      endFamily(shell.pid);
    }
  });

  test("does not wait for a connection that is kept open for later, and no signal opens Node's debugger", async () => {
    const app = await startApp(folder);
    process.kill(app.pid, "SIGUSR1");
    unwrap(await app.client.create({}));
    expect(app.output()).not.toContain("Debugger");
    expect(await app.stop()).toBe("0");
  });
});

describe("secrets", () => {
  test("are in no line the server writes", async () => {
    const [key, provider] = [apiKeyFor("ada"), "sk-provider-4711-do-not-print"];
    stub = await startOpenAiStub();
    stub.setDefault({
      kind: "status",
      status: 401,
      body: { error: { message: `Incorrect API key provided: ${provider}` } },
    });
    const env = {
      PAWL_MODEL: "m",
      OPENAI_BASE_URL: stub.base_url,
      OPENAI_API_KEY: provider,
      PAWL_API_KEYS: `ada:acme:${key}`,
    };
    const app = await startApp(folder, env);
    expect(app.output()).toMatch(new RegExp(`model +m at ${new URL(stub.base_url).host}\n`));
    const client = createClient(app.url, key);
    const thread = unwrap(await client.create({ goal: "Look", mode: "direct" })).thread.id;
    expect(problemCode(await client.advance(thread))).toMatch(/^model_/);
    const { ticket } = unwrap(await client.ticket());
    const wrong = apiKeyFor("mallory");
    const asked = [
      fetch(`${app.url}/v1/threads/${thread}/events?ticket=${ticket}`),
      fetch(`${app.url}/v1/threads/${key}`, { headers: { authorization: `Bearer ${wrong}` } }),
      fetch(`${app.url}/${key}/${provider}`),
      fetch(`${app.url}/v1/threads?key=${key}`, { headers: { authorization: `Basic ${btoa(`ada:${key}`)}` } }),
    ];
    await Promise.all(asked);
    await app.stop();
    const lines = app.output();
    expect(lines.match(/"msg":"request"/g)?.length).toBeGreaterThanOrEqual(7);
    for (const secret of [key, provider, ticket, wrong, btoa(`ada:${key}`)]) expect(lines).not.toContain(secret);
  });

  test("of a keys file can be taken away while the server runs", async () => {
    const file = join(folder, "keys.json");
    writeFileSync(file, JSON.stringify([aKeyRow("ada", "acme"), aKeyRow("bob", "acme")]));
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ keys_file: "keys.json" }));
    const app = await startApp(folder);
    const ada = createClient(app.url, apiKeyFor("ada"));
    unwrap(await ada.list());
    writeFileSync(file, JSON.stringify([aKeyRow("bob", "acme")]));
    expect(problemCode(await ada.list())).toBe("unauthorized");
    unwrap(await createClient(app.url, apiKeyFor("bob")).list());
  });

  test("of a keys file that is broken later stay, and the log says so", async () => {
    const file = join(folder, "keys.json");
    writeFileSync(file, JSON.stringify([aKeyRow("ada", "acme")]));
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ keys_file: "keys.json" }));
    const app = await startApp(folder);
    const ada = createClient(app.url, apiKeyFor("ada"));
    writeFileSync(file, "[");
    unwrap(await ada.list());
    unwrap(await ada.list());
    await app.stop();
    expect(app.output().match(/"msg":"keys"/g)).toHaveLength(1);
    expect(app.output()).toContain("the keys that were read before stay in force");
  });
});
