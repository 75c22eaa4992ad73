import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestHarness } from "wrangler";
import { documentStoreContract } from "../../../src/testing/document-store.contract.ts";
import { raceSuite } from "../../../src/testing/race-suite.ts";
import { settingsStoreContract } from "../../../src/testing/settings-store.contract.ts";
import { threadStoreContract } from "../../../src/testing/thread-store.contract.ts";
import { raceSizes } from "../../races/race-sizes.ts";
import type { Cost as RowCost } from "./turn-cost.ts";

type Cost = RowCost & { readonly calls: readonly string[] };

process.env.WRANGLER_SEND_METRICS = "false";
const server = createTestHarness({ workers: [{ configPath: join(import.meta.dirname, "wrangler.toml") }] });
beforeAll(async () => void (await server.listen()), 120_000);
afterAll(() => server.close());

async function runCase(suite: string, k: number, query = ""): Promise<void> {
  const response = await server.fetch(`/${suite}/${k}${query}`);
  expect(await response.text()).toBe("passed");
}

describe("ThreadStore contract: durable object, in workerd", () => {
  test.each(threadStoreContract.map((one, k) => [one.name, k] as const))("%s", (_name, k) => runCase("store", k));
});

describe("SettingsStore contract: durable object, in workerd", () => {
  test.each(settingsStoreContract.map((one, k) => [one.name, k] as const))("%s", (_name, k) => runCase("settings", k));
});

describe("CalendarStore contract: durable object, in workerd", () => {
  test.each(documentStoreContract.map((one, k) => [one.name, k] as const))("%s", (_name, k) => runCase("calendars", k));
});

describe("races on the store: durable object, in workerd", () => {
  const sizes = raceSizes({ callers: 64, approvers: 32, rounds: 3, mutations: 60 });
  const query = `?sizes=${encodeURIComponent(JSON.stringify(sizes))}`;
  test.each(raceSuite.map((one, k) => [one.name, k] as const))("%s", (_name, k) => runCase("races", k, query));
});

describe("a pure turn on durable objects", () => {
  test("is one load and one append, with the same rows at record 1000 as at record 20", async () => {
    const costs = await Promise.all([20, 1000].map(async (k) => (await server.fetch(`/cost/${k}`)).json()));
    const [young, old] = costs as [Cost, Cost];
    expect(old).toEqual(young);
    expect(old.calls).toEqual(["load", "append"]);
    expect(old).toMatchObject({ append: { written: 1 }, claim: { written: 2 } });
    console.log(`a pure turn on durable objects: ${JSON.stringify(old)}`);
  });
});
