// Measures the console in Chromium with a CPU slowed down four times: opening a thread of a thousand turns, the time from an
// interaction to the next paint, and a list of ten thousand threads.
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../scripts/chromium.ts";
import type { ScriptEntry } from "../src/adapters/model-scripted.ts";
import { buildPage, startConsoleServer } from "../test/console/console-server.ts";
import { PLAN } from "../test/console/story-script.ts";
import { unwrap } from "../test/support/runtime.ts";
import { createThreads, measureThreads } from "./console-threads.ts";

const TURNS = 1000;
const SLOWDOWN = 4;
const LIMIT_MS = 200;

/** Each plan waits for its approval. */
function* plans(): Generator<ScriptEntry> {
  for (;;) yield PLAN;
}

function* replies(): Generator<ScriptEntry> {
  for (let n = 0; ; n++)
    yield {
      action: "continue",
      speak: `Looking at day ${(n % 14) + 1} again.`,
      tool_call: { name: "query_range", arguments: { day: (n % 14) + 1 } },
    };
}

export async function run(): Promise<void> {
  const path = findChromium();
  if (path === null) throw new Error("Chromium is not installed: run apt-get install chromium, or set CHROMIUM_PATH.");
  const files = await buildPage();
  const size = files.reduce((sum, { body }) => sum + gzipSync(body, { level: 9 }).length, 0);
  console.log(`console, compressed: ${(size / 1000).toFixed(1)} kB`);
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const one = await startConsoleServer(files, { script: replies() });
    const client = one.client();
    const { thread } = unwrap(await client.create({ goal: "Look", mode: "direct", budget: { turns: 10_000 } }));
    for (let i = 0; i < TURNS; i++) unwrap(await client.advance(thread.id));
    await measure(await slowPage(browser), `${one.url}/#/threads/${thread.id}`);
    await one.stop();
    const many = await startConsoleServer(files, { script: plans() });
    await createThreads(many);
    await measureThreads(await slowPage(browser), many);
    await many.stop();
  } finally {
    await browser.close();
  }
}

async function slowPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  return page;
}

async function measure(page: Page, url: string): Promise<void> {
  let recordRequests = 0;
  page.on("request", (request) => {
    if (/\/turns\?/.test(request.url())) recordRequests++;
  });
  const started = Date.now();
  await page.goto(url);
  await page.locator(`#turn-${TURNS}`).waitFor();
  console.log(`thread of ${TURNS} turns opened: ${Date.now() - started} ms, ${recordRequests} request(s) for records`);
  await page.evaluate(() => {
    const durations: number[] = [];
    Object.assign(globalThis, { durations });
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) durations.push(entry.duration);
    });
    observer.observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  const slowest = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    await page.evaluate(() => (globalThis as unknown as { durations: number[] }).durations.splice(0));
    await act();
    await page.waitForTimeout(600);
    const all = await page.evaluate(() => (globalThis as unknown as { durations: number[] }).durations);
    const worst = Math.max(0, ...all);
    console.log(`${name.padEnd(28)} ${String(worst).padStart(5)} ms${worst > LIMIT_MS ? "  over the limit" : ""}`);
  };
  await slowest("type a message", () => page.getByLabel("Message", { exact: true }).pressSequentially("Hello there"));
  for (const name of ["Turns", "State", "Tools", "Usage", "Plan"])
    await slowest(`open the panel ${name}`, () => page.getByRole("tab", { name }).click());
  await slowest("expand a turn", () => page.locator(`#turn-${TURNS} summary`).last().click());
  await slowest("show earlier turns", () => page.getByRole("button", { name: "Show earlier turns" }).click());
  await slowest("open the palette", () => page.keyboard.press("Control+k"));
  await slowest("search in the palette", () => page.keyboard.type("look"));
}
