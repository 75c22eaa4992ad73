// Runs the code of the pages about protocols and telemetry as printed, with the stock server and its demo model.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { unwrap } from "../support/runtime.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "pawl-protocols-"));
let url = "";

beforeAll(async () => {
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  ({ url } = await startApp(folder));
}, 60_000);
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

test.each(["ag-ui", "ai-sdk", "openai-clients", "mcp", "a2a"])("%s", { timeout: 60_000 }, async (page) => {
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(readSource(`docs/how-to/${page}.md`)) ?? [];
  const file = join(folder, `${page}.mjs`);
  writeFileSync(file, code);
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env: { ...process.env, PAWL: url } });
  expect(stdout.length).toBeGreaterThan(10);
  expect(stdout).not.toContain("Error");
});

test("telemetry: the stock server loads the registration from a module of extend", { timeout: 60_000 }, async () => {
  const home = join(folder, "telemetry");
  mkdirSync(home);
  const lines = readSource("docs/how-to/telemetry.md").split("\n");
  const registration = lines.filter((line) => /^(import .*@opentelemetry|const processor|trace\.)/.test(line));
  writeFileSync(join(home, "register.mjs"), [...registration, "export const tools = [];"].join("\n"));
  writeFileSync(join(home, "pawl.config.json"), JSON.stringify({ extend: ["./register.mjs"] }));
  const app = await startApp(home);
  const { thread } = unwrap(await app.client.create({ goal: "Show day 3", mode: "direct" }));
  unwrap(await app.client.advanceUntilPause(thread.id));
  await expect.poll(app.output, { timeout: 20_000 }).toContain("execute_tool query_range");
});
