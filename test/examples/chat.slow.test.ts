// Tests the chat example in a real browser: an answer, an approval, and a reload in the middle of a run.
import { type ServerType, serve } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatApp } from "../../examples/chat/server.ts";
import { ProtocolsConfig } from "../../src/schema/protocols/protocols-config.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { describeInBrowser, useBrowser } from "../console/browser.ts";
import { callTool, done } from "../support/decisions.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { createWriteTool, look } from "../support/tools.ts";

const ledger: string[] = [];
let pawl: TestServer;
let chat: ServerType;
let url = "";

/** The delay is longer than the reload, so that the run is still in progress afterwards. */
const SCRIPT = [
  callTool("write", { line: "a" }),
  done,
  "Written.",
  callTool("look", { at: "the sky" }),
  { delay: 1_500 },
  done,
  "It is sunny.",
];

beforeAll(async () => {
  const config = { ...DEFAULT_CONFIG, protocols: ProtocolsConfig.parse({ ai: { mode: "direct" } }) };
  pawl = await startTestServer({ script: SCRIPT, tools: [look, createWriteTool(ledger)], runtime: { config } });
  const app = await createChatApp(pawl.url);
  url = await new Promise((resolve) => {
    chat = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}/`),
    );
  });
}, 60_000);
afterAll(async () => {
  chat.close();
  await pawl.stop();
});

describeInBrowser("the chat page", () => {
  const open = useBrowser();

  test("answers, asks for approval, and resumes after a reload", async () => {
    const page = await open(url);
    const say = async (text: string) => {
      await page.getByLabel("Message").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    };
    await say("Write");
    await page.getByText(/^write .*approval-requested$/).waitFor();
    await page.reload();
    expect(ledger).toEqual([]);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Written.").waitFor();
    expect(ledger).toHaveLength(1);
    await say("How is the weather?");
    await page.getByText(/^look .*output-available$/).waitFor();
    await page.reload();
    await page.getByText("It is sunny.").waitFor();
    expect(await page.getByText(/^look .*output-available$/).count()).toBe(1);
    expect(await page.locator("article").count()).toBe(4);
  });
});
