// What a newcomer does: opens the page, presses an example, approves what asks for it. With the model that comes along.
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createDemoModel } from "../../src/adapters/model-demo/model-demo.ts";
import type { ConsoleFile } from "../../src/http/routes/console-page.ts";
import type { TestServer } from "../support/server.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";
import { button, inConversation, threadIn, waitForDelivery } from "./page-actions.ts";

const GATES_MAX = 6;

/** Says yes to everything, the first choice to every question, until the run is over; gives the titles of the gates. */
async function sayYes(page: Page): Promise<readonly string[]> {
  const titles: string[] = [];
  const end = page.locator(".run-end");
  const yes = page.locator(".gate .button.primary:not([type=submit]), .gate .choices .button").first();
  for (let i = 0; i <= GATES_MAX; i++) {
    await end.or(yes).first().waitFor();
    if ((await end.count()) > 0) break;
    titles.push((await page.locator("#gate-title").textContent()) ?? "");
    const seen = await page.locator(".turn").count();
    await yes.click();
    await page.waitForFunction((before) => document.querySelectorAll(".turns > .turn").length > before, seen);
  }
  return titles;
}

describeInBrowser("a newcomer with the demo model", () => {
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

  test("by keyboard alone each question is where the focus is", async () => {
    const page = await visit();
    await button(page, "Move the essay outline to Thursday of week 1").focus();
    await page.keyboard.press("Enter");
    for (const [title, yes] of [
      ["Approve the plan?", "Approve the plan"],
      ["Approve this call?", "Approve"],
    ] as const) {
      await page.getByRole("heading", { name: title }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(title);
      for (let i = 0; i < 10 && !(await button(page, yes).evaluate((one) => one === document.activeElement)); i++)
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
    ["What is on Monday of week 1?", ["Approve the plan?"]],
  ])("“%s” is delivered after saying yes", async (example, gates) => {
    const page = await visit();
    await button(page, example).click();
    expect(await sayYes(page)).toEqual(gates);
    await waitForDelivery(page);
    const read = await server.client().get(threadIn(page));
    expect(read).toMatchObject({ ok: true, value: { thread: { outcome: "completed", evidence: "proven" } } });
  });

  test("a false “done” is caught, and the turn that tried it shows the correction", async () => {
    const page = await visit();
    await button(page, "Watch a false “done” being caught").click();
    await sayYes(page);
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
    await turn.locator(".turn-fold > summary").click();
    await turn.getByText("Corrections before it was accepted").waitFor();
    await expect.poll(() => turn.locator(".corrections").textContent()).toContain("decision_refused");
  });

  test("what was done can be undone in the next run of the same thread", async () => {
    const page = await visit();
    await button(page, "Move the essay outline to Thursday of week 1").click();
    await sayYes(page);
    await waitForDelivery(page);
    await page.getByLabel("The next goal").fill("Undo the last change");
    await button(page, "Send").click();
    await page.locator(".gate").waitFor();
    await button(page, "Approve the plan").click();
    await page.getByRole("heading", { name: "Approve this call?" }).waitFor();
    await expect.poll(() => page.locator(".gate .change-list").textContent()).toContain("to Mon Sep 7, slots 9 to 10");
    await button(page, "Approve").click();
    await inConversation(page, "Run 2: delivered").waitFor();
  });
});
