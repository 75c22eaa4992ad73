// Times what a page does in Chromium with a CPU slowed down four times. Three columns: the CPU time of the page's main thread
// (slowed down as well), the time from an interaction until the main thread has painted, or the longest task after it, and
// until the frame was presented. Without a GPU Chromium often reports a presented frame only with the next one, and on a busy
// machine only the CPU time can be compared.
import type { Browser, Page } from "playwright-core";

const SLOWDOWN = 4;
const LIMIT_MS = 200;
/** Longer than a page needs to paint after an interaction. */
const SETTLE_MS = 500;

export type Report = (name: string, act: (n: number) => Promise<unknown>, times?: number) => Promise<void>;

type Times = { readonly painted: number[]; readonly presented: number[] };

export async function openSlowPage(browser: Browser): Promise<{ readonly page: Page; readonly report: Report }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.addInitScript(() => {
    const times: Times = { painted: [], presented: [] };
    Object.assign(globalThis, { times });
    const paint = new MessageChannel();
    let waiting: number[] = [];
    paint.port1.onmessage = () => {
      for (const at of waiting.splice(0)) times.painted.push(performance.now() - at);
    };
    for (const type of ["pointerdown", "click", "keydown", "input"])
      addEventListener(
        type,
        ({ timeStamp }) =>
          requestAnimationFrame(() => {
            waiting = [...waiting, timeStamp];
            // The message is handled after the frame that follows this callback.
            paint.port2.postMessage(null);
          }),
        true,
      );
    const observe = (kind: keyof Times, options: PerformanceObserverInit): void =>
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) times[kind].push(duration);
      }).observe(options);
    observe("painted", { type: "longtask", buffered: true });
    observe("presented", { type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  const cpu = async (): Promise<number> => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const longest = (): Promise<readonly [number, number]> =>
    page.evaluate(() => {
      const { painted, presented } = (globalThis as unknown as { times: Times }).times;
      return [Math.max(0, ...painted.splice(0)), Math.max(0, ...presented.splice(0))] as const;
    });
  const report: Report = async (name, act, times = 1) => {
    await longest();
    const before = await cpu();
    for (let n = 0; n < times; n++) {
      await act(n);
      await page.waitForTimeout(SETTLE_MS);
    }
    const spent = (await cpu()) - before;
    const [painted, presented] = await longest();
    const columns = [spent / times, painted, presented].map((ms) => `${ms.toFixed(0).padStart(6)} ms`);
    const note = painted > LIMIT_MS ? "  over the limit" : "";
    console.log(`${name.padEnd(28)} CPU ${columns[0]}  painted ${columns[1]}  presented ${columns[2]}${note}`);
  };
  return { page, report };
}
