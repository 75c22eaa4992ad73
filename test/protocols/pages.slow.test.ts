// The client code of the pages about protocols runs as printed, against the stock server with its demo model.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { killApps, startApp } from "../support/app-process.ts";

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

test.each(["ag-ui", "ai-sdk", "openai-clients", "mcp"])("%s", { timeout: 60_000 }, async (page) => {
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(readSource(`docs/how-to/${page}.md`)) ?? [];
  const file = join(folder, `${page}.mjs`);
  writeFileSync(file, code);
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env: { ...process.env, PAWL: url } });
  expect(stdout.length).toBeGreaterThan(10);
  expect(stdout).not.toContain("Error");
});
