// Starts the real app with commands enabled: a thread whose gate only a user may answer, and commands that try to
// answer it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnResponse } from "../../src/client/client.ts";
import { createClient } from "../../src/client/client.ts";
import type { ConfigInput } from "../../src/schema/config.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { type AppProcess, startApp } from "./app-process.ts";
import { type OpenAiStub, startOpenAiStub } from "./openai-stub.ts";
import { unwrap } from "./runtime.ts";
import { approval, callTool } from "./story.ts";

export type BashServer = {
  readonly app: AppProcess;
  readonly folder: string;
  readonly work: string;
  /** Creates a thread whose command waits for approval. */
  readonly aWaitingThread: () => Promise<{ readonly id: string; readonly gate: Gate }>;
  readonly isWaiting: (thread: string) => Promise<boolean>;
  /** Runs a command in its own thread, approves it if asked, and returns its output. */
  readonly run: (command: string, more?: Record<string, unknown>) => Promise<string>;
  readonly end: () => Promise<void>;
};

export type BashServerFacts = {
  readonly config?: ConfigInput;
  readonly env?: Record<string, string>;
  /** Returns the user's API key or the token. Called once the server has started. */
  readonly key: (app: AppProcess, folder: string) => string;
};

export async function aBashServer(facts: BashServerFacts): Promise<BashServer> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-bash-"));
  const work = join(folder, "work");
  mkdirSync(work);
  const stub: OpenAiStub = await startOpenAiStub();
  const config: ConfigInput = {
    workspace: "work",
    providers: { here: { base_url: stub.base_url } },
    models: { main: { provider: "here", name: "m", window: 32_768 } },
    agents: { default: { toolkits: ["files", "shell"] } },
    ...facts.config,
    bash: { enabled: true, ...facts.config?.bash },
  };
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config));
  const end = async (): Promise<void> => {
    await stub.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const app = await startApp(folder, facts.env).catch(async (error) => {
    await end();
    throw error;
  });
  const person = createClient(app.url, facts.key(app, folder));

  const propose = async (args: Record<string, unknown>): Promise<TurnResponse> => {
    stub.queue({ kind: "text", text: JSON.stringify(callTool("bash", args)) });
    const { thread } = unwrap(await person.create({ goal: "Run a command", mode: "direct" }));
    return unwrap(await person.advance(thread.id));
  };
  return {
    app,
    folder,
    work,
    async aWaitingThread() {
      const { thread } = await propose({ command: "rm -rf build" });
      if (!thread.gate) throw new Error("the command ran without approval");
      return { id: thread.id, gate: thread.gate };
    },
    isWaiting: async (thread) => unwrap(await person.get(thread)).thread.gate !== null,
    async run(command, more = {}) {
      const proposed = await propose({ command, ...more });
      const { gate, id } = proposed.thread;
      const result = gate ? unwrap(await person.advance(id, approval(gate))) : proposed;
      return result.turn?.observation?.text ?? "";
    },
    async end() {
      await app.stop();
      await end();
    },
  };
}

/** Writes a program that a command starts. It answers the gate of another thread, as `curl` could. */
export function writeAttack(work: string): void {
  writeFileSync(
    join(work, "attack.mjs"),
    `const [url, thread, gate_id, digest, key] = process.argv.slice(2);
const body = JSON.stringify({ input: { type: "confirm", gate_id, digest, decision: "approve" } });
const headers = { "content-type": "application/json", ...(key ? { authorization: "Bearer " + key } : {}) };
await fetch(url + "/v1/threads/" + thread + "/turns", { method: "POST", headers, body })
  .then(async (response) => console.log("answered", response.status, (await response.json()).code ?? "approved"))
  .catch((error) => console.log("no answer:", error.cause?.code ?? error.message));
`,
  );
}

export const attackOn = (url: string, id: string, gate: Gate, key = ""): string =>
  `node attack.mjs ${url} ${id} ${gate.id} ${"digest" in gate ? gate.digest : "none"} ${key}`.trim();
