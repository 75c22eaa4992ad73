// Tests the calendar page in the browser: real times, moves that are only proposed, and calendars from files.
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createDemoModel } from "../../src/adapters/model-demo/model-demo.ts";
import { aboutRoutes } from "../../src/http/routes/about.ts";
import { type ConsoleFile, consoleFileRoutes } from "../../src/http/routes/console-page.ts";
import { toolkitRoutes } from "../../src/http/toolkit-route.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { time } from "../../src/toolkits/basics/time.ts";
import { calendar } from "../../src/toolkits/calendar/toolkit.ts";
import { timetable } from "../../src/toolkits/timetable/toolkit.ts";
import { plugToolkits } from "../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { unwrap } from "../support/runtime.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { horizontalOverflow, seriousViolations } from "./accessibility.ts";
import { describeInBrowser, PHONE, useBrowser } from "./browser.ts";
import { buildPage } from "./console-server.ts";

const ZONE = "Europe/Berlin";
const HOUR_PX = 44;

describeInBrowser("the calendar page", () => {
  let files: readonly ConsoleFile[];
  let server: TestServer;
  beforeAll(async () => {
    files = await buildPage();
  });
  afterEach(() => server.stop());
  const open = useBrowser();

  /** Starts a server with the demo model. `sample` adds the working week of the first start. */
  async function start({ sample = true } = {}): Promise<void> {
    const toolbox = createToolbox([time]);
    const parts = { clock: systemClock, documents: createMemoryDocuments() };
    const plugged = unwrap(plugToolkits(toolbox, [calendar, timetable], parts));
    if (sample) unwrap(await plugged.sample({ tenant: LOCAL_TENANT, now: Date.now(), time_zone: ZONE }));
    const model = createDemoModel();
    server = await startTestServer({
      script: [],
      runtime: { toolbox, companions: plugged.companions, worker: { running: false }, pickModel: () => model },
      routes: [
        ...consoleFileRoutes(files),
        ...aboutRoutes({ model: "demo", demo: true, data: "memory" }),
        ...toolkitRoutes(plugged.routes),
      ],
    });
  }

  type Listed = { readonly title: string; readonly start: string };
  async function dentist(): Promise<string> {
    const { calendars } = unwrap(await server.client().call<{ calendars: { id: string }[] }>("GET", "/v1/calendars"));
    const from = new Date(Date.now() - 8 * 86_400_000).toISOString().slice(0, 10);
    const to = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10);
    const path = `/v1/calendars/${calendars[0]?.id}/events?from=${from}&to=${to}`;
    const { events } = unwrap(await server.client().call<{ events: Listed[] }>("GET", path));
    return events.find(({ title }) => title === "Dentist")?.start ?? "";
  }

  async function approveMove(page: Page): Promise<void> {
    const gate = page.locator(".gate");
    await gate.getByText('Move "Dentist"').first().waitFor();
    await gate.getByRole("button", { name: "Approve", exact: true }).click();
    await page.locator(".run-end").waitFor();
  }

  test("shows a week, and a dragged event moves only after its gate is approved", async () => {
    await start();
    const page = await open(`${server.url}/#/calendar`);
    const block = page.locator(".time-block", { hasText: "Dentist" });
    await block.waitFor();
    expect(await block.textContent()).toContain("10:00–11:00");
    expect(await page.locator(".time-block", { hasText: "Stand-up" }).count()).toBe(5);
    expect(await seriousViolations(page)).toEqual([]);
    const before = await dentist();
    const box = await block.boundingBox();
    if (!box) throw new Error("the event is not visible");
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 10 + HOUR_PX, { steps: 4 });
    await page.mouse.move(box.x + 20, box.y + 10 + 2 * HOUR_PX, { steps: 4 });
    await page.mouse.up();
    const gate = page.locator(".gate");
    await gate.locator(".block-arrives", { hasText: "Dentist" }).waitFor();
    expect(await gate.locator(".block-leaves").textContent()).toContain("10:00 Dentist");
    expect(await gate.locator(".block-arrives").textContent()).toContain("12:00 Dentist");
    expect(await seriousViolations(page)).toEqual([]);
    await gate.getByRole("button", { name: "Edit arguments" }).click();
    const field = gate.getByLabel("Arguments as JSON");
    const proposed = await field.inputValue();
    const at = (clock: string, more = "") => proposed.replace('T12:00"', `T${clock}"${more}`);
    await field.fill(at("09:30"));
    await gate.getByText("would reject this").waitFor();
    await field.fill(at("09:30", ', "if_busy": "allow"'));
    await gate.locator(".block-conflict", { hasText: "09:30 Dentist" }).waitFor();
    expect(await dentist()).toBe(before);
    await field.fill(proposed);
    await gate.locator(".block-arrives", { hasText: "12:00 Dentist" }).waitFor();
    await approveMove(page);
    expect(await dentist()).toBe(before.replace("T10:00", "T12:00"));
  });

  test("is what the examples of the home page work on", async () => {
    await start();
    const page = await open(server.url);
    await page.getByRole("button", { name: "Book a haircut tomorrow at 16:00 for 45 minutes" }).click();
    const gate = page.locator(".gate");
    for (const label of ["Approve the plan", "Approve"])
      await gate.getByRole("button", { name: label, exact: true }).click();
    await page.locator(".run-end").waitFor();
    await page.getByText('Created "Haircut"').first().waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });

  test("proposes a move by keyboard, on a phone, where it opens with one day", async () => {
    await start();
    const page = await open(`${server.url}/#/calendar`, { viewport: PHONE, colorScheme: "dark" });
    await page.locator(".day-head").waitFor();
    expect(await page.locator(".day-head").count()).toBe(1);
    expect(await horizontalOverflow(page)).toBe(0);
    const before = await dentist();
    // The page shows today, and the dentist is on Thursday of the same week.
    for (let day = 0; day < 14 && (await page.locator(".time-block", { hasText: "Dentist" }).count()) === 0; day += 1) {
      const shown = (await page.locator(".day-column").getAttribute("data-date")) ?? "";
      const direction = before.slice(0, 10) < shown ? "Earlier" : "Later";
      if (before.slice(0, 10) !== shown) await page.getByRole("button", { name: direction }).click();
      await page.locator(".time-block").first().waitFor();
    }
    await page.locator(".time-block", { hasText: "Dentist" }).press("Enter");
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel("New start").fill(`${before.slice(0, 10)}T13:30`);
    await page.getByRole("button", { name: "Propose the move" }).click();
    await approveMove(page);
    expect(await dentist()).toBe(before.replace("T10:00", "T13:30"));
  });

  test("creates a calendar, fills it from a file, shows the report, synchronizes and deletes it, in Chinese", async () => {
    await start({ sample: false });
    const page = await open(`${server.url}/#/calendar`, { locale: "zh-CN" });
    await page.getByText("还没有日历").waitFor();
    await page.getByText("新建、导入、订阅或连接").click();
    await page.getByLabel("名称").fill("工作");
    await page.getByLabel("时区").fill(ZONE);
    await page.getByRole("button", { name: "新建日历" }).click();
    const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a", `DTSTART;TZID=${ZONE}:${today}T140000`, "DURATION:PT1H"];
    const file = [...lines, "SUMMARY:评审", "END:VEVENT", "BEGIN:VJOURNAL", "UID:j", "END:VJOURNAL", "END:VCALENDAR"];
    await page.getByLabel("导入文件").setInputFiles({
      name: "team.ics",
      mimeType: "text/calendar",
      buffer: Buffer.from(file.join("\r\n")),
    });
    await page.getByText("已导入：1 个日程").waitFor();
    await page.getByText("1 × VJOURNAL").waitFor();
    await page.locator(".time-block", { hasText: "评审" }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "同步" }).click();
    await page.getByText("已同步：0 个条目有更改。").waitFor();
    await page.getByRole("button", { name: "删除日历" }).click();
    await page.getByRole("button", { name: "删除“工作”及其所有日程" }).click();
    await page.getByText("还没有日历").waitFor();
  });
});
