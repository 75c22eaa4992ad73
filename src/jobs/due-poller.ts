// Finds due deliveries: the oldest rows, and sometimes those past them, so that no tenant waits behind thousands of jobs of another.
import type { Delivery } from "../ports/thread-store.ts";
import { hasPassed } from "../schema/jobs/time-limit.ts";
import type { Runtime } from "../turn/runtime.ts";

/** Number of rows read by every poll. */
const PAGE_LIMIT = 500;
/** Number of rows read by a deep scan when a page is full. It takes tens of milliseconds, so it runs at most once per interval. */
const DEEP_SCAN_LIMIT = 20_000;
const DEEP_SCAN_INTERVAL_MS = 1_000;
/** Number of rows per tenant that are kept from a deep scan until the next one. */
const DEEP_SCAN_PER_TENANT = 50;

export const deliveryPath = (due: Delivery): string => `${due.tenant}/${due.thread}/${due.id}`;

export type DuePoller = {
  readonly poll: () => Promise<readonly Delivery[]>;
  /** Removes a delivery that was started from the results of the deep scan. */
  readonly markStarted: (due: Delivery) => void;
};

export function createDuePoller(rt: Pick<Runtime, "store" | "clock">): DuePoller {
  let deepScan = new Map<string, Delivery>();
  let scannedAt = Number.NEGATIVE_INFINITY;
  const runDeepScan = async (page: readonly Delivery[]): Promise<void> => {
    scannedAt = rt.clock.now();
    const due = await rt.store.dueDeliveries(scannedAt, DEEP_SCAN_LIMIT);
    deepScan = due.ok ? ofOtherTenants(due.value, page) : new Map();
  };
  return {
    markStarted: (due) => void deepScan.delete(deliveryPath(due)),
    async poll() {
      const due = await rt.store.dueDeliveries(rt.clock.now(), PAGE_LIMIT);
      if (!due.ok) return [];
      if (due.value.length < PAGE_LIMIT) deepScan.clear();
      else if (hasPassed(scannedAt, DEEP_SCAN_INTERVAL_MS, rt.clock.now())) await runDeepScan(due.value);
      const pagePaths = new Set(due.value.map(deliveryPath));
      // Another worker may have taken some of the scanned rows in the meantime. Leasing them shows which.
      return [...due.value, ...[...deepScan.values()].filter((one) => !pagePaths.has(deliveryPath(one)))];
    },
  };
}

function ofOtherTenants(due: readonly Delivery[], page: readonly Delivery[]): Map<string, Delivery> {
  const tenantsOnPage = new Set(page.map(({ tenant }) => tenant));
  const byTenant = Map.groupBy(
    due.filter(({ tenant }) => !tenantsOnPage.has(tenant)),
    ({ tenant }) => tenant,
  );
  const found = [...byTenant.values()].flatMap((line) => line.slice(0, DEEP_SCAN_PER_TENANT));
  return new Map(found.map((one) => [deliveryPath(one), one]));
}
