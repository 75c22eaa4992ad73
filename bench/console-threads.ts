// Measures the list of ten thousand threads in Chromium with a CPU slowed down four times: the first rows, scrolling to
// the end, changes while it is scrolled down, search, filters and the palette.
import type { Page } from "playwright-core";
import { LOCAL_TENANT } from "../src/schema/ids.ts";
import { createThread } from "../src/threads/create.ts";
import { unwrap } from "../test/support/runtime.ts";
import type { TestServer } from "../test/support/server.ts";
import type { SlowPage } from "./page-timing.ts";

const THREADS = 10_000;
/** Every hundredth thread waits for a user. */
const WAITING_EVERY = 100;

export async function createThreads(server: TestServer): Promise<void> {
  const client = server.client();
  for (let n = 0; n < THREADS; n++) {
    const input = { goal: `Water plant number ${n}` };
    const created = unwrap(await createThread(server.rt, { tenant: LOCAL_TENANT, actor: "bench", input, key: null }));
    if (n % WAITING_EVERY === 0) unwrap(await client.advance(created.outcome.thread.id));
  }
}

export async function measureThreads({ page, report }: SlowPage, server: TestServer): Promise<void> {
  const started = Date.now();
  await page.goto(server.url);
  await page.locator(".thread-row").first().waitFor();
  console.log(`${THREADS} threads: first rows after ${Date.now() - started} ms`);
  const list = page.locator(".thread-groups");
  const toEnd = () => list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await report("scroll, first pages", toEnd, 10);
  await loadAll(page, toEnd);
  await report(
    "scroll, all pages loaded",
    (n) => list.evaluate((element, to) => element.scrollTo(0, to), 500_000 - n * 40_000),
    10,
  );
  const upper = () =>
    list.evaluate((element) => {
      const top = element.getBoundingClientRect().top;
      const row = [...element.querySelectorAll(".thread-row")].find((one) => one.getBoundingClientRect().top > top);
      return [row?.getAttribute("href"), Math.round(row?.getBoundingClientRect().top ?? 0)].join(" at ");
    });
  const before = await upper();
  const client = server.client();
  await report("three new threads", async () => {
    for (let n = 0; n < 3; n++) unwrap(await client.create({ goal: `New plant ${n}` }));
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.waitForTimeout(2000);
  });
  console.log(`the row at the upper edge ${before === (await upper()) ? "stayed" : "moved"} while threads were added`);
  const search = page.getByLabel("Search threads");
  await report("search (old thread)", async () => {
    await search.pressSequentially("number 77");
    await page.waitForTimeout(1500);
  });
  await report("filter by state", async () => {
    await search.fill("");
    await page.getByLabel("State", { exact: true }).selectOption({ label: "Waiting for you" });
    await page.waitForTimeout(1500);
  });
  await page.getByLabel("State", { exact: true }).selectOption({ label: "All states" });
  await page.waitForTimeout(1500);
  for (let round = 0; round < 5; round++) {
    await report("open the palette", () => page.keyboard.press("Control+k"));
    await report("search in the palette", () => page.keyboard.type("number 4321"));
    await report("close the palette", () => page.keyboard.press("Escape"));
  }
  await report("open a thread of the list", () => page.locator(".thread-row").nth(2).click());
  await report("start a thread", async () => {
    await page.getByRole("link", { name: "New thread" }).click();
    await page.getByLabel("What should the agent do?").fill("Water the garden");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "Water the garden" }).waitFor();
  });
}

async function loadAll(page: Page, toEnd: () => Promise<void>): Promise<void> {
  const height = () => page.locator(".thread-groups").evaluate((element) => element.scrollHeight);
  let rest = 5;
  for (let last = 0; rest > 0; ) {
    await toEnd();
    await page.waitForTimeout(100);
    const now = await height();
    rest = now === last ? rest - 1 : 5;
    last = now;
  }
}
