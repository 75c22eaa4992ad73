// The contract of every settings store, as plain data for any test runner. It has no optional parts.
import type { SettingsStore } from "../ports/settings-store.ts";
import { TenantId } from "../schema/ids.ts";
import type { Settings } from "../schema/settings.ts";
import { equal, failedWith, succeeded } from "./expect.ts";
import { onHandles, onOneHandle } from "./test-case.ts";

/** A new handle on the same data on every call. The data is empty when a case begins. */
export type OpenSettings = () => Promise<SettingsStore>;
export type SettingsCase = { readonly name: string; readonly run: (open: OpenSettings) => Promise<void> };

const ACME = TenantId.parse("acme");
const BOLT = TenantId.parse("bolt");

const settings = (n: number): Settings => ({
  tools: { write_file: n % 2 === 0, read_file: true },
  agents: { [`agent ${n}`]: { tools: { "größe 📏": false } } },
  schedules: [`sch_${n}`],
  webhooks: [],
  hooks: [],
});

export const settingsStoreContract: readonly SettingsCase[] = [
  onOneHandle("a tenant without a document has the empty settings at version 0", async (store) => {
    equal(succeeded(await store.load(ACME)), {
      version: 0,
      settings: { tools: {}, agents: {}, schedules: [], webhooks: [], hooks: [] },
    });
  }),
  onOneHandle("saved settings are loaded with their version", async (store) => {
    equal(await store.save(ACME, settings(1), 0), { ok: true, value: 1 });
    equal(succeeded(await store.load(ACME)), { version: 1, settings: settings(1) });
  }),
  onOneHandle("each save increments the version and replaces the document", async (store) => {
    for (let n = 0; n < 5; n += 1) equal(succeeded(await store.save(ACME, settings(n), n)), n + 1);
    equal(succeeded(await store.load(ACME)), { version: 5, settings: settings(4) });
  }),
  onOneHandle(
    "a save over an outdated version fails with settings_moved, reports the current version and changes nothing",
    async (store) => {
      succeeded(await store.save(ACME, settings(1), 0));
      succeeded(await store.save(ACME, settings(2), 1));
      equal(failedWith(await store.save(ACME, settings(3), 0), "settings_moved").details, { version: 2 });
      equal(failedWith(await store.save(ACME, settings(3), 1), "settings_moved").details, { version: 2 });
      equal(succeeded(await store.load(ACME)), { version: 2, settings: settings(2) });
    },
  ),
  onOneHandle("a save over a future version fails with settings_moved", async (store) => {
    equal(failedWith(await store.save(ACME, settings(1), 1), "settings_moved").details, { version: 0 });
    succeeded(await store.save(ACME, settings(1), 0));
    equal(failedWith(await store.save(ACME, settings(2), 7), "settings_moved").details, { version: 1 });
  }),
  onHandles("of 16 racing saves on two handles exactly one wins", async (open) => {
    const [first, second] = [await open(), await open()];
    succeeded(await first.save(ACME, settings(0), 0));
    const saves = Array.from({ length: 16 }, (_, n) => (n % 2 ? first : second).save(ACME, settings(n), 1));
    const results = await Promise.all(saves);
    const winner = results.findIndex((result) => result.ok);
    equal(results.filter((result) => result.ok).length, 1, "winners");
    equal(succeeded(await first.load(ACME)), { version: 2, settings: settings(winner) });
  }),
  onOneHandle("of 16 racing first saves exactly one wins", async (store) => {
    const results = await Promise.all(Array.from({ length: 16 }, (_, n) => store.save(ACME, settings(n), 0)));
    equal(results.filter((result) => result.ok).length, 1, "winners");
    equal(succeeded(await store.load(ACME)).version, 1);
  }),
  onOneHandle("tenants have their own documents and versions", async (store) => {
    succeeded(await store.save(ACME, settings(1), 0));
    succeeded(await store.save(ACME, settings(2), 1));
    equal(succeeded(await store.load(BOLT)).version, 0);
    succeeded(await store.save(BOLT, settings(3), 0));
    equal(succeeded(await store.load(ACME)), { version: 2, settings: settings(2) });
    equal(succeeded(await store.load(BOLT)), { version: 1, settings: settings(3) });
  }),
  onHandles("a second handle sees a save immediately", async (open) => {
    const [first, second] = [await open(), await open()];
    succeeded(await first.save(ACME, settings(1), 0));
    equal(succeeded(await second.load(ACME)), { version: 1, settings: settings(1) });
    equal(succeeded(await second.save(ACME, settings(2), 1)), 2);
    failedWith(await first.save(ACME, settings(3), 1), "settings_moved");
  }),
  onOneHandle("mutating loaded or saved settings does not change the stored ones", async (store) => {
    succeeded(await store.load(ACME)).settings.tools.shell = true;
    equal(succeeded(await store.load(ACME)).settings.tools, {});
    const mine = settings(1);
    succeeded(await store.save(ACME, mine, 0));
    mine.tools.shell = true;
    succeeded(await store.load(ACME)).settings.agents.intruder = { tools: {} };
    equal(succeeded(await store.load(ACME)).settings, settings(1));
  }),
];
