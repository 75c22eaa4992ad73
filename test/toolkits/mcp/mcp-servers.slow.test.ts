// Tests tools of a real MCP server process, configured as an operator would, in threads of the Node runtime.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { projectRoot } from "../../../scripts/read-source.ts";
import { createScriptedModel, type ScriptEntry } from "../../../src/adapters/model-scripted.ts";
import { createNodeRuntime, type NodeRuntime } from "../../../src/hosts/node/node-runtime.ts";
import { loadConfig } from "../../../src/hosts/shared/config.ts";
import type { ThreadId } from "../../../src/schema/ids.ts";
import type { TurnInput } from "../../../src/schema/input.ts";
import type { Result } from "../../../src/schema/problem.ts";
import { callTool, done } from "../../support/decisions.ts";
import { minimalEnvironment } from "../../support/minimal-environment.ts";
import { attachTestThread, createTestThread, type TestThread } from "../../support/runtime.ts";

const SERVER = join(projectRoot, "test/support/mcp-server-process.ts");
const opened: { readonly close: () => Promise<void> }[] = [];
const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}, 30_000);

const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pawl-mcp-"));
  folders.push(folder);
  mkdirSync(join(folder, "files"));
  return folder;
}

async function startMcp(folder: string, env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, [SERVER, join(folder, "files")], { env: minimalEnvironment(env) });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (text: Buffer) => resolve(text.toString().trim()));
    child.once("exit", (code) => reject(new Error(`The MCP server ended (${code}).`)));
    child.stderr.on("data", (text: Buffer) => process.stderr.write(text));
  });
}

const AGENTS = { default: { toolkits: ["mcp_notes"] } };

async function open(folder: string, mcp: object, script: readonly ScriptEntry[], more: object = {}, env = {}) {
  const config = { data: join(folder, "data"), agents: AGENTS, mcp: { notes: mcp }, ...more };
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config));
  const model = createScriptedModel(script);
  const loaded = unwrap(await loadConfig(folder, env));
  const runtime = unwrap(await createNodeRuntime(loaded, env, { pickModel: () => model }));
  opened.push(runtime);
  return runtime;
}

/** Opens it as an operator does who has reviewed the definitions: with the digest that the first start prints. */
async function openReviewed(...[folder, mcp, script, more, env]: Parameters<typeof open>) {
  const first = await open(folder, mcp, [], more, env);
  const [reviewed] = first.warnings.flatMap((line) => /"reviewed": "([0-9a-f]{64})"/.exec(line)?.[1] ?? []);
  for (const { close } of opened.splice(0)) await close();
  return open(folder, { ...mcp, reviewed }, script, more, env);
}

const start = (runtime: NodeRuntime): Promise<TestThread> => createTestThread(runtime.rt, { mode: "direct" });
const say = (thread: TestThread, input: TurnInput | null) => thread.turn(input);
const message = { type: "message", text: "Please do it." } as const;
const notesIn = (folder: string): string =>
  existsSync(join(folder, "files/notes.txt")) ? readFileSync(join(folder, "files/notes.txt"), "utf8") : "";

const gateOf = (result: Awaited<ReturnType<TestThread["turn"]>>) => {
  const gate = unwrap(result).records.at(-1)?.state.gate;
  if (!gate) throw new Error("no gate is open");
  return gate;
};
const approval = (gate: ReturnType<typeof gateOf>): TurnInput => ({
  type: "confirm",
  gate_id: gate.id,
  digest: "digest" in gate ? gate.digest : "",
  decision: "approve",
});
const receiptOf = (result: Awaited<ReturnType<TestThread["turn"]>>) =>
  unwrap(result)
    .records.at(-1)
    ?.entry.receipts.findLast(({ kind }) => kind === "settled");

test("a call of a server's tool waits for a person, runs once, and its result is untrusted", async () => {
  const folder = makeFolder();
  const url = await startMcp(folder, { NOTES_TOKEN: "Bearer secret-of-the-notes" });
  const mcp = { url, allow_private: true, headers_env: { Authorization: "NOTES_AUTH" } };
  const runtime = await open(
    folder,
    mcp,
    [callTool("mcp_notes_add_note", { line: "milk" }), done],
    {},
    {
      NOTES_AUTH: "Bearer secret-of-the-notes",
    },
  );
  const manifest = runtime.rt.toolbox.catalog.get("mcp_notes_add_note");
  expect(manifest).toMatchObject({ origin: "mcp", effect: "unkeyed", requires_confirmation: true, outward: true });
  const thread = await start(runtime);
  const gate = gateOf(await say(thread, message));
  expect(gate.kind).toBe("confirmation");
  expect(notesIn(folder)).toBe("");
  const ran = await say(thread, approval(gate));
  expect(receiptOf(ran)).toMatchObject({ success: true, output_trust: "untrusted", summary: "Added milk." });
  expect(notesIn(folder)).toBe("milk\n");
});

test("a definition that changed after the gate opened is not run", async () => {
  const folder = makeFolder();
  const url = await startMcp(folder);
  const runtime = await open(folder, { url, allow_private: true }, [callTool("mcp_notes_add_note", { line: "milk" })]);
  const thread = await start(runtime);
  const gate = gateOf(await say(thread, message));
  writeFileSync(join(folder, "files/description.txt"), "Adds a note and sends it to everybody.");
  const refused = await say(thread, approval(gate));
  expect(refused).toMatchObject({ ok: false, problem: { code: "tool_changed" } });
  expect(notesIn(folder)).toBe("");
});

test("what a server asks for is a question that another process answers later", async () => {
  const folder = makeFolder();
  const url = await startMcp(folder);
  const mcp = { url, allow_private: true };
  const first = await open(folder, mcp, [callTool("mcp_notes_book", { day: "Monday" })]);
  const thread = await start(first);
  const asked = await say(thread, approval(gateOf(await say(thread, message))));
  const question = gateOf(asked);
  expect(question).toMatchObject({ kind: "question", text: expect.stringContaining("How many seats?") });
  expect(receiptOf(asked)).toMatchObject({ success: false, asked: true });
  await first.close();
  opened.splice(0);

  const second = await open(folder, mcp, [done]);
  const again = attachTestThread(second.rt, thread.at.thread as ThreadId);
  const corrected = gateOf(await again.turn({ type: "answer", gate_id: question.id, text: "many" }));
  expect(corrected.text).toContain("seats");
  expect(notesIn(folder)).toBe("");
  const ran = await again.turn({ type: "answer", gate_id: corrected.id, text: "4" });
  expect(receiptOf(ran)).toMatchObject({ success: true, summary: "Booked for 4.", actor: "tester" });
  expect(notesIn(folder)).toBe("table on Monday for 4\n");
});

test("a tool that is configured to only read runs without approval, and other tools of the server are not offered", async () => {
  const folder = makeFolder();
  const url = await startMcp(folder);
  const mcp = { url, allow_private: true, tools: ["read.notes"], read_only: ["read.notes"] };
  const runtime = await openReviewed(folder, mcp, [callTool("mcp_notes_read_notes", {}), done]);
  expect(runtime.rt.toolbox.catalog.get("mcp_notes_add_note")).toBeNull();
  const ran = await say(await start(runtime), message);
  expect(receiptOf(ran)).toMatchObject({ success: true, source: "tool_observation", summary: "There is no note." });
});

test("a failure that the server reports is a failed call, and a server that vanishes leaves a doubt", async () => {
  const folder = makeFolder();
  const url = await startMcp(folder);
  const script = [callTool("mcp_notes_refuse", {}), callTool("mcp_notes_vanish", {})];
  const runtime = await open(folder, { url, allow_private: true }, script);
  const thread = await start(runtime);
  const failed = await say(thread, approval(gateOf(await say(thread, message))));
  expect(receiptOf(failed)).toMatchObject({ success: false, summary: "The disk is full." });
  const doubt = gateOf(await say(thread, approval(gateOf(await say(thread, null)))));
  expect(doubt.kind).toBe("doubt");
  expect(notesIn(folder)).toBe("vanished\n");
});

test("a private address is refused unless it is allowed, and a server that does not answer does not stop the start", async () => {
  const folder = makeFolder();
  const url = await startMcp(folder);
  const runtime = await open(folder, { url }, []);
  expect(runtime.warnings.join()).toContain("The MCP server notes is not available");
  expect(runtime.rt.toolbox.toolkits().map(({ name }) => name)).toContain("mcp_notes");
  expect(runtime.rt.toolbox.catalog.get("mcp_notes_add_note")).toBeNull();
});

test("a program gets only the usual variables and those that are configured", { timeout: 60_000 }, async () => {
  const folder = makeFolder();
  const files = join(folder, "files");
  const mcp = { command: [process.execPath, SERVER, files, "stdio"], env: ["NOTES_KEY"], read_only: ["variables"] };
  const more = { workspace: files, bash: { enabled: true, readable: [projectRoot] } };
  process.env.NOTES_KEY = "given-to-the-server";
  process.env.PAWL_SECRET = "a-secret-that-no-program-may-see";
  try {
    const env = { NOTES_KEY: "given-to-the-server" };
    const runtime = await openReviewed(folder, mcp, [callTool("mcp_notes_variables", {}), done], more, env);
    expect(runtime.warnings).toEqual([]);
    const ran = unwrap(await say(await start(runtime), message));
    const text = ran.records.at(-1)?.entry.observation?.text ?? "";
    expect(text.split(" ")).toContain("NOTES_KEY");
    expect(text).not.toContain("PAWL_SECRET");
  } finally {
    delete process.env.NOTES_KEY;
    delete process.env.PAWL_SECRET;
  }
});

test("a program needs a host that may start processes", async () => {
  const folder = makeFolder();
  const config = { data: join(folder, "data"), mcp: { notes: { command: ["notes"] } } };
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config));
  const made = await createNodeRuntime(unwrap(await loadConfig(folder, {})), {});
  expect(made).toMatchObject({ ok: false, problem: { code: "config_invalid" } });
});

test("what a program has started in the background ends with its connection", { timeout: 60_000 }, async () => {
  const folder = makeFolder();
  const files = join(folder, "files");
  const mark = `4245.${Math.floor(Math.random() * 1e9)}`;
  // The second process immediately drops everything that it inherited.
  const forgetful = `env -i setsid sh -c '(sleep ${mark} &)'`;
  const line = `for form in "setsid sleep ${mark}" "${forgetful}"; do eval "$form >/dev/null 2>&1 </dev/null &"; done
    exec "${process.execPath}" "${SERVER}" "${files}" stdio`;
  const more = { workspace: files, bash: { enabled: true, sandbox: "off" } };
  const runtime = await open(folder, { command: ["/bin/sh", "-c", line] }, [], more);
  expect(runtime.warnings).toEqual([expect.stringContaining("Nobody has reviewed the definitions")]);
  const detached = processesWith(mark);
  expect(detached).toHaveLength(hasKeeper ? 2 : detached.length);
  // The processes descend from this one, so its server recognizes their requests.
  if (hasKeeper) for (const pid of detached) expect(ancestorsOf(pid)).toContain(process.pid);
  for (const { close } of opened.splice(0)) await close();
  expect(processesWith(mark)).toEqual([]);
});

const hasKeeper = process.platform === "linux" && existsSync("/usr/bin/perl");

function ancestorsOf(pid: string): readonly number[] {
  const parents: number[] = [];
  for (let parent = Number(pid); parent > 1; parents.push(parent))
    parent = Number(readFileSync(`/proc/${parent}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  return parents;
}

const processesWith = (mark: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(`sleep\0${mark}`);
    } catch {
      return false;
    }
  });
