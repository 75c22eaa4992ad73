// What is due, as a worker sees it: the oldest rows, and now and then far past them, so that nobody who comes after a
// tenant with thousands of jobs waits for all of them.
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";

/** Read at every look. */
const PAGE_LIMIT = 500;
/** Read when the near ones are more than that, at most once in `FAR_EVERY_MS`: it costs some tens of milliseconds. */
const DEEP_SCAN_LIMIT = 20_000;
const DEEP_SCAN_INTERVAL_MS = 1_000;
/** Of one tenant, of those found far away: enough until the next far look. */
const DEEP_SCAN_PER_TENANT = 50;

export const deliveryPath = (due: Delivery): string => `${due.tenant}/${due.thread}/${due.id}`;

export type DuePoller = {
  readonly poll: () => Promise<readonly Delivery[]>;
  /** It is in hand: not to be found again in what was seen far away. */
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
      else if (rt.clock.now() - scannedAt >= DEEP_SCAN_INTERVAL_MS) await runDeepScan(due.value);
      const pagePaths = new Set(due.value.map(deliveryPath));
      // Somebody else may have had those far ones meanwhile: claiming tells.
      return [...due.value, ...[...deepScan.values()].filter((one) => !pagePaths.has(deliveryPath(one)))];
    },
  };
}

/** Of tenants that are not among the near ones. */
function ofOtherTenants(due: readonly Delivery[], page: readonly Delivery[]): Map<string, Delivery> {
  const tenantsOnPage = new Set(page.map(({ tenant }) => tenant));
  const byTenant = Map.groupBy(
    due.filter(({ tenant }) => !tenantsOnPage.has(tenant)),
    ({ tenant }) => tenant,
  );
  const found = [...byTenant.values()].flatMap((line) => line.slice(0, DEEP_SCAN_PER_TENANT));
  return new Map(found.map((one) => [deliveryPath(one), one]));
}
