// Runs the console tests in a real Chromium, one page per test. Errors in the browser console fail the test.
import { type Browser, chromium, type Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect } from "vitest";
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

/** The path of the browser. Without one the tests are skipped, except in CI, where they fail. */
const path = findChromium();
const missing = path === null && process.env.CI !== "true";
if (missing)
  console.log("Chromium was not found (apt-get install chromium, or set CHROMIUM_PATH): browser tests are skipped.");
export const describeInBrowser = missing ? describe.skip : describe;

export type PageOptions = {
  readonly viewport?: { width: number; height: number };
  readonly colorScheme?: "light" | "dark";
  /** The language of the browser. The default is English. */
  readonly locale?: string;
  /** Console errors that the test expects. */
  readonly expected?: RegExp;
};

let launched: Promise<Browser> | null = null;

/** Launches one browser for all test files of a process. It ends with the process. */
function launchOnce(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: path ?? "/usr/bin/chromium", args: FLAGS });
  return launched;
}

/**
 * Opens pages, closes them after each test, and fails the test on any unexpected console error. Call it after
 * registering the hook that stops the server: hooks run in reverse order, so the pages close first.
 */
export function useBrowser(): (url: string, options?: PageOptions) => Promise<Page> {
  let browser: Browser | null = null;
  let consoleErrors: string[] = [];
  const pages: Page[] = [];
  beforeAll(async () => {
    browser = await launchOnce();
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close();
    const reported = consoleErrors;
    consoleErrors = [];
    expect(reported).toEqual([]);
  });
  return async (url, options = {}) => {
    if (!browser) throw new Error("the browser has not started yet");
    const page = await browser.newPage({ viewport: WIDE, ...options });
    pages.push(page);
    page.setDefaultTimeout(30_000);
    const reportError = (text: string): void => {
      if (!options.expected?.test(text)) consoleErrors.push(text);
    };
    page.on("pageerror", (error) => reportError(error.stack ?? String(error)));
    page.on("console", (message) => {
      // Errors include blocked scripts and styles, and failed HTTP responses.
      if (message.type() === "error") reportError(message.text());
    });
    await page.addInitScript(reportMovedElements);
    await page.goto(url);
    return page;
  };
}

/**
 * Runs in the page and reports elements that a rendering removes and inserts again, because they lose their focus,
 * selection and scroll position.
 */
function reportMovedElements(): void {
  const fields = "button, input, select, textarea";
  new MutationObserver((changes) => {
    const removed = new Set(changes.flatMap(({ removedNodes }) => [...removedNodes]));
    // List entries may change their order.
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (removed.has(node) && node instanceof HTMLElement && node.localName !== "li")
        if (node.matches(fields) || node.querySelector(fields))
          console.error(`taken out and put back: ${node.outerHTML.slice(0, 200)}`);
  }).observe(document, { childList: true, subtree: true });
}
