// Plays a first visit with the demo model: opens the page, starts an example and approves every gate.
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createDemoModel } from "../../src/adapters/model-demo/model-demo.ts";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import type { TestServer } from "../support/server.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";
import { button, inConversation, threadIn, waitForDelivery } from "./page-actions.ts";

const GATES_MAX = 6;

/** Approves every gate and picks the first choice of every question until the run ends. Returns the gate titles. */
async function approveAll(page: Page): Promise<readonly string[]> {
  const titles: string[] = [];
  const end = page.locator(".run-end");
  const approve = page.locator(".gate .button.primary:not([type=submit]), .gate .choices .button").first();
  for (let i = 0; i <= GATES_MAX; i++) {
    await end.or(approve).first().waitFor();
    if ((await end.count()) > 0) break;
    titles.push((await page.locator("#gate-title").textContent()) ?? "");
    const seen = await page.locator(".turn").count();
    await approve.click();
    await page.waitForFunction((before) => document.querySelectorAll(".turns > .turn").length > before, seen);
  }
  return titles;
}

describeInBrowser("first visit with the demo model", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();
  const visit = async (): Promise<Page> => {
    const model = createDemoModel();
    server = await startConsoleServer(files, { script: [], demo: true, runtime: { pickModel: () => model } });
    const page = await open(server.url);
    await page.getByText("Demo model.").waitFor();
    return page;
  };

  test("each gate receives the keyboard focus", async () => {
    const page = await visit();
    await button(page, "Move the essay outline to Thursday of week 1").focus();
    await page.keyboard.press("Enter");
    for (const [title, label] of [
      ["Approve the plan?", "Approve the plan"],
      ["Approve this call?", "Approve"],
    ] as const) {
      await page.getByRole("heading", { name: title }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(title);
      for (
        let i = 0;
        i < 10 && !(await button(page, label).evaluate((element) => element === document.activeElement));
        i++
      )
        await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
    }
    await waitForDelivery(page);
  });

  test.each([
    ["Move the essay outline to Thursday of week 1", ["Approve the plan?", "Approve this call?"]],
    [
      "Find time for the lab report draft and place it",
      ["Approve the plan?", "A question for you", "Approve this call?"],
    ],
    ["Spread the tasks of week 1 more evenly", ["Approve the plan?", "Approve this call?"]],
    ["What is on Monday of week 1?", []],
  ])("“%s” is delivered after all approvals", async (example, gates) => {
    const page = await visit();
    await button(page, example).click();
    expect(await approveAll(page)).toEqual(gates);
    await waitForDelivery(page);
    const read = await server.client().get(threadIn(page));
    expect(read).toMatchObject({ ok: true, value: { thread: { outcome: "completed", evidence: "proven" } } });
  });

  test("a false “done” is caught, and its turn shows the correction", async () => {
    const page = await visit();
    await button(page, "See a false “done” get caught").click();
    await approveAll(page);
    await waitForDelivery(page);
    const records = await server
      .client()
      .call<{ records: { turn: number; corrections: { code: string }[] }[] }>(
        "GET",
        `/v1/threads/${threadIn(page)}/turns?limit=100`,
      );
    if (!records.ok) throw new Error(records.problem.message);
    const caught = records.value.records.find((record) => record.corrections.length > 0);
    expect(caught?.corrections[0]?.code).toBe("decision_refused");
    const turn = page.locator(`#turn-${caught?.turn}`);
    await turn.locator(".turn-disclosure > summary").click();
    await turn.getByText("Corrections before acceptance").waitFor();
    await expect.poll(() => turn.locator(".corrections").textContent()).toContain("decision_refused");
  });

  test("the next run of the same thread can undo the change", async () => {
    const page = await visit();
    await button(page, "Move the essay outline to Thursday of week 1").click();
    await approveAll(page);
    await waitForDelivery(page);
    await page.getByLabel("Next goal").fill("Undo the last change");
    await button(page, "Send").click();
    await page.locator(".gate").waitFor();
    await button(page, "Approve the plan").click();
    await page.getByRole("heading", { name: "Approve this call?" }).waitFor();
    await expect.poll(() => page.locator(".gate .change-list").textContent()).toContain("to Mon Sep 7, slots 9 to 10");
    await button(page, "Approve").click();
    await inConversation(page, "Run 2: delivered").waitFor();
    await page.getByRole("tab", { name: "Turns" }).click();
    for (const run of [1, 2]) await page.getByLabel(`Compare run ${run}`).check();
    const columns = page.locator(".compare > section");
    await expect.poll(() => columns.count()).toBe(2);
    await expect.poll(() => columns.nth(0).textContent()).toContain("Move the essay outline");
    await expect.poll(() => columns.nth(1).textContent()).toContain("Undo the last change");
  });
});
