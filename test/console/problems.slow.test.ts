// Tests failures and risks in the browser: problems, unknown results, failed threads, expiry, API keys and hidden
// characters.
import { afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { aKeyRow, apiKeyFor, type TestServer } from "../support/server.ts";
import { createWriteTool } from "../support/tools.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { buildPage, type ConsoleServerOptions, startConsoleServer } from "./console-server.ts";
import {
  approvePlan,
  button,
  gateCard,
  inConversation,
  startThread,
  threadIn,
  waitForDelivery,
} from "./page-actions.ts";
import { DELIVERY, DONE, PLAN, STORY } from "./story-script.ts";

const ANSWER = { action: "answer", speak: "Here I am." };
const write = (line: string) => ({
  action: "confirm",
  speak: "Shall I write the line?",
  tool_call: { name: "write", arguments: { line } },
});

describeInBrowser("failures", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();
  const serve = async (options: ConsoleServerOptions): Promise<string> => {
    server = await startConsoleServer(files, options);
    return server.url;
  };

  test("an unavailable model is a problem with a hint, and a retry continues the run", async () => {
    const script = [{ fail: "model_unavailable", message: "The model does not answer." } as const, ANSWER];
    const page = await open(await serve({ script }));
    await startThread(page, "Say hello");
    const alert = page.getByRole("alert");
    await alert.getByText("The model does not answer.").waitFor();
    await expect.poll(() => alert.textContent()).toContain("model unavailable");
    expect(await alert.locator(".problem-hint").textContent()).not.toBe("");
    await button(alert, "Retry").click();
    await waitForDelivery(page);
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  test("three invalid replies become one stored problem with its corrections, and the thread continues", async () => {
    const page = await open(await serve({ script: ["no", "never", "nothing", ANSWER] }));
    await startThread(page, "Say hello");
    await inConversation(page, "decision invalid").waitFor();
    const turn = page.locator("#turn-1");
    await turn.locator(".turn-disclosure > summary").click();
    await expect.poll(() => turn.locator(".corrections li").count()).toBe(2);
    await button(page, "Continue").click();
    await waitForDelivery(page);
  });

  test("a failed thread runs again after a reset", async () => {
    const bad = Array.from({ length: 15 }, () => "no decision");
    const url = await serve({ script: [...bad, ANSWER] });
    const client = server.client();
    const created = await client.create({ goal: "Say hello" });
    if (!created.ok) throw new Error(created.problem.message);
    const { id } = created.value.thread;
    for (let i = 0; i < 5; i++) await client.advance(id);
    const page = await open(`${url}/#/threads/${id}`);
    await page.getByText("Too many consecutive turns failed").waitFor();
    await button(page, "Reset and retry").click();
    await waitForDelivery(page);
  });

  test("the user resolves a call with an unknown result", async () => {
    let crashed = false;
    const faults = {
      at: (point: string) => {
        if (point !== "settle.before" || crashed) return;
        crashed = true;
        throw new Error("the process crashed");
      },
    };
    const ledger: string[] = [];
    const tool = createWriteTool(ledger, { effect: "unkeyed" });
    const quick = { ...tool, manifest: { ...tool.manifest, timeout_ms: 50 } };
    const page = await open(
      await serve({
        script: [write("hello"), DONE, DELIVERY],
        tools: [quick],
        runtime: { faults, config: { ...DEFAULT_CONFIG, settle_grace_ms: 0 } },
      }),
    );
    await startThread(page, "Write hello", { direct: true });
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await button(page.getByRole("alert"), "Retry").click();
    const doubt = await gateCard(page, "Did this happen?");
    await expect.poll(() => doubt.textContent()).toContain("linehello");
    await doubt.getByLabel("How do you know?").fill("the line is in the file");
    await button(doubt, "It happened").click();
    await inConversation(page, "tester resolved the unknown result: it happened").waitFor();
    await waitForDelivery(page);
    expect(ledger).toHaveLength(1);
  });

  test("an expired gate cannot be approved, and the run continues", async () => {
    const aborting = { action: "abort", abort: { user_message: "No approval arrived in time." } };
    const config = { ...DEFAULT_CONFIG, gate_expire_after_s: 2 };
    const page = await open(
      await serve({ script: [write("hello"), aborting], tools: [createWriteTool([])], runtime: { config } }),
    );
    await startThread(page, "Write hello", { direct: true });
    const card = await gateCard(page, "Approve this call?");
    await expect.poll(() => card.locator(".expiry").textContent()).toMatch(/^expires in \d sec$/);
    await card.getByText("This request has expired, and nothing was run.").waitFor();
    await expect.poll(() => button(card, "Approve").count()).toBe(0);
    await button(card, "Continue").click();
    await inConversation(page, "No response in time").waitFor();
    await inConversation(page, "Run 1: aborted").waitFor();
  });

  test("cancelling a run needs a confirmation", async () => {
    const page = await open(await serve({ script: [PLAN] }));
    await startThread(page, "Move the essay outline");
    await gateCard(page, "Approve the plan?");
    await button(page, "Cancel run").click();
    await button(page, "Confirm cancel").click();
    await inConversation(page, "Run 1: cancelled").waitFor();
    await expect.poll(() => page.getByRole("region", { name: "Approve the plan?" }).count()).toBe(0);
  });

  test("hidden characters in arguments are shown as escapes, also in the editor, and are preserved", async () => {
    const line = "pay alice\u202e\u200b evil \u{e0041}";
    const ledger: string[] = [];
    const page = await open(await serve({ script: [write(line), DONE, DELIVERY], tools: [createWriteTool(ledger)] }));
    await startThread(page, "Write it", { direct: true });
    const card = await gateCard(page, "Approve this call?");
    await expect
      .poll(() => card.locator(".hidden-char").allTextContents())
      .toEqual(["\\u202e", "\\u200b", "\\udb40\\udc41"]);
    await expect.poll(() => card.textContent()).toContain("4 hidden characters in the arguments");
    await button(card, "Edit arguments").click();
    await expect
      .poll(() => card.getByLabel("Arguments as JSON").inputValue())
      .toContain("pay alice\\u202e\\u200b evil");
    await button(card, "Approve").click();
    await waitForDelivery(page);
    expect(ledger[0]).toContain(line);
  });

  test("a rendering error is reported on the page", async () => {
    const url = await serve({ script: [] });
    const created = await server.client().create({ goal: "Say hello" });
    if (!created.ok) throw new Error(created.problem.message);
    const page = await open(url);
    await page.route("**/turns?*", (route) =>
      route.fulfill({ json: { records: [{ version: 0, turn: 0, receipts: [] }], after: null } }),
    );
    await page.goto(`${url}/#/threads/${created.value.thread.id}`);
    await page.getByRole("alert").getByText("Something went wrong on this page").waitFor();
    await page.getByRole("link", { name: "New thread" }).click();
    await page.getByLabel("What should the agent do?").waitFor();
  });

  test("tool output and answers are never rendered as markup, and links cannot run scripts", async () => {
    const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const hostile = [
      "[run](javascript:document.title=3)",
      "[data](data:text/html,<script>alert(1)</script>)",
      "[odd](JaVaScRiPt:document.title=4 )",
      "<a href='javascript:document.title=5'>click</a>",
      "![pixel](https://tracker.example/x.png)",
      "<javascript:document.title=6>",
      "<svg onload=document.title=7>",
    ];
    const answer = `**Bold** &amp; _soft_\n\n${markup}\n\n${hostile.join("\n\n")}\n\n| a | b |\n|---|---|\n| ${markup} | 2 |\n\n\`\`\`js\nconst safe = "<b>";\n\`\`\`\n\n[web](https://example.com/page)`;
    const print = defineTool(
      { name: "print", description: "Prints.", input: z.object({}), output: z.string() },
      () => markup,
    );
    const call = { action: "continue", speak: markup, tool_call: { name: "print", arguments: {} } };
    const page = await open(await serve({ script: [call, DONE, answer], tools: [print] }));
    await startThread(page, "Print it", { direct: true });
    await waitForDelivery(page);
    await page.locator(".tool-card summary").first().click();
    await expect.poll(() => page.locator(".result").first().textContent()).toContain(markup);
    const last = page.locator(".markdown").last();
    await expect.poll(() => last.locator("strong").textContent()).toBe("Bold");
    expect(await last.locator("p").first().textContent()).toBe("Bold & soft");
    expect(await last.locator("td").first().textContent()).toBe(markup);
    expect(await last.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
      "https://tracker.example/x.png",
      "https://example.com/page",
    ]);
    for (const label of ["run", "data", "odd"]) await last.getByText(label, { exact: true }).click();
    await expect.poll(() => page.locator("#app img, #app script, .markdown svg").count()).toBe(0);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(last, "Copy").click();
    await button(last, "Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const safe = "<b>";');
    await expect.poll(() => page.title()).toBe("Print it · Pawl");
  });
});

describeInBrowser("server with API keys", () => {
  let server: TestServer;
  afterEach(() => server.stop());
  const open = useBrowser();

  test("requires a key, stores it for the tab only, and streams with it", async () => {
    server = await startConsoleServer(await buildPage(), {
      script: STORY,
      keys: () => [aKeyRow("alice", "acme")],
    });
    const page = await open(server.url, { expected: /status of 401/ });
    const field = page.getByLabel("API key", { exact: true });
    await field.fill(apiKeyFor("mallory"));
    await button(page, "Open the console").click();
    await page.getByText("The key is unknown.").waitFor();
    await field.fill(apiKeyFor("alice"));
    await button(page, "Open the console").click();
    await startThread(page, "Move the essay outline to Thursday");
    await approvePlan(page);
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await inConversation(page, "alice approved move").waitFor();
    expect(page.url()).not.toContain("pawl_");
    expect(threadIn(page)).not.toBe("");
    const stored = await page.evaluate(() => [
      JSON.stringify(sessionStorage),
      JSON.stringify(localStorage),
      document.cookie,
    ]);
    expect(stored.map((text) => text.includes("pawl_"))).toEqual([true, false, false]);
    await button(page, "Forget key").click();
    await field.waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("pawl_");
  });

  test("names the scope that a key lacks", async () => {
    server = await startConsoleServer(await buildPage(), {
      script: STORY,
      keys: () => [aKeyRow("bob", "acme", ["read", "advance"])],
    });
    const page = await open(server.url, { expected: /status of 40[13]/ });
    await page.getByLabel("API key", { exact: true }).fill(apiKeyFor("bob"));
    await button(page, "Open the console").click();
    await startThread(page, "Move the essay outline to Thursday");
    await approvePlan(page);
    await page.getByRole("alert").getByText("needs the scope confirm").waitFor();
  });
});
