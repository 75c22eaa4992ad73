// Tests the panels of a long thread in a browser: a click is answered before the panel is rendered, and rows are added
// step by step.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { unwrap } from "../support/runtime.ts";
import type { TestServer } from "../support/server.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { buildPage, startConsoleServer } from "./console-server.ts";
import { openPanel, tab } from "./page-actions.ts";

const TURNS = 58;

function* looks(): Generator<ScriptEntry> {
  for (let n = 0; ; n++)
    yield {
      action: "continue",
      speak: `Looking at day ${n}.`,
      tool_call: { name: "query_range", arguments: { day: (n % 14) + 1 } },
    };
}

describeInBrowser("panels of a long thread", () => {
  let server: TestServer;
  let address: string;
  beforeAll(async () => {
    server = await startConsoleServer(await buildPage(), { script: looks() });
    const client = server.client();
    const { thread } = unwrap(await client.create({ goal: "Look", mode: "direct", budget: { turns: 100 } }));
    for (let n = 0; n < TURNS; n++) unwrap(await client.advance(thread.id));
    address = `${server.url}/#/threads/${thread.id}`;
  });
  afterAll(() => server.stop());
  const open = useBrowser();

  test("the tab is selected before its panel is rendered", async () => {
    const page = await open(address);
    await page.locator(`#turn-${TURNS}`).waitFor();
    const atPaint = await tab(page, "Turns").evaluate((element: HTMLElement) => {
      element.click();
      const state = () => [element.ariaSelected, document.querySelector(".panel")?.getAttribute("aria-labelledby")];
      return new Promise((resolve) => requestAnimationFrame(() => resolve(state())));
    });
    expect(atPaint).toEqual(["true", "tab-plan"]);
    await page.getByRole("tabpanel", { name: "Turns", exact: true }).waitFor();
  });

  test.each([
    ["Turns", ".turn-time", TURNS + 1],
    ["Tools", ".timeline-row", TURNS],
  ])("the panel %s shows 25 rows and adds as many at a time, beginning with the newest", async (name, row, all) => {
    const page = await open(address);
    await page.locator(`#turn-${TURNS}`).waitFor();
    await openPanel(page, name);
    const panel = page.getByRole("tabpanel");
    const more = panel.getByRole("button", { name: "Show earlier turns" });
    for (const shown of [25, 50, all]) {
      await expect.poll(() => panel.locator(row).count()).toBe(shown);
      expect(
        await panel
          .locator(row)
          .filter({ hasText: `Turn ${TURNS}` })
          .count(),
      ).toBe(1);
      if (shown < all) await more.click();
    }
    expect(await more.count()).toBe(0);
  });
});
