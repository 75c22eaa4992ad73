// Takes the screenshots of docs/images with the real host, its demo model and a browser. Run it after changing the
// console.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { buildConsole } from "./build-console.ts";
import { findChromium } from "./chromium.ts";

const root = join(import.meta.dirname, "..");
const images = join(root, "docs/images");
const BYTES_MAX = 200_000;
const GOAL = "Move the essay outline to Thursday of week 1";

async function startHost(data: string): Promise<{ host: ChildProcess; url: string }> {
  const env = { ...process.env, PORT: "0", PAWL_DATA: data, PAWL_MODEL: "", PAWL_API_KEYS: "" };
  const host = spawn(process.execPath, [join(root, "src/hosts/node/node.ts")], { cwd: data, env });
  let output = "";
  for await (const chunk of host.stdout ?? []) {
    output += String(chunk);
    const url = /Pawl listens on (\S+)/.exec(output)?.[1];
    if (url) return { host, url };
  }
  throw new Error(`The host did not start: ${output}`);
}

async function capture(page: Page, name: string): Promise<void> {
  // Wait until fonts, transitions and the first poll of the list have settled.
  await page.waitForTimeout(600);
  const path = join(images, `${name}.png`);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > BYTES_MAX) throw new Error(`${name}.png has ${size} bytes, more than ${BYTES_MAX}`);
  console.log(`docs/images/${name}.png ${Math.round(size / 1000)} kB`);
}

const clickButton = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

async function run(browser: Browser, url: string): Promise<void> {
  const wide = { viewport: { width: 1280, height: 860 }, colorScheme: "light" } as const;
  const page = await browser.newPage(wide);
  await page.goto(url);
  await page.getByText("Demo model.").waitFor();
  await capture(page, "console-first-visit");
  await clickButton(page, GOAL);
  await clickButton(page, "Approve the plan");
  await page.getByRole("heading", { name: "Approve this call?" }).waitFor();
  await page.getByRole("tab", { name: "Plan" }).click();
  await capture(page, "console-approve");
  const threadUrl = page.url();
  await clickButton(page, "Approve");
  await page.getByText("Run 1: delivered").waitFor();
  await page.locator("#turn-3 .turn-disclosure > summary").click();
  await page.locator("#turn-3").scrollIntoViewIfNeeded();
  await page.getByRole("tab", { name: "State" }).click();
  await capture(page, "console-turn");

  const dark = await browser.newPage({ ...wide, colorScheme: "dark" });
  await dark.goto(threadUrl);
  await dark.getByText("Run 1: delivered").waitFor();
  await dark.getByRole("tab", { name: "Schedule" }).click();
  await capture(dark, "console-dark");

  const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: "light" });
  await phone.goto(threadUrl);
  await phone.getByText("Run 1: delivered").waitFor();
  await phone.getByRole("tab", { name: "Plan" }).click();
  await capture(phone, "console-phone");

  await page.goto(`${url}/#/`);
  await page.getByLabel("Approve the plan automatically").check();
  await page.getByLabel("Run in the background").check();
  await clickButton(page, "Find time for the lab report draft and place it");
  await page.getByRole("heading", { name: "A question for you" }).waitFor();
  await page.getByText("Waiting for you. It continues").waitFor();
  await capture(page, "console-background");
}

const path = findChromium();
if (path === null) {
  console.error("Chromium is not installed: run apt-get install chromium, or set CHROMIUM_PATH.");
  process.exit(1);
}
const data = mkdtempSync(join(tmpdir(), "pawl-screenshots-"));
mkdirSync(images, { recursive: true });
await buildConsole(join(root, "dist/console"));
const { host, url } = await startHost(data);
const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
try {
  await run(browser, url);
} finally {
  await browser.close();
  host.kill("SIGTERM");
  rmSync(data, { recursive: true, force: true });
}
