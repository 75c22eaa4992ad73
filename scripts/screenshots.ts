// Takes ten screenshots of the console in each look (light, dark and phone, in English and Chinese) with the real host
// and the demo model. All are written to dist/screenshots; some are also images of the documentation. Run it after
// changing the console.
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { createClient } from "../src/client/client.ts";
import { type Language, setLanguage, t } from "../src/console/messages/messages.ts";
import { withDemoHost } from "./demo-host.ts";

const root = join(import.meta.dirname, "..");
const images = join(root, "docs/images");
/** The folder of all screens in all looks, for developers who review a change. It is not committed. */
const review = join(root, "dist/screenshots");
const BYTES_MAX = 200_000;

async function capture(page: Page, path: string): Promise<void> {
  // Wait until fonts, transitions and the first poll of the list have settled.
  await page.waitForTimeout(600);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > BYTES_MAX) throw new Error(`${path} has ${size} bytes, more than ${BYTES_MAX}`);
  console.log(`${relative(root, path)} ${Math.round(size / 1000)} kB`);
}

const clickButton = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

type Look = {
  readonly name: string;
  readonly language: Language;
  readonly options: BrowserContextOptions;
};

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const ENGLISH: readonly Look[] = [
  { name: "light", language: "en", options: { viewport: WIDE, colorScheme: "light", locale: "en-US" } },
  { name: "dark", language: "en", options: { viewport: WIDE, colorScheme: "dark", locale: "en-US" } },
  {
    name: "phone",
    language: "en",
    options: { viewport: PHONE, colorScheme: "light", locale: "en-US", hasTouch: true },
  },
];
const CHINESE = ENGLISH.map(
  ({ name, options }): Look => ({ name: `chinese-${name}`, language: "zh", options: { ...options, locale: "zh-CN" } }),
);

async function takeScreens(browser: Browser, url: string, { name: look, language, options }: Look): Promise<void> {
  await setLanguage(language);
  const page = await browser.newPage(options);
  page.setDefaultTimeout(20_000);
  const isPhone = options.viewport === PHONE;
  const shoot = async (screen: string, image: string | null = null): Promise<void> => {
    await capture(page, join(review, `${screen}-${look}.png`));
    if (image) copyFileSync(join(review, `${screen}-${look}.png`), join(images, `${image}.png`));
  };
  const only = (wanted: string, image: string): string | null => (look === wanted ? image : null);
  const openTab = async (label: string): Promise<void> => {
    await page.getByRole("tab", { name: label, exact: true }).click();
    await page.getByRole("tabpanel", { name: label, exact: true }).waitFor();
  };
  await page.goto(url);
  await page.getByText(t().demo.name).waitFor();
  await shoot("1-home", only("light", "console-first-visit"));
  await clickButton(page, t().home.examples[0] ?? "");
  await clickButton(page, t().gates.approvePlan);
  await page.getByRole("heading", { name: t().gates.titles.confirmation }).waitFor();
  await shoot("2-approve", only("light", "console-approve"));
  await page.getByLabel(t().composer.message, { exact: true }).fill(t().gates.callHint);
  await page.getByLabel(t().composer.message, { exact: true }).press("Enter");
  await shoot("3-message-at-gate");
  await page.keyboard.press("Escape");
  await page.getByLabel(t().composer.message, { exact: true }).fill("");
  await clickButton(page, t().gates.approve);
  await page.locator(".run-end").waitFor();
  await shoot("4-delivered", only("phone", "console-phone"));
  if (!isPhone) await page.locator("#turn-3 .turn-disclosure > summary").click();
  await openTab(t().panels.state);
  await shoot("5-state", only("light", "console-turn"));
  await openTab(t().panels.schedule);
  await shoot("6-schedule", only("dark", "console-dark"));
  await page.goto(`${url}/#/schedules`);
  await page.getByText(t().schedules.form.title).click();
  await page.locator(".schedule-preview li").first().waitFor();
  await shoot("7-schedules");
  await page.goto(`${url}/#/`);
  await page.getByLabel(t().home.approvePlan).check();
  await clickButton(page, t().home.examples[1] ?? "");
  await page.getByRole("heading", { name: t().gates.titles.question }).waitFor();
  await shoot("8-question", only("light", "console-background"));
  await page.goto(`${url}/#/calendar`);
  await page.locator(".time-block").first().waitFor();
  await shoot("9-calendar", { light: "calendar-week", dark: "calendar-dark", phone: "calendar-phone" }[look] ?? null);
  await page.goto(`${url}/#/threads/${await proposeMove(url)}`);
  await clickButton(page, t().composer.continue);
  await page.locator(".block-arrives").first().waitFor();
  await page.locator(".event-change").scrollIntoViewIfNeeded();
  await shoot("10-calendar-gate", only("light", "calendar-gate"));
  await page.close();
}

async function proposeMove(url: string): Promise<string> {
  const client = createClient(url);
  const created = await client.create({
    goal: "Move the dentist to 13:00",
    mode: "direct",
    agent: "planner",
  });
  if (!created.ok) throw new Error(created.problem.message);
  return created.value.thread.id;
}

for (const folder of [images, review]) mkdirSync(folder, { recursive: true });
await withDemoHost(async (browser, url) => {
  for (const look of [...ENGLISH, ...CHINESE]) await takeScreens(browser, url, look);
});
