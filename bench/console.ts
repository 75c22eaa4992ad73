// Measures the console in Chromium with a CPU slowed down four times: opening a thread of a thousand turns, the time
// from an interaction to the next paint, and a list of ten thousand threads. Interactions are repeated in rounds and
// the median is reported, because other programs on the machine delay some of them.
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findChromium } from "../scripts/chromium.ts";
import type { ScriptEntry } from "../src/adapters/model-scripted.ts";
import { buildPage, startConsoleServer } from "../test/console/console-server.ts";
import { PLAN } from "../test/console/story-script.ts";
import { unwrap } from "../test/support/runtime.ts";
import { createThreads, measureThreads } from "./console-threads.ts";
import { openSlowPage, type SlowPage } from "./page-timing.ts";

const TURNS = 1000;
const ROUNDS = 5;
/** Matches scripts that only users of other languages load. */
const OTHER_LANGUAGES = /-zh\.js$/;

/** Yields plans, each of which waits for its approval. */
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
  const first = files.filter(({ path }) => !OTHER_LANGUAGES.test(path));
  const size = first.reduce((sum, { body }) => sum + gzipSync(body, { level: 9 }).length, 0);
  console.log(`first paint, compressed: ${(size / 1000).toFixed(1)} kB`);
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const one = await startConsoleServer(files, { script: replies() });
    const client = one.client();
    const { thread } = unwrap(await client.create({ goal: "Look", mode: "direct", budget: { turns: 10_000 } }));
    for (let i = 0; i < TURNS; i++) unwrap(await client.advance(thread.id));
    await measure(await openSlowPage(browser), `${one.url}/#/threads/${thread.id}`);
    await one.stop();
    const many = await startConsoleServer(files, { script: plans() });
    await createThreads(many);
    const list = await openSlowPage(browser);
    await measureThreads(list, many);
    list.printTimes();
    await many.stop();
  } finally {
    await browser.close();
  }
}

async function measure(slow: SlowPage, url: string): Promise<void> {
  const { page } = slow;
  let recordRequests = 0;
  page.on("request", (request) => {
    if (/\/turns\?/.test(request.url())) recordRequests++;
  });
  const started = Date.now();
  await page.goto(url);
  await page.locator(`#turn-${TURNS}`).waitFor();
  console.log(`thread of ${TURNS} turns opened: ${Date.now() - started} ms, ${recordRequests} request(s) for records`);
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(url);
    await page.locator(`#turn-${TURNS}`).waitFor();
    // Work that the page still does after it is shown must not count towards an interaction.
    await page.waitForTimeout(1500);
    await useThread(slow);
  }
  slow.printTimes();
}

async function useThread({ page, report }: SlowPage): Promise<void> {
  await report("type a message", () => page.getByLabel("Message", { exact: true }).pressSequentially("Hello there"));
  for (const name of ["Turns", "State", "Tools", "Usage", "Plan"])
    await report(`open the panel ${name}`, () => page.getByRole("tab", { name }).click());
  await report("expand a turn", () => page.locator(`#turn-${TURNS} summary`).last().click());
  await report("show earlier turns", () => page.getByRole("button", { name: "Show earlier turns" }).click());
  await report("open the menu", () => page.getByLabel("More actions").click());
  await report("rename", () => page.getByRole("button", { name: "Rename" }).click());
  await report("close the form", () => page.keyboard.press("Escape"));
  await report("open the palette", () => page.keyboard.press("Control+k"));
  await report("search in the palette", () => page.keyboard.type("look"));
  await report("close the palette", () => page.keyboard.press("Escape"));
  for (const name of ["Inbox", "Calendar", "Schedules", "Tools", "Runs", "Agents", "Webhooks"])
    await report(`open the page ${name}`, () => page.getByRole("link", { name, exact: true }).click());
}
