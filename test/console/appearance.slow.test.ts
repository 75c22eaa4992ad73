// Tests appearance and accessibility: panels, renderers, phone layout, keyboard, screen readers and themes.
import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import type { TestServer } from "../support/server.ts";
import { horizontalOverflow, seriousViolations, smallTargets } from "./accessibility.ts";
import { describeInBrowser, PHONE, useBrowser } from "./browser.ts";
import { buildPage, type ConsoleServerOptions, startConsoleServer } from "./console-server.ts";
import {
  approveAsSoonAsShown,
  approvePlan,
  button,
  enterAndType,
  gateCard,
  inConversation,
  openMenu,
  openPanel,
  startThread,
  tab,
  threadIn,
  waitForDelivery,
} from "./page-actions.ts";
import { EXPECTED_RENDERERS, resultToolCalls, resultTools } from "./result-tools.ts";
import { DELIVERY, DONE, STORY } from "./story-script.ts";

const PANELS = ["Plan", "Schedule", "Turns", "State", "Tools", "Usage"];
const KILOBYTES_MAX = 100;

describe("console files", () => {
  test(`are under ${KILOBYTES_MAX} kB compressed`, async () => {
    const sizes = (await buildPage()).map(({ path, body }) => [path, gzipSync(body, { level: 9 }).length] as const);
    // Other languages are loaded only for their users.
    const first = sizes.filter(([path]) => path !== "/console-zh.js");
    const total = first.reduce((sum, [, size]) => sum + size, 0);
    expect(sizes.length).toBe(first.length + 1);
    console.log(
      `console, compressed: ${(total / 1000).toFixed(1)} kB (${sizes.map(([p, n]) => `${p} ${n}`).join(", ")})`,
    );
    expect(total).toBeLessThan(KILOBYTES_MAX * 1000);
  });

  test("refer to no other server", async () => {
    const urls = (await buildPage()).flatMap(({ body }) => body.match(/https?:\/\/[^\s"'`)]+/g) ?? []);
    // The Markdown parser names its issue tracker in an error message.
    expect(
      urls.filter((url) => !/^http:\/\/www\.w3\.org\/|^https:\/\/github\.com\/markedjs\/marked/.test(url)),
    ).toEqual([]);
  });
});

describeInBrowser("page", () => {
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

  test.each(["light", "dark"] as const)("has no serious axe violations in the %s theme", async (colorScheme) => {
    const page = await open(await serve({ script: STORY, demo: true }), { colorScheme });
    await page.getByText("Demo model.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await startThread(page, "Move the essay outline to Thursday");
    await gateCard(page, "Approve the plan?");
    expect(await seriousViolations(page)).toEqual([]);
    await approvePlan(page);
    const card = await gateCard(page, "Approve this call?");
    await button(card, "Edit arguments").click();
    await button(card, "Reject…").click();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.goBack();
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await waitForDelivery(page);
    await page.locator("#turn-3 .turn-disclosure > summary").click();
    await page.getByText("Exact prompt (four messages)").click();
    await page.getByText("[3] user").waitFor();
    for (const name of PANELS) {
      await openPanel(page, name);
      expect(await seriousViolations(page)).toEqual([]);
    }
  });

  test("on a phone, all panels work without horizontal scrolling, and the menu lists the threads", async () => {
    const page = await open(await serve({ script: STORY, demo: true }), { viewport: PHONE });
    await page.getByText("Demo model.").waitFor();
    expect(await horizontalOverflow(page)).toBe(0);
    await startThread(page, "Move the essay outline to Thursday");
    await approvePlan(page);
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await waitForDelivery(page);
    for (const name of PANELS) {
      await openPanel(page, name);
      expect([name, await horizontalOverflow(page)]).toEqual([name, 0]);
      expect([name, await smallTargets(page)]).toEqual([name, []]);
      expect(await seriousViolations(page)).toEqual([]);
    }
    await tab(page, "Plan").click();
    await button(page, "turn 3").click();
    await page.locator("#turn-3:focus").waitFor();
    await page.getByText("Run 1: delivered").waitFor();
    const thread = threadIn(page);
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole("link", { name: "Pawl" }).first().click();
    await page.getByLabel("What should the agent do?").waitFor();
    expect(await smallTargets(page)).toEqual([]);
    await button(page, "Threads").click();
    expect(await smallTargets(page)).toEqual([]);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Move the essay outline to Thursday" }).click();
    await page.getByText("Run 1: delivered").waitFor();
    expect(threadIn(page)).toBe(thread);
  });

  test("a run can be completed with the keyboard alone", async () => {
    const page = await open(await serve({ script: STORY }));
    await page.getByLabel("What should the agent do?").waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Move the essay outline to Thursday");
    await page.keyboard.press("Enter");
    await gateCard(page, "Approve the plan?");
    // Waits longer than the period during which a shortcut is ignored, even on a busy machine.
    await page.waitForTimeout(1500);
    // The second press must not approve the gate that has just opened.
    await approveAsSoonAsShown(page, "Approve this call?");
    await page.keyboard.press("Control+Enter");
    const card = await gateCard(page, "Approve this call?");
    await page.waitForTimeout(1500);
    expect(await card.count()).toBe(1);
    await page.keyboard.press("Control+Enter");
    await waitForDelivery(page);
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Go to" });
    await palette.getByRole("option", { name: /Move the essay outline/ }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.type("essay");
    await page.keyboard.press("Escape");
    await expect.poll(() => palette.count()).toBe(0);
    // The keys are typed without waiting, so the palette and then the form must have the focus before the next key.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("rename");
    await enterAndType(page, "Outline");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Outline", exact: true }).waitFor();
    // When the focused form is removed, the focus moves to the nearest element around it, and the next Tab continues
    // from there.
    const focused = () => page.evaluate(() => document.activeElement?.className);
    await expect.poll(focused, { timeout: 10_000 }).toBe("thread-title");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("inbox");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.goBack();
    await tab(page, "Schedule").waitFor();
    await tab(page, "Plan").press("ArrowRight");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Schedule");
    await expect.poll(() => tab(page, "Schedule").getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("End");
    await expect.poll(() => page.getByRole("tabpanel", { name: "Usage" }).count()).toBe(1);
  });

  test("the palette opens again while it closes, and Enter chooses what matches the latest text", async () => {
    const page = await open(await serve({ script: STORY }));
    await page.getByLabel("What should the agent do?").waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Go to" });
    await palette.waitFor();
    await palette.evaluate((dialog) => {
      const press = (key: string, ctrlKey = false) =>
        new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true });
      dialog.dispatchEvent(press("Escape"));
      document.body.dispatchEvent(press("k", true));
    });
    await page.waitForTimeout(200);
    expect(await palette.count()).toBe(1);
    // Enter comes before the page shows what matches the text.
    await palette.getByRole("combobox").evaluate((field: HTMLInputElement) => {
      field.value = "inbox";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    });
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  });

  test("the palette shows what matches its latest text, also if the answer to an earlier one arrives later", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline to Thursday");
    await gateCard(page, "Approve the plan?");
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/v1\/threads\?.*q=nothing/, async (route) => {
      await promise;
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("nothing");
    await page.waitForRequest(/q=nothing/);
    await page.getByRole("combobox", { name: "Go to" }).fill("essay");
    const found = page.getByRole("option", { name: /Move the essay outline/ });
    await found.waitFor();
    const answered = page.waitForResponse(/q=nothing/);
    resolve();
    await answered;
    await page.waitForTimeout(200);
    expect(await found.count()).toBe(1);
  });

  test("announces changes to screen readers in whole sentences", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline to Thursday");
    await gateCard(page, "Approve the plan?");
    await expect
      .poll(() => page.getByRole("status").textContent())
      .toBe("I will look at the week, then move the essay outline to Thursday. Waiting for you");
  });

  test("renders the results of unknown tools by their shape", async () => {
    const page = await open(await serve({ script: [...resultToolCalls, DONE, DELIVERY], tools: resultTools }));
    await startThread(page, "Show me everything", { direct: true });
    await waitForDelivery(page);
    for (const [name, shape] of Object.entries(EXPECTED_RENDERERS)) {
      const card = page.getByRole("region", { name: `Tool ${name.replaceAll("_", " ")}: succeeded` });
      await card.locator("summary").click();
      expect([name, await card.locator(".result").getAttribute("data-renderer")]).toEqual([name, shape]);
    }
    await expect.poll(() => page.getByRole("columnheader").allTextContents()).toEqual(["table", "rows"]);
    await expect.poll(() => page.locator(".diff-added").textContent()).toBe("+new line\n");
    const imageWidth = await page
      .getByRole("img", { name: "One pixel" })
      .evaluate((img: HTMLImageElement) => img.naturalWidth);
    expect(imageWidth).toBe(1);
  });

  test("the details of a turn show decision, judgement, receipt, usage and the exact prompt", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline to Thursday");
    await approvePlan(page);
    await gateCard(page, "Approve this call?");
    const turn = page.locator("#turn-3");
    await turn.locator(".turn-disclosure > summary").click();
    for (const part of ["Model decision", "Judgement", "Receipt", "Usage"])
      await turn.getByRole("heading", { name: part }).waitFor();
    await expect.poll(() => turn.locator(".verdicts dt").count()).toBe(3);
    await turn.getByText("Exact prompt (four messages)").click();
    await turn.getByText("[3] user").waitFor();
    const prompt = await server
      .client()
      .call<{ messages: { content: string }[] }>("GET", `/v1/threads/${threadIn(page)}/turns/3/prompt`);
    if (!prompt.ok) throw new Error(prompt.problem.message);
    await turn
      .getByRole("button", { name: /^Show all/ })
      .first()
      .click();
    const shown = await turn.locator(".prompt-messages pre").allTextContents();
    expect(shown).toHaveLength(4);
    expect(shown[0]).toBe(prompt.value.messages[0]?.content);
    expect(shown[1]).toBe(prompt.value.messages[1]?.content);
    await turn.getByRole("link", { name: "link", exact: true }).click();
    await page.locator("#turn-3:focus").waitFor();
    expect(page.url()).toContain("/receipts/");
    const address = page.url().replace(/\/receipts\/.*/, "");
    await page.goto(`${address}/turns/1`);
    await page.locator("#turn-1:focus").waitFor();
    await page.goto(`${address}/gate`);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("gate-title");
    await tab(page, "Turns").click();
    for (const number of [1, 3]) await page.getByLabel(`Compare turn ${number}`).check();
    await expect.poll(() => page.locator(".compare > section").count()).toBe(2);
    await expect.poll(() => page.locator(".compare").textContent()).toContain("Planner decision");
    expect(await seriousViolations(page)).toEqual([]);
    await openMenu(page);
    const download = page.waitForEvent("download");
    await button(page, "Export as a file").click();
    expect((await download).suggestedFilename()).toMatch(/^thr_.*\.jsonl$/);
  });

  test("the inbox links to open gates, and the panels show tool calls and usage", async () => {
    const page = await open(await serve({ script: STORY }));
    await startThread(page, "Move the essay outline to Thursday");
    await gateCard(page, "Approve the plan?");
    const badge = page.getByRole("link", { name: "Inbox 1" });
    await badge.waitFor();
    await badge.click();
    await page
      .getByRole("link", { name: /^Plan approval/ })
      .last()
      .click();
    await approvePlan(page);
    await button(await gateCard(page, "Approve this call?"), "Approve").click();
    await waitForDelivery(page);
    await tab(page, "Tools").click();
    await expect.poll(() => page.locator(".timeline-row code").allTextContents()).toEqual(["query_range", "move"]);
    await page.getByText("Available tools").click();
    await page.getByText("write, requires approval").first().waitFor();
    await tab(page, "Usage").click();
    await expect
      .poll(() =>
        page.getByRole("img", { name: /^Prompt size per turn, tokens per model request\. Turn 8: [\d,]+/ }).count(),
      )
      .toBe(1);
    await expect.poll(() => page.getByRole("img", { name: /^Stored data per turn, bytes\. Turn 8: / }).count()).toBe(1);
  });

  test("reports that the demo model is active, and how to use a real one", async () => {
    const page = await open(await serve({ script: [], demo: true }));
    await page.getByText("Use a real model").click();
    await expect.poll(() => page.locator(".banner pre").textContent()).toContain("PAWL_MODEL");
  });

  test("the browser chooses the language; problems are sentences of it; a chosen theme and language survive a reload", async () => {
    const url = await serve({ script: STORY, demo: true });
    const page = await open(url, { colorScheme: "light", locale: "zh-CN", expected: /status of 40[04]/ });
    await page.getByRole("heading", { name: "看得清、停得住的智能体" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
    await page.getByLabel("要智能体做什么？").fill("Move the essay outline to Thursday");
    await button(page, "开始").click();
    await button(await gateCard(page, "批准这个计划吗？"), "批准计划").click();
    const card = await gateCard(page, "批准这次调用吗？");
    await expect.poll(() => card.getByRole("listitem").first().textContent()).toContain("9月10日");
    expect(await seriousViolations(page)).toEqual([]);
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    const gate = page.url();
    await page.goto(`${url}/#/threads/thr_${"0".repeat(26)}`);
    const alert = page.getByRole("alert");
    await alert.getByText("找不到这个会话").waitFor();
    expect(await alert.locator(".problem-hint").textContent()).toBe("它可能已被删除，或属于别的租户。");
    await alert.getByText("详情").click();
    // The alert shows the server's text in English.
    await expect.poll(() => alert.textContent()).toMatch(/[a-z]+ thread/);
    await page.goto(`${url}/#/schedules`);
    await page.getByText("新建定时任务").click();
    const error = page.locator(".field-error");
    await page.getByLabel("时区").fill("Mars/Base");
    await error.getByText("没有这个时区。例如 Asia/Shanghai。").waitFor();
    await page.getByLabel("时区").fill("UTC");
    await page.getByLabel("Cron 表达式").fill("99 8 * * *");
    await error.getByText("Cron 表达式无效。").waitFor();
    await page.goto(gate);
    await button(page, "主题：跟随系统。切换为浅色。").click();
    await button(page, "主题：浅色。切换为深色。").click();
    expect(await background()).not.toBe(light);
    await page.getByLabel("语言").selectOption({ label: "English" });
    await gateCard(page, "Approve this call?");
    await page.reload();
    await gateCard(page, "Approve this call?");
    await button(page, "Theme: dark. Change to system.").waitFor();
    expect(await background()).not.toBe(light);
  });

  test("a link to an unknown thread shows a problem", async () => {
    const url = await serve({ script: [] });
    const page = await open(`${url}/#/threads/thr_${"0".repeat(26)}`, { expected: /status of 404/ });
    await page.getByRole("alert").getByText("thread not found").waitFor();
    await expect.poll(() => inConversation(page, "").count()).toBe(0);
  });
});
