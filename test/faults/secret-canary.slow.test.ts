// Sends canary secrets through every entry point of the real app, then searches every byte that it stored, sent or
// printed.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Gate } from "../../src/schema/gate.ts";
import { secretEncodings } from "../../src/tools/redaction/secret-encodings.ts";
import { type AppProcess, killApps, startApp } from "../support/app-process.ts";
import { type OpenAiStub, startOpenAiStub } from "../support/openai-stub.ts";
import { approval, callTool, doneDecision } from "../support/story.ts";

const CANARIES = {
  "an API key": "pawl_canaryKeyOfACaller0123456789",
  "a mistyped API key": "pawl_canaryKeyMistyped01234567890",
  "the key of the provider": "canary-of-the-provider-Zx9!'quoted",
  "the server's secret": "canary-server-secret-0123456789abcdef",
  "a variable of the server": "canary-variable-of-the-server",
  "a cookie": "canary-cookie-0123456789",
} as const;
const KEY = CANARIES["an API key"];
const PROVIDER = CANARIES["the key of the provider"];

let folder: string;
let app: AppProcess;
let stub: OpenAiStub;
const responses: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl-canary-"));
  mkdirSync(join(folder, "work"));
  writeFileSync(join(folder, "work", ".env"), `OPENAI_API_KEY=${PROVIDER}\n`);
  stub = await startOpenAiStub();
  writeFileSync(
    join(folder, "pawl.config.json"),
    JSON.stringify({
      workspace: "work",
      agents: { default: { toolkits: ["files", "shell"] } },
      bash: { enabled: true, sandbox: "off" },
      providers: { here: { base_url: stub.base_url, api_key_env: "HERE_KEY" } },
      models: { main: { provider: "here", name: "m", window: 32_768 } },
    }),
  );
  app = await startApp(folder, {
    HERE_KEY: PROVIDER,
    PAWL_API_KEYS: `ann:acme:${KEY}`,
    PAWL_SECRET: CANARIES["the server's secret"],
    UNRELATED: CANARIES["a variable of the server"],
  });
}, 60_000);
afterAll(async () => {
  await killApps();
  await stub?.close();
  rmSync(folder, { recursive: true, force: true });
});

type TurnResponse = { thread?: { id: string; gate: Gate | null; state: string }; next?: string; code?: string };

/** Collects every response with its headers. */
async function ask(
  method: string,
  path: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<TurnResponse> {
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      cookie: `session=${CANARIES["a cookie"]}`,
      ...(body ? { "content-type": "application/json" } : {}),
      ...more,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  responses.push(JSON.stringify([...response.headers]), text);
  return response.headers.get("content-type")?.includes("json") && !path.endsWith("/export")
    ? (JSON.parse(text) as TurnResponse)
    : {};
}

const bash = (command: string) => callTool("bash", { command });
/** Commands that print the file plainly, encoded and in two parts. */
const PRINTING = [
  "cat .env",
  "base64 -w0 .env; echo; printf x | cat - .env | base64 -w0",
  "od -An -v -tx1 .env | tr -d ' \\n'",
  "head -c 25 .env; sleep 0.1; tail -c +26 .env",
  "printenv; cat .env >&2; exit 3",
];

async function playStory(): Promise<string> {
  const created = await ask("POST", "/v1/threads", { goal: "Look at the settings", mode: "direct" });
  const turns = `/v1/threads/${created.thread?.id}/turns`;
  stub.queue({ kind: "status", status: 401, body: { error: { message: `Incorrect API key provided: ${PROVIDER}` } } });
  expect((await ask("POST", turns, {})).code).toBe("model_misconfigured");
  for (const decision of [...PRINTING.map(bash), callTool("read_file", { path: ".env" })]) {
    stub.queue({ kind: "text", text: JSON.stringify(decision) });
    const asked = await ask("POST", turns, {});
    if (asked.next === "confirm") await ask("POST", turns, { input: approval(asked.thread?.gate ?? null) });
  }
  stub.setDefault({ kind: "text", text: JSON.stringify(doneDecision) });
  await ask("POST", `${turns}?until=pause`, {});
  return created.thread?.id ?? "";
}

async function lookEverywhere(id: string): Promise<void> {
  const thread = `/v1/threads/${id}`;
  for (const path of [thread, `${thread}/turns`, `${thread}/events?after=-1`, `${thread}/tools`, `${thread}/export`])
    await ask("GET", path);
  for (let n = 0; n < 16; n++) {
    await ask("GET", `${thread}/turns/${n}`);
    await ask("GET", `${thread}/turns/${n}/prompt`);
  }
  const operations = new Set(responses.join("").match(/opr_[0-9a-z]{26}/g));
  for (const operation of operations) await ask("GET", `${thread}/operations/${operation}`);
  for (const path of ["/v1/threads", "/v1/gates", "/v1/tools", "/v1/jobs", "/v1/webhooks", "/openapi.json", "/readyz"])
    await ask("GET", path);
}

/** Sends requests that are refused. Their responses must not repeat the invalid value. */
async function sendRefusedRequests(id: string): Promise<void> {
  const wrong = CANARIES["a mistyped API key"];
  await ask("GET", "/v1/threads", undefined, { authorization: `Bearer ${wrong}` });
  await ask("GET", "/v1/threads", undefined, { authorization: `Basic ${wrong}` });
  await ask("GET", "/v1/threads", undefined, { authorization: `Bearer ${KEY}, Bearer ${wrong}` });
  await ask("POST", `/v1/threads/${id}/turns`, {}, { "idempotency-key": `${KEY}${"x".repeat(400)}` });
  await ask("POST", `/v1/threads/${id}/turns`, {}, { "if-match": CANARIES["a cookie"] });
  await ask("GET", "/v1/no-such-thing");
}

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("no secret appears in a record, log line, event, prompt, export, response or error", {
  timeout: 120_000,
}, async () => {
  const id = await playStory();
  await lookEverywhere(id);
  await sendRefusedRequests(id);
  await app.stop();
  const sources = new Map<string, string>([
    ["the server output", app.output()],
    ["a response", responses.join("\n")],
    ["a prompt", JSON.stringify(stub.requests.map(({ body }) => body))],
    ...filesUnder(join(folder, ".pawl")).map((path) => [path, readFileSync(path, "latin1")] as const),
  ]);
  // These checks prove that the search works: the commands ran, and the text around the secrets is present.
  expect(sources.get("a response")).toContain("exit code 3");
  expect(sources.get("a response")).toContain("OPENAI_API_KEY=[redacted]");
  expect([...sources.values()].filter((text) => text.includes("Look at the settings")).length).toBeGreaterThan(2);
  const found = Object.entries(CANARIES).flatMap(([name, secret]) =>
    [...sources].flatMap(([source, text]) =>
      secretEncodings(secret)
        .filter((form) => text.includes(form))
        .map((form) => `${name} as ${form} in ${source}`),
    ),
  );
  expect(found).toEqual([]);
});
