// Tests `pawl mcp login` against a real MCP server that requires OAuth, and what the host then does with the tokens.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScriptedModel, type ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createNodeRuntime, type NodeRuntime } from "../../src/hosts/node/node-runtime.ts";
import { loadConfig } from "../../src/hosts/shared/config.ts";
import type { Result } from "../../src/schema/problem.ts";
import { callTool, done } from "../support/decisions.ts";
import { minimalEnvironment } from "../support/minimal-environment.ts";
import { type OAuthNotesServer, startOAuthNotesServer } from "../support/oauth-notes-server.ts";
import { CLI_PROGRAM } from "../support/programs.ts";
import { createTestThread } from "../support/runtime.ts";
import { runCli } from "./terminal.ts";

let notes: OAuthNotesServer;
let folder: string;
const opened: NodeRuntime[] = [];

beforeEach(async () => {
  notes = await startOAuthNotesServer();
  folder = mkdtempSync(join(tmpdir(), "pawl-login-"));
  configure({});
});
afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.close();
  notes.close();
  rmSync(folder, { recursive: true, force: true });
});

function configure(oauth: object): void {
  const server = {
    url: notes.url,
    allow_private: true,
    headers_env: { "X-Notes-Key": "NOTES_KEY" },
    oauth: { private_hosts: [new URL(notes.issuer).host], ...oauth },
  };
  const agents = { default: { toolkits: ["mcp_notes"] } };
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ data: "data", agents, mcp: { notes: server } }));
}

const ENV = { NOTES_KEY: "key-of-the-notes-server", NOTES_SECRET: "secret-of-the-job" };
const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};

/** Signs in like a person who opens the printed address, and accepts. `change` may alter the address of the way back. */
async function login(args: readonly string[] = [], change: (back: URL) => URL = (back) => back) {
  const command = [CLI_PROGRAM, "mcp", "login", "notes", ...args];
  const child = spawn(process.execPath, command, { cwd: folder, env: minimalEnvironment(ENV) });
  let output = "";
  const address = new Promise<string>((resolve) => {
    const read = (data: Buffer): void => {
      output += data.toString();
      const [found] = /^http:\S+\/authorize\?\S+$/m.exec(output) ?? [];
      if (found) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const first = await Promise.race([address, ended]);
  if (typeof first === "string") {
    const { headers } = await fetch(first, { redirect: "manual" });
    await fetch(change(new URL(headers.get("location") ?? "")));
  }
  return { code: await ended, output };
}

async function open(script: readonly ScriptEntry[]): Promise<NodeRuntime> {
  const loaded = unwrap(await loadConfig(folder, ENV));
  const model = createScriptedModel(script);
  const runtime = unwrap(await createNodeRuntime(loaded, ENV, { pickModel: () => model }));
  opened.push(runtime);
  return runtime;
}

/** Lets a thread add one line, approves it, and returns the last receipt. */
async function addLine(runtime: NodeRuntime) {
  const thread = await createTestThread(runtime.rt, { mode: "direct" });
  const asked = unwrap(await thread.turn({ type: "message", text: "Add milk." }));
  const gate = asked.records.at(-1)?.state.gate;
  if (gate?.kind !== "confirmation") throw new Error("no call waits for approval");
  const approval = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } as const;
  const { records } = unwrap(await thread.turn(approval));
  return records.at(-1)?.entry.receipts.findLast(({ kind }) => kind === "settled");
}
const tokenFile = (): string => readFileSync(join(folder, "data/mcp-notes.json"), "utf8");
const add = [callTool("mcp_notes_add", { line: "milk" }), done];

test("without a sign-in the start names the command, and asks the authorization server for nothing", async () => {
  const runtime = await open([]);
  expect(runtime.warnings.join()).toContain("pawl mcp login notes");
  expect(notes.requests).toEqual([]);
});

test("after a sign-in the server's tools run, and expired tokens are refreshed", async () => {
  const { code, output } = await login();
  expect([code, output]).toEqual([0, expect.stringContaining("Signed in to notes.")]);
  expect(statSync(join(folder, "data/mcp-notes.json")).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "data"))).toEqual(["mcp-notes.json"]);
  const runtime = await open(add);
  expect(await addLine(runtime)).toMatchObject({ success: true, summary: "Added milk." });

  // Two hosts refresh at the same time, and the authorization server accepts the refresh token once.
  const hosts = [await open(add), await open(add)];
  const before = tokenFile();
  notes.expireTokens();
  const receipts = await Promise.all(hosts.map(addLine));
  expect(receipts).toMatchObject([{ success: true }, { success: true }]);
  expect(tokenFile()).not.toBe(before);
  // The configured header is for the MCP server only.
  expect([...notes.headers]).not.toContain("x-notes-key");
});

test("calls of one process that are refused at the same time refresh the tokens once", async () => {
  await login();
  const runtime = await open(Array(4).fill(add[0]));
  notes.expireTokens();
  notes.holdTokensUntilRefused(4);
  const receipts = await Promise.all(Array.from({ length: 4 }, () => addLine(runtime)));
  expect(receipts).toMatchObject(Array(4).fill({ success: true }));
  expect(notes.requests.filter((one) => one === "refresh_token")).toHaveLength(1);
});

test("if the refresh token is no longer accepted, the call fails without effect and names the command", async () => {
  await login();
  const runtime = await open(add);
  notes.expireTokens();
  notes.revokeRefreshTokens();
  expect(await addLine(runtime)).toMatchObject({ success: false, summary: expect.stringContaining("pawl mcp login") });
});

test("a call that requires another scope says so, and a sign-in with that scope permits it", async () => {
  await login();
  notes.requireScope("notes:write");
  const refused = await addLine(await open(add));
  expect(refused).toMatchObject({ success: false, summary: expect.stringContaining("(scope: notes:write)") });
  await login(["--scope", "notes:write"]);
  expect(await addLine(await open(add))).toMatchObject({ success: true });
});

test("an answer with another state is refused, and nothing is stored", async () => {
  const { code, output } = await login([], (back) => {
    back.searchParams.set("state", "of-somebody-else");
    return back;
  });
  expect([code, output]).toEqual([1, expect.stringContaining("belongs to another sign-in")]);
  expect(() => tokenFile()).toThrow("ENOENT");
});

test("a refusal of the authorization server is printed without its control characters", async () => {
  const { code, output } = await login([], (back) => {
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "No\u001b[2J.");
    return back;
  });
  expect([code, output]).toEqual([1, expect.stringContaining("failed: No [2J.")]);
  expect(output).not.toContain("\u001b");
});

test("the program itself signs in with client credentials, without a person", async () => {
  configure({
    grant: "client_credentials",
    client_id: "notes-job",
    client_secret_env: "NOTES_SECRET",
    issuer: notes.issuer,
  });
  const runtime = await open(add);
  expect(await addLine(runtime)).toMatchObject({ success: true });
  notes.expireTokens();
  expect(await addLine(await open(add))).toMatchObject({ success: true });
  const together = await open(Array(3).fill(add[0]));
  const before = notes.requests.length;
  notes.expireTokens();
  notes.holdTokensUntilRefused(3);
  expect(await Promise.all(Array.from({ length: 3 }, () => addLine(together)))).toMatchObject(
    Array(3).fill({ success: true }),
  );
  expect(notes.requests.slice(before).filter((one) => one === "client_credentials")).toHaveLength(1);
  // The MCP server names another authorization server than the operator: it does not get the secret.
  configure({
    grant: "client_credentials",
    client_id: "notes-job",
    client_secret_env: "NOTES_SECRET",
    issuer: "https://auth.example",
  });
  const count = () => notes.requests.filter((request) => request === "client_credentials").length;
  const asked = count();
  expect((await open([])).warnings.join()).toContain("The MCP server notes is not available");
  expect(count()).toBe(asked);
  const refused = await runCli(["mcp", "login", "notes"], { cwd: folder, env: ENV });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("has no sign-in")]);
});

test("a logout removes the tokens, and an unknown server is named", async () => {
  await login();
  const run = (...args: string[]) => runCli(["mcp", ...args], { cwd: folder, env: ENV });
  expect(await run("logout", "notes")).toMatchObject({ code: 0, out: expect.stringContaining("Removed the tokens") });
  expect(() => tokenFile()).toThrow("ENOENT");
  expect(await run("login", "notebook")).toMatchObject({
    code: 1,
    err: expect.stringContaining("Configured servers: notes"),
  });
});
