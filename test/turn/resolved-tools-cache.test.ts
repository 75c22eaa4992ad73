// Tests the cache of resolved tools: the same input gets the same result, and any change gets a new one.
import { expect, test } from "vitest";
import { deepFreeze } from "../../src/schema/json/deep-freeze.ts";
import type { Manifest } from "../../src/schema/manifest.ts";
import { NO_SETTINGS, type Settings } from "../../src/schema/settings.ts";
import { createCatalog } from "../../src/tools/catalog.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import type { ResolvedTools } from "../../src/tools/resolve.ts";
import { createResolvedToolsCache } from "../../src/turn/resolved-tools-cache.ts";

const settingsWith = (change: Partial<Settings> = {}): Settings =>
  deepFreeze(structuredClone({ ...NO_SETTINGS, ...change }));
const sources = { config: [{}], manifests: [] as readonly Manifest[], declared: [] as readonly Tool[] };
const DECLARED: readonly Tool[] = [{} as Tool];

function counted() {
  const cache = createResolvedToolsCache();
  let resolved = 0;
  const get = (settings: Settings, from = sources, selection: readonly unknown[] = ["main", {}]): number => {
    cache.get(settings, from, selection, (): ResolvedTools => {
      resolved += 1;
      return { tools: [], known: [], disabled: {} };
    });
    return resolved;
  };
  return get;
}

test("tools are resolved once for the same settings, configuration, manifests and selection", () => {
  const get = counted();
  const settings = settingsWith();
  expect([get(settings), get(settings), get(settings)]).toEqual([1, 1, 1]);
  expect(get(settings, { ...sources, declared: [] })).toBe(1);
});

test("tools that a caller declares are resolved once for the same declarations", () => {
  const get = counted();
  const settings = settingsWith();
  const declared = { ...sources, declared: DECLARED };
  expect([get(settings, declared), get(settings, declared), get(settings)]).toEqual([1, 1, 2]);
});

test.each<[string, (get: ReturnType<typeof counted>, settings: Settings) => number]>([
  ["settings", (get) => get(settingsWith({ tools: { bash: false } }))],
  ["a configuration", (get, settings) => get(settings, { ...sources, config: [{}] })],
  ["manifests", (get, settings) => get(settings, { ...sources, manifests: [] })],
  ["declared tools", (get, settings) => get(settings, { ...sources, declared: DECLARED })],
  ["overrides of the thread", (get, settings) => get(settings, sources, ["main", { bash: false }])],
])("another object of %s resolves them again", (_, change) => {
  const get = counted();
  const settings = settingsWith();
  get(settings);
  expect(change(get, settings)).toBe(2);
});

test("settings that may still be modified are never cached", () => {
  const get = counted();
  const settings = structuredClone(NO_SETTINGS);
  expect([get(settings), get(settings)]).toEqual([1, 2]);
});

test("a catalog gives the same list until it changes", () => {
  const catalog = createCatalog();
  const empty = catalog.all();
  expect(catalog.all()).toBe(empty);
  catalog.remove("unknown");
  expect(catalog.all()).not.toBe(empty);
});
