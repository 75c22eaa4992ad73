// Tests the list of threads in the browser: many threads, search, filters, and titles that stay.
import type { Locator } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { ROW_PX } from "../../src/console/shell/thread-rows.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { createThread } from "../../src/threads/create.ts";
import { unwrap } from "../support/runtime.ts";
import type { TestServer } from "../support/server.ts";
import { seriousViolations } from "./accessibility.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";
import { button, gateCard, inConversation, openMenu, startThread, threadIn, waitForDelivery } from "./page-actions.ts";
import { PLAN } from "./story-script.ts";

const AMOUNT = 1200;

const scrollTop = (list: Locator): Promise<number> =>
  list.locator(".thread-groups").evaluate((element) => element.scrollTop);

/** Returns the first row in view, its position, and how far the list is scrolled. */
const firstInView = (list: Locator) =>
  list.locator(".thread-groups").evaluate((element) => {
    const edge = element.getBoundingClientRect().top;
    const row = [...element.querySelectorAll(".thread-row")].find((one) => one.getBoundingClientRect().top >= edge);
    return { text: row?.textContent, top: row?.getBoundingClientRect().top, scrolled: element.scrollTop };
  });
const ANSWER = { action: "answer", speak: "Here I am." };

describeInBrowser("the list of threads", () => {
  let server: TestServer;
  afterEach(() => server.stop());
  const open = useBrowser();

  test("shows many threads as few elements, finds one of them on the server, and keeps titles", async () => {
    server = await startConsoleServer(await buildPage(), { script: [ANSWER, ANSWER, PLAN] });
    for (let i = 0; i < AMOUNT; i++) {
      const input = { goal: `Water plant number ${i}` };
      unwrap(await createThread(server.rt, { tenant: LOCAL_TENANT, actor: "tester", input, key: null }));
    }
    const page = await open(server.url);
    const list = page.getByRole("navigation", { name: "Threads" });
    await list.getByText(`Water plant number ${AMOUNT - 1}`).waitFor();
    const rows = () => list.locator(".thread-row").count();
    expect(await rows()).toBeLessThan(40);
    for (let i = 0; i < 3; i++) {
      await list.locator(".thread-groups").evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.waitForTimeout(200);
    }
    await expect.poll(() => list.locator(".thread-group").count()).toBe(0);
    expect(await rows()).toBeLessThan(40);
    // Threads that are added above must not move the rows in view.
    const upper = await firstInView(list);
    unwrap(await server.client().create({ goal: "Water the garden" }));
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect.poll(() => scrollTop(list)).toBe(upper.scrolled + ROW_PX);
    expect(await firstInView(list)).toEqual({ ...upper, scrolled: upper.scrolled + ROW_PX });
    // The window is high enough to show all matches, because rows outside of the view are not rendered.
    await page.setViewportSize({ width: 1280, height: 1200 });
    await list.getByLabel("Search threads").fill("number 17");
    await expect.poll(rows).toBe(11);
    await list.getByLabel("Search threads").fill("NUMBER 1187");
    await expect.poll(rows).toBe(1);
    await list.getByLabel("State", { exact: true }).selectOption({ label: "Idle" });
    await list.getByText("No thread matches.").waitFor();
    await list.getByLabel("State", { exact: true }).selectOption({ label: "All states" });
    await list.getByLabel("Search threads").fill("");
    expect(await seriousViolations(page)).toEqual([]);

    await startThread(page, "Say hello");
    await waitForDelivery(page);
    const thread = threadIn(page);
    await page.getByLabel("Next goal").fill("Say it again");
    await button(page, "Send").click();
    await page.getByText("Run 2: delivered").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Say hello");
    await openMenu(page);
    await button(page, "Rename").click();
    await page.keyboard.type("Greetings");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Greetings" }).waitFor();
    await inConversation(page, "tester renamed the thread to “Greetings”").waitFor();
    await page.getByRole("link", { name: "New thread" }).click();
    // This thread is below the newest page and leaves the list when it is deleted.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("number 150");
    await page.getByRole("option", { name: "Water plant number 150" }).click();
    await page.getByRole("heading", { level: 1, name: "Water plant number 150" }).waitFor();
    await openMenu(page);
    await button(page, "Delete").click();
    await button(page, "Confirm delete").click();
    await page.getByLabel("What should the agent do?").waitFor();
    await list.getByLabel("Search threads").fill("number 150");
    await list.getByText("No thread matches.").waitFor();
    await list.getByLabel("Search threads").fill("");
    await startThread(page, "Ask me first");
    await gateCard(page, "Approve the plan?");
    await expect.poll(() => list.locator(".thread-row").first().textContent()).toContain("Ask me first");
    await list.getByLabel("Search threads").fill("greetings");
    await expect.poll(rows).toBe(1);
    await list.locator(".thread-row").click();
    await expect.poll(() => threadIn(page)).toBe(thread);
  });
});
