// A real browser for the tests of the console: Debian's Chromium, one page per test, and nothing it complains about unseen.
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { findChromium } from "../../scripts/chromium.ts";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const WIDE = { width: 1360, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Without a browser the tests are left out, except in CI, where they fail instead. */
const path = findChromium();
const missing = path === null && process.env.CI !== "true";
if (missing)
  console.log("No chromium here (apt-get install chromium, or set CHROMIUM_PATH): browser tests are left out.");
export const describeInBrowser = missing ? describe.skip : describe;

export type PageOptions = {
  readonly viewport?: { width: number; height: number };
  readonly colorScheme?: "light" | "dark";
  /** Complaints that belong to the test. */
  readonly expected?: RegExp;
};

/**
 * Opens pages; closes all of them after each test and fails it for any error or refused resource in one of them. Asked
 * for after the hook that stops the server, it closes the pages first: hooks run from the last to the first.
 */
export function useBrowser(): (url: string, options?: PageOptions) => Promise<Page> {
  let browser: Browser | null = null;
  let consoleErrors: string[] = [];
  const pages: Page[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: path ?? "/usr/bin/chromium", args: FLAGS });
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close();
    const reported = consoleErrors;
    consoleErrors = [];
    expect(reported).toEqual([]);
  });
  afterAll(async () => browser?.close());
  return async (url, options = {}) => {
    if (!browser) throw new Error("the browser is not there yet");
    const page = await browser.newPage({ viewport: WIDE, ...options });
    pages.push(page);
    page.setDefaultTimeout(30_000);
    const reportError = (text: string): void => {
      if (!options.expected?.test(text)) consoleErrors.push(text);
    };
    page.on("pageerror", (error) => reportError(error.stack ?? String(error)));
    page.on("console", (message) => {
      // Refused scripts and styles, and answers of the server that were not ok.
      if (message.type() === "error") reportError(message.text());
    });
    await page.goto(url);
    return page;
  };
}
