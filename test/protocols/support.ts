// Provides what the tests of all protocols share: a server in this process, tools of every kind, and the cells of the
// table in docs/reference/protocols.md, which scripts/protocols-table.ts reads from the titles of the tests.
import { test } from "vitest";
import { z } from "zod";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createApp } from "../../src/http/app.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { fail } from "../../src/schema/problem.ts";
import { ProtocolsConfig, SURFACES } from "../../src/schema/protocols/protocols-config.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { type ApiScope, SCOPES } from "../../src/tools/route.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { callTool, done } from "../support/decisions.ts";
import { createTestRuntime } from "../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../support/server.ts";
import { createWriteTool, look } from "../support/tools.ts";

export type Column =
  | "answer"
  | "stream"
  | "tool"
  | "approve"
  | "edit"
  | "reject"
  | "question"
  | "doubt"
  | "resume"
  | "error"
  | "budget";

/** Defines a cell of the table, which a test shows with the official client. */
export const cell = (column: Column, title: string, run: () => Promise<void>): void => test(`${column}: ${title}`, run);

/** A tool whose effect happens although its answer is lost. */
const lossy = defineTool(
  {
    name: "send",
    description: "Sends a letter.",
    input: z.object({ to: z.string() }),
    output: z.string(),
    permission: "WRITE",
    effect: "unkeyed",
    requires_confirmation: false,
  },
  () => fail("outcome_unknown", "The connection was lost."),
);

export type ProtocolServer = {
  readonly rt: Runtime;
  /** Returns the lines that the tool `write` has written. */
  readonly ledger: () => readonly string[];
  readonly fetch: typeof fetch;
  /** Returns a fetch that uses a key with only these scopes. */
  readonly fetchAs: (scopes: readonly ApiScope[]) => typeof fetch;
};

const DIRECT = ProtocolsConfig.parse(Object.fromEntries(SURFACES.map((name) => [name, { mode: "direct" }])));

/** Starts a server. Threads are in direct mode, so that the first decision of the script may be a call. */
export function startServer(script: Iterable<ScriptEntry>, change: Partial<Runtime> = {}): ProtocolServer {
  const ledger: string[] = [];
  const config = { ...DEFAULT_CONFIG, protocols: DIRECT, ...change.config };
  const rt = createTestRuntime(script, [look, createWriteTool(ledger), lossy], { ...change, config });
  const lines = () => ledger.map((entry) => entry.split(":").at(-1) ?? "");
  return { rt, ledger: lines, fetch: fetchOf(rt, SCOPES), fetchAs: (scopes) => fetchOf(rt, scopes) };
}

function fetchOf(rt: Runtime, scopes: readonly ApiScope[]): typeof fetch {
  const app = createApp(testSettings(rt, { keys: () => [aKeyRow("tester", "local", scopes)] }));
  return async (input, init) => {
    const request = new Request(input, init);
    request.headers.set("authorization", `Bearer ${apiKeyFor("tester")}`);
    return app.fetch(request);
  };
}

/**
 * Starts a process that dies when it reaches a fault point for the nth time. Stored data survives in the second server.
 */
export function startDyingServer(script: readonly ScriptEntry[], point: string, nth: number) {
  const store = createMemoryStore();
  let reached = 0;
  const never = new Promise<never>(() => undefined);
  const faults = {
    at: async (name: string) => {
      if (name === point) reached += 1;
      if (reached >= nth) await never;
    },
  };
  const first = startServer(script, { store, faults });
  return {
    first,
    restart: (rest: readonly ScriptEntry[]) => startServer(rest, { store }),
  };
}

export const SCRIPTS = {
  answer: [done, "It is sunny."],
  tool: [callTool("look", { at: "the sky" }), done, "It is sunny."],
  write: [callTool("write", { line: "a" }), done, "Written."],
  rejected: [callTool("write", { line: "a" }), { action: "abort", abort: { user_message: "Not written." } }],
  question: [
    { action: "ask_user", speak: "Which day?" },
    { reply: done, expect: { contains: "Monday, please" } },
    "Monday it is.",
  ],
  questions: [
    {
      action: "ask_user",
      questions: [{ question: "Which days?", choices: ["Monday", "Friday"], multiple: true }, { question: "Why?" }],
    },
    { reply: done, expect: { contains: "a talk" } },
    "Two days it is.",
  ],
  doubt: [callTool("send", { to: "Ann" }), done, "Done."],
};

/** A tool that the client runs. */
export const PICK_COLOR = {
  name: "pick_color",
  client_name: "pickColor",
  description: "Picks.",
  input: { type: "object", properties: { title: { type: "string" } } },
};
export const CLIENT_CALL = [callTool("pick_color", { title: "Wall" }), done, "Blue."];

export const ONE_TURN = {
  config: { ...DEFAULT_CONFIG, protocols: DIRECT, budget: { turns: 1, tokens: null, usd: null, seconds: null } },
};

/** Returns the stored threads. */
export async function storedThreads({ rt }: ProtocolServer) {
  const list = await rt.store.list(LOCAL_TENANT, { limit: 5 });
  if (!list.ok) throw new Error(list.problem.message);
  return list.value;
}
