// Measures the list of ten thousand threads in Chromium with a CPU slowed down four times: the first rows, scrolling to the
// end, changes while it is scrolled down, search and filters. CPU time is that of the page's main thread, slowed down as well.
import type { CDPSession, Page } from "playwright-core";
import { LOCAL_TENANT } from "../src/schema/ids.ts";
import { createThread } from "../src/threads/create.ts";
import { unwrap } from "../test/support/runtime.ts";
import type { TestServer } from "../test/support/server.ts";

const THREADS = 10_000;
/** Every hundredth waits for a person. */
const WAITING_EVERY = 100;
const LIMIT_MS = 200;

export async function createThreads(server: TestServer): Promise<void> {
  const client = server.client();
  for (let n = 0; n < THREADS; n++) {
    const input = { goal: `Water plant number ${n}` };
    const created = unwrap(await createThread(server.rt, { tenant: LOCAL_TENANT, actor: "bench", input, key: null }));
    if (n % WAITING_EVERY === 0) unwrap(await client.advance(created.outcome.thread.id));
  }
}

export async function measureThreads(page: Page, server: TestServer): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await watchTasks(page);
  const started = Date.now();
  await page.goto(server.url);
  await page.locator(".thread-row").first().waitFor();
  console.log(`${THREADS} threads: first rows after ${Date.now() - started} ms`);
  const list = page.locator(".thread-groups");
  const toEnd = () => list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const report = reporter(page, devtools);
  await report("scroll, first pages", 10, toEnd);
  await loadAll(page, toEnd);
  await report("scroll, all pages loaded", 10, async (n) => {
    await list.evaluate((element, to) => element.scrollTo(0, to), 500_000 - n * 40_000);
  });
  const upper = () =>
    list.evaluate((element) => {
      const top = element.getBoundingClientRect().top;
      const row = [...element.querySelectorAll(".thread-row")].find((one) => one.getBoundingClientRect().top > top);
      return [row?.getAttribute("href"), Math.round(row?.getBoundingClientRect().top ?? 0)].join(" at ");
    });
  const before = await upper();
  const client = server.client();
  await report("three new threads", 1, async () => {
    for (let n = 0; n < 3; n++) unwrap(await client.create({ goal: `New plant ${n}` }));
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.waitForTimeout(2000);
  });
  console.log(`the row at the upper edge ${before === (await upper()) ? "stayed" : "moved"} while threads were added`);
  const search = page.getByLabel("Search threads");
  await report("search (old thread)", 1, async () => {
    await search.pressSequentially("number 77");
    await page.waitForTimeout(1500);
  });
  await report("filter by state", 1, async () => {
    await search.fill("");
    await page.getByLabel("State", { exact: true }).selectOption({ label: "Waiting for you" });
    await page.waitForTimeout(1500);
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

const watchTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    const note = (list: PerformanceObserverEntryList): void => {
      for (const entry of list.getEntries()) tasks.push(entry.duration);
    };
    new PerformanceObserver(note).observe({ type: "longtask", buffered: true });
    new PerformanceObserver(note).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });

function reporter(page: Page, devtools: CDPSession) {
  const cpu = async (): Promise<number> => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const longest = (): Promise<number> =>
    page.evaluate(() => Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks.splice(0)));
  return async (name: string, times: number, act: (n: number) => Promise<unknown>): Promise<void> => {
    await longest();
    const before = await cpu();
    for (let n = 0; n < times; n++) {
      await act(n);
      await page.waitForTimeout(150);
    }
    const spent = (await cpu()) - before;
    const worst = await longest();
    const note = worst > LIMIT_MS ? "  over the limit" : "";
    console.log(
      `${name.padEnd(28)} ${(spent / times).toFixed(0).padStart(5)} ms CPU each, longest task or interaction ${worst.toFixed(0)} ms${note}`,
    );
  };
}
