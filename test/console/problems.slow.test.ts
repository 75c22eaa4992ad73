// What goes wrong, and what needs care: problems, doubt, failure, expiry, keys, hidden characters.
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

describeInBrowser("when something goes wrong", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();
  const serve = async (facts: ConsoleServerOptions): Promise<string> => {
    server = await startConsoleServer(files, facts);
    return server.url;
  };

  test("a model that cannot be reached is a problem with a hint, and trying again goes on", async () => {
    const script = [{ fail: "model_unavailable", message: "The model does not answer." } as const, ANSWER];
    const page = await open(await serve({ script }));
    await startThread(page, "Say hello");
    const alert = page.getByRole("alert");
    await alert.getByText("The model does not answer.").waitFor();
    await expect.poll(() => alert.textContent()).toContain("model unavailable");
    expect(await alert.locator(".problem-hint").textContent()).not.toBe("");
    await button(alert, "Try again").click();
    await waitForDelivery(page);
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  test("three bad replies are one stored problem with the corrections before it, and the thread goes on", async () => {
    const page = await open(await serve({ script: ["no", "never", "nothing", ANSWER] }));
    await startThread(page, "Say hello");
    await inConversation(page, "decision invalid").waitFor();
    const turn = page.locator("#turn-1");
    await turn.locator(".turn-fold > summary").click();
    await expect.poll(() => turn.locator(".corrections li").count()).toBe(2);
    await button(page, "Go on").click();
    await waitForDelivery(page);
  });

  test("a failed thread is reset and works again", async () => {
    const bad = Array.from({ length: 15 }, () => "no decision");
    const url = await serve({ script: [...bad, ANSWER] });
    const client = server.client();
    const created = await client.create({ goal: "Say hello" });
    if (!created.ok) throw new Error(created.problem.message);
    const { id } = created.value.thread;
    for (let i = 0; i < 5; i++) await client.advance(id);
    const page = await open(`${url}/#/threads/${id}`);
    await page.getByText("Too many turns in a row failed").waitFor();
    await button(page, "Reset and try again").click();
    await waitForDelivery(page);
  });

  test("a call that nobody saw the end of is settled by a person", async () => {
    let crashed = false;
    const faults = {
      at: (point: string) => {
        if (point !== "settle.before" || crashed) return;
        crashed = true;
        throw new Error("the machine is gone");
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
    await button(page.getByRole("alert"), "Try again").click();
    const doubt = await gateCard(page, "Did this happen?");
    await expect.poll(() => doubt.textContent()).toContain('"line": "hello"');
    await doubt.getByLabel("How do you know?").fill("the line is in the book");
    await button(doubt, "It happened").click();
    await inConversation(page, "tester settled the doubt: it happened").waitFor();
    await waitForDelivery(page);
    expect(ledger).toHaveLength(1);
  });

  test("a gate whose time is over cannot be approved any more, and the run goes on", async () => {
    const aborting = { action: "abort", abort: { user_message: "Nobody was there." } };
    const config = { ...DEFAULT_CONFIG, gate_expire_after_s: 2 };
    const page = await open(
      await serve({ script: [write("hello"), aborting], tools: [createWriteTool([])], runtime: { config } }),
    );
    await startThread(page, "Write hello", { direct: true });
    const card = await gateCard(page, "Approve this call?");
    await expect.poll(() => card.locator(".expiry").textContent()).toMatch(/^expires in \d s$/);
    await card.getByText("Its time is over; nothing was run.").waitFor();
    await expect.poll(() => button(card, "Approve").count()).toBe(0);
    await button(card, "Go on").click();
    await inConversation(page, "Nobody answered in time").waitFor();
    await inConversation(page, "Run 1: given up").waitFor();
  });

  test("a run is cancelled only when asked twice", async () => {
    const page = await open(await serve({ script: [PLAN] }));
    await startThread(page, "Move the essay outline");
    await gateCard(page, "Approve the plan?");
    await button(page, "Cancel run").click();
    await button(page, "Really cancel?").click();
    await inConversation(page, "Run 1: cancelled").waitFor();
    await expect.poll(() => page.getByRole("region", { name: "Approve the plan?" }).count()).toBe(0);
  });

  test("hidden characters in arguments are shown as escapes, in the form to edit too, and survive an untouched edit", async () => {
    const line = "pay alice\u202e\u200b evil \u{e0041}";
    const ledger: string[] = [];
    const page = await open(await serve({ script: [write(line), DONE, DELIVERY], tools: [createWriteTool(ledger)] }));
    await startThread(page, "Write it", { direct: true });
    const card = await gateCard(page, "Approve this call?");
    await expect
      .poll(() => card.locator(".hidden-char").allTextContents())
      .toEqual(["\\u202e", "\\u200b", "\\udb40", "\\udc41"]);
    await expect.poll(() => card.textContent()).toContain("4 hidden characters in the arguments");
    await button(card, "Edit arguments").click();
    await expect
      .poll(() => card.getByLabel("Arguments as JSON").inputValue())
      .toContain("pay alice\\u202e\\u200b evil");
    await button(card, "Approve").click();
    await waitForDelivery(page);
    expect(ledger[0]).toContain(line);
  });

  test("a page that breaks says so instead of falling silent", async () => {
    const url = await serve({ script: [] });
    const created = await server.client().create({ goal: "Say hello" });
    if (!created.ok) throw new Error(created.problem.message);
    const page = await open(url);
    await page.route("**/turns?*", (route) =>
      route.fulfill({ json: { records: [{ version: 0, turn: 0, receipts: [] }], after: null } }),
    );
    await page.goto(`${url}/#/threads/${created.value.thread.id}`);
    await page.getByRole("alert").getByText("This page broke").waitFor();
    await page.getByRole("link", { name: "New thread" }).click();
    await page.getByLabel("What should be done?").waitFor();
  });

  test("text of tools is never markup", async () => {
    const nasty = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const print = defineTool(
      { name: "print", description: "Prints.", input: z.object({}), output: z.string() },
      () => nasty,
    );
    const call = { action: "continue", speak: nasty, tool_call: { name: "print", arguments: {} } };
    const page = await open(await serve({ script: [call, DONE, DELIVERY], tools: [print] }));
    await startThread(page, "Print it", { direct: true });
    await waitForDelivery(page);
    await page.locator(".tool-card summary").first().click();
    await expect.poll(() => page.locator(".result").first().textContent()).toContain(nasty);
    await expect.poll(() => page.locator("#app img, #app script").count()).toBe(0);
    await expect.poll(() => page.title()).toBe("Print it · Pawl");
  });
});

describeInBrowser("a server with keys", () => {
  let server: TestServer;
  afterEach(() => server.stop());
  const open = useBrowser();

  test("lets nobody in without one, keeps it in the tab alone, and streams with it", async () => {
    server = await startConsoleServer(await buildPage(), {
      script: STORY,
      keys: () => [aKeyRow("alice", "acme")],
    });
    const page = await open(server.url, { expected: /status of 401/ });
    const field = page.getByLabel("Key", { exact: true });
    await field.fill(apiKeyFor("mallory"));
    await button(page, "Open the console").click();
    await page.getByText("No key like this is known.").waitFor();
    await field.fill(apiKeyFor("alice"));
    await button(page, "Open the console").click();
    await startThread(page, "Move the essay outline to Thursday");
    await approvePlan(page);
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await inConversation(page, "alice approved move").waitFor();
    expect(page.url()).not.toContain("pawl_");
    expect(threadIn(page)).not.toBe("");
    const kept = await page.evaluate(() => [
      JSON.stringify(sessionStorage),
      JSON.stringify(localStorage),
      document.cookie,
    ]);
    expect(kept.map((text) => text.includes("pawl_"))).toEqual([true, false, false]);
    await button(page, "Forget key").click();
    await field.waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("pawl_");
  });

  test("says which right a key lacks", async () => {
    server = await startConsoleServer(await buildPage(), {
      script: STORY,
      keys: () => [aKeyRow("bob", "acme", ["read", "advance"])],
    });
    const page = await open(server.url, { expected: /status of 40[13]/ });
    await page.getByLabel("Key", { exact: true }).fill(apiKeyFor("bob"));
    await button(page, "Open the console").click();
    await startThread(page, "Move the essay outline to Thursday");
    await approvePlan(page);
    await page.getByRole("alert").getByText("needs the scope confirm").waitFor();
  });
});
