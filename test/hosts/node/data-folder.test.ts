import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../../../src/hosts/shared/config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-data-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const storeIn = (path: string): void => {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, "pawl.db"), "");
};
const dataWith = async (config: object | null, env: Record<string, string> = {}) => {
  if (config) writeFileSync(join(folder, env.PAWL_CONFIG ?? "pawl.config.json"), JSON.stringify(config));
  const loaded = await loadConfig(folder, env);
  return loaded.ok ? loaded.value.data : loaded.problem.message;
};

test("a store in ./.pawl is still used", async () => {
  storeIn(".pawl");
  expect(await dataWith(null)).toBe(join(folder, ".pawl"));
  expect(await dataWith({ workspace: "." })).toBe(join(folder, ".pawl"));
});

test("a configuration file elsewhere does not open an empty store while ./.pawl holds one", async () => {
  mkdirSync(join(folder, "etc"));
  const env = { PAWL_CONFIG: "etc/mine.json" };
  expect(await dataWith({}, env)).toBe(join(folder, "etc/.pawl"));
  storeIn(".pawl");
  expect(await dataWith({}, env)).toBe(join(folder, ".pawl"));
  storeIn("etc/.pawl");
  expect(await dataWith({}, env)).toBe(join(folder, "etc/.pawl"));
});

test.each([
  ["PAWL_DATA", null, { PAWL_DATA: "elsewhere" }],
  ["the configuration", { data: "elsewhere" }, {}],
])("a folder that %s names and that is not there is refused while ./.pawl holds a store", async (_who, config, env) => {
  expect(await dataWith(config, env)).toBe(join(folder, "elsewhere"));
  storeIn(".pawl");
  const refused = await dataWith(config, env);
  expect(refused).toContain(`mv ${join(folder, ".pawl")} ${join(folder, "elsewhere")}`);
  expect(refused).toContain(`mkdir -p ${join(folder, "elsewhere")}`);
});

test("a folder that was moved or made on purpose is used", async () => {
  storeIn(".pawl");
  mkdirSync(join(folder, "empty"));
  expect(await dataWith(null, { PAWL_DATA: "empty" })).toBe(join(folder, "empty"));
  storeIn("moved");
  expect(await dataWith({ data: "moved" })).toBe(join(folder, "moved"));
});
