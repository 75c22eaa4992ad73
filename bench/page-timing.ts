// Times what a page does in Chromium with a CPU slowed down four times. Three values are measured: the CPU time of the
// page's main thread (also slowed down); the time from an interaction until the main thread has painted, or the longest
// task after it; and the time until the frame was presented. Without a GPU, Chromium often reports a presented frame
// only with the next one. The median and the highest of several values are printed, because a single delay by another
// program does not change the median.
import type { Browser, Page } from "playwright-core";

const SLOWDOWN = 4;
const LIMIT_MS = 200;
/** A time that is longer than a page needs to paint after an interaction. */
const SETTLE_MS = 500;

export type Report = (name: string, act: (n: number) => Promise<unknown>, times?: number) => Promise<void>;

type Times = { readonly painted: number[]; readonly presented: number[] };
type Measured = Times & { readonly cpu: number[] };

export type SlowPage = { readonly page: Page; readonly report: Report; readonly printTimes: () => void };

export async function openSlowPage(browser: Browser): Promise<SlowPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.addInitScript(() => {
    const times: Times & { since: number } = { painted: [], presented: [], since: 0 };
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
        // The last frame of an earlier interaction may be presented only with this one.
        for (const { startTime, duration } of list.getEntries())
          if (startTime >= times.since) times[kind].push(duration);
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
      const { times } = globalThis as unknown as { times: Times & { since: number } };
      const { painted, presented } = times;
      times.since = performance.now();
      return [Math.max(0, ...painted.splice(0)), Math.max(0, ...presented.splice(0))] as const;
    });
  const measured = new Map<string, Measured>();
  const report: Report = async (name, act, times = 1) => {
    const known = measured.get(name) ?? { cpu: [], painted: [], presented: [] };
    measured.set(name, known);
    for (let n = 0; n < times; n++) {
      await longest();
      const before = await cpu();
      await act(n);
      await page.waitForTimeout(SETTLE_MS);
      known.cpu.push((await cpu()) - before);
      const [painted, presented] = await longest();
      known.painted.push(painted);
      known.presented.push(presented);
    }
  };
  return { page, report, printTimes: () => printTimes(measured) };
}

function printTimes(measured: ReadonlyMap<string, Measured>): void {
  console.log(`${"median (highest) of".padEnd(30)}      CPU ms     painted ms   presented ms`);
  for (const [name, { cpu, painted, presented }] of measured) {
    const columns = [cpu, painted, presented].map((times) =>
      `${median(times).toFixed(0)} (${Math.max(...times).toFixed(0)})`.padStart(13),
    );
    const note = median(painted) > LIMIT_MS ? "  over the limit" : "";
    console.log(`${name.padEnd(25)} ${String(painted.length).padStart(3)} ${columns.join(" ")}${note}`);
  }
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
