// Follows the password of a calendar account through a whole host, and searches every byte that it stored, sent or
// printed, except to the account.
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRadicale } from "../../scripts/radicale.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { secretEncodings } from "../../src/tools/redaction/secret-encodings.ts";
import { type AppProcess, killApps, startApp } from "../support/app-process.ts";
import { type OpenAiStub, startOpenAiStub } from "../support/openai-stub.ts";
import { PASSWORD, type Radicale, startRadicale, USER } from "../support/radicale.ts";
import { approval, callTool, doneDecision } from "../support/story.ts";

const WRONG_PASSWORD = "canary-77ab-refused-password";

/** Starts a server whose errors repeat what it was sent. */
async function startEcho() {
  const seen: string[] = [];
  const server = createServer(({ headers }, response) => {
    const authorization = headers.authorization ?? "";
    const sent = Buffer.from(authorization.replace("Basic ", ""), "base64").toString();
    seen.push(sent);
    response.writeHead(500, { "x-sent": authorization }).end(`<html>${authorization} ${sent}</html>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen, close: () => server.close() };
}

describe.skipIf(!findRadicale())("the password of a calendar account", () => {
  let folder: string;
  let app: AppProcess;
  let stub: OpenAiStub;
  let radicale: Radicale;
  let echo: Awaited<ReturnType<typeof startEcho>>;
  const responses: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "pawl-calendar-password-"));
    [stub, radicale, echo] = await Promise.all([startOpenAiStub(), startRadicale(), startEcho()]);
    const account = { url: radicale.url, user: USER, allow_private: true };
    writeFileSync(
      join(folder, "pawl.config.json"),
      JSON.stringify({
        agents: { default: { toolkits: ["calendar"] } },
        calendar: {
          accounts: {
            home: { ...account, password_env: "HOME_PASSWORD" },
            locked: { ...account, password_env: "WRONG_PASSWORD" },
            echo: { ...account, url: echo.url, password_env: "HOME_PASSWORD" },
            nowhere: { ...account, url: "http://127.0.0.1:1/", password_env: "HOME_PASSWORD" },
          },
        },
        providers: { here: { base_url: stub.base_url } },
        models: { main: { provider: "here", name: "m", window: 32_768 } },
      }),
    );
    app = await startApp(folder, { HOME_PASSWORD: PASSWORD, WRONG_PASSWORD });
  });
  afterAll(async () => {
    await killApps();
    await stub?.close();
    await radicale?.stop();
    echo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Answer = { id?: string; thread?: { id: string; gate: Gate | null }; next?: string; code?: string };

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${app.url}${path}`, {
      method,
      ...(body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    responses.push(JSON.stringify([...response.headers]), text);
    const isJson = response.headers.get("content-type")?.includes("json") && !path.endsWith("/export");
    return isJson ? (JSON.parse(text) as Answer) : {};
  }

  async function connect(account: string): Promise<string> {
    const { id } = await ask("POST", "/v1/calendars", { name: account, time_zone: "Europe/Berlin" });
    await ask("PUT", `/v1/calendars/${id}/source`, { account });
    return id ?? "";
  }

  async function playStory(calendar: string): Promise<string> {
    const created = await ask("POST", "/v1/threads", { goal: "Book the dentist", mode: "direct", calendar });
    const turns = `/v1/threads/${created.thread?.id}/turns`;
    const calls = [
      callTool("create_event", { title: "Dentist", start: "2026-03-03T09:00", duration_min: 90 }),
      callTool("list_events", { from: "2026-03-02", to: "2026-03-08" }),
    ];
    for (const call of calls) {
      stub.queue({ kind: "text", text: JSON.stringify(call) });
      const asked = await ask("POST", turns, {});
      if (asked.next === "confirm") await ask("POST", turns, { input: approval(asked.thread?.gate ?? null) });
    }
    stub.setDefault({ kind: "text", text: JSON.stringify(doneDecision) });
    await ask("POST", `${turns}?until=pause`, {});
    return created.thread?.id ?? "";
  }

  async function lookEverywhere(thread: string, calendars: readonly string[]): Promise<void> {
    const at = `/v1/threads/${thread}`;
    for (const path of [at, `${at}/turns`, `${at}/events?after=-1`, `${at}/export`, `${at}/tools`])
      await ask("GET", path);
    for (let n = 0; n < 8; n++) await ask("GET", `${at}/turns/${n}/prompt`);
    for (const id of calendars) {
      await ask("GET", `/v1/calendars/${id}`);
      await ask("GET", `/v1/calendars/${id}/ics`);
      await ask("POST", `/v1/calendars/${id}/sync`);
      await ask("GET", `/v1/calendars/${id}/events?from=2026-03-01&to=2026-03-10`);
    }
    for (const path of ["/v1/calendars", "/v1/gates", "/openapi.json", "/readyz", "/metrics"]) await ask("GET", path);
  }

  const filesUnder = (path: string): readonly string[] =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  test("appears in no record, prompt, event, log line, export, response or error of the host", async () => {
    const home = await connect("home");
    const refused = [await connect("locked"), await connect("nowhere"), await connect("echo")];
    const thread = await playStory(home);
    await lookEverywhere(thread, [home, ...refused]);
    await app.stop();
    const sources = new Map<string, string>([
      ["the server output", app.output()],
      ["a response", responses.join("\n")],
      ["a prompt", JSON.stringify(stub.requests.map(({ body }) => body))],
      ...filesUnder(join(folder, ".pawl")).map((path) => [path, readFileSync(path, "latin1")] as const),
    ]);
    // These checks prove that the search works: the event is on the server and in every kind of text, and the refusals
    // were answered.
    expect(await radicale.names()).toContainEqual(expect.stringContaining("%40pawl.ics"));
    expect(echo.seen).toContain(`${USER}:${PASSWORD}`);
    expect([...sources.values()].filter((text) => text.includes("Dentist")).length).toBeGreaterThan(2);
    const found = Object.entries({ right: PASSWORD, wrong: WRONG_PASSWORD }).flatMap(([name, secret]) =>
      [...sources].flatMap(([source, text]) =>
        [...secretEncodings(secret), Buffer.from(`${USER}:${secret}`).toString("base64")]
          .filter((form) => text.includes(form))
          .map((form) => `the ${name} password as ${form} in ${source}`),
      ),
    );
    expect(found).toEqual([]);
  });
});
